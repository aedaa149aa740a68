import { inspect } from 'node:util'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type * as api from '../../src/index.ts'
import {
  type ClientOptions,
  type DriftEvent,
  mean,
  query,
  RequestValidationError,
  ResponseValidationError,
  ServiceClient,
  type ServiceError,
} from '../../src/index.ts'
import { instrument } from '../../src/otel.ts'
import { failureOf } from '../support/failure.ts'
import { respondWith, scriptedServer } from '../support/programs/scripted-server.ts'
import {
  appointment,
  labTestId,
  marker,
  orderId,
  orderInput,
  provider,
  recipe,
  userId,
  userInfo,
} from '../support/samples.ts'
import { json, stubFetch } from '../support/stub-fetch.ts'
import { hidden, service, timeframe } from './attacked-client.ts'

const order = { order: { id: orderId } }

function clientWith(body: unknown, options: ClientOptions = {}) {
  const { fetch, requests } = stubFetch(() => json(body))
  return { client: new ServiceClient({ ...service, fetch, ...options }), requests }
}

describe('the input of a call is copied before its method returns', () => {
  afterEach(() => vi.resetModules())

  /** A client of a package that was just imported, whose contract is not loaded yet. */
  async function newProcess(body: unknown, options: ClientOptions = {}) {
    vi.resetModules()
    const fresh: typeof api = await import('../../src/index.ts')
    const { fetch, requests } = stubFetch(() => json(body))
    return { client: new fresh.ServiceClient({ ...service, fetch, ...options }), requests }
  }

  it.each([{}, { maxConcurrency: 1 }])('when one body is used again, with %o', async (options) => {
    const { client, requests } = await newProcess(order, options)
    const reused = structuredClone(orderInput)
    const calls = ['Ann', 'Bob', 'Cid'].map((name) => {
      reused.patient_details.first_name = name
      return client.orders.create(reused)
    })
    reused.patient_details.first_name = 'nobody'
    await Promise.all(calls)
    const sent = requests.map(({ body }) => (body as typeof orderInput).patient_details.first_name)
    expect(sent).toEqual(['Ann', 'Bob', 'Cid'])
  })

  it('when a query, parameters, headers and options of a call change', async () => {
    const { client, requests } = await newProcess({})
    const query = { tags: ['a', 'b'] }
    const params = { id: 'first' }
    const headers = new Headers({ 'x-team': 'first' })
    const init = { query, params, headers, body: { deep: { value: 'first' } } }
    const call = client.request('POST', '/v9/{id}', init)
    query.tags.push('c')
    params.id = 'second'
    headers.set('x-team', 'second')
    init.body.deep.value = 'second'
    Object.assign(init, { timeout: -1 })
    await call
    const [request] = requests
    expect(request?.url.href).toBe('https://service.test/v9/first?tags=a&tags=b')
    expect(request?.headers.get('x-team')).toBe('first')
    expect(request?.body).toEqual({ deep: { value: 'first' } })
  })

  it('when the arguments of a list call change between its pages', async () => {
    const full = { markers: [marker], total: 2, page: 1, size: 1, pages: 2 }
    const { client, requests } = await newProcess(full)
    const orderSet = { lab_test_ids: [labTestId] }
    const query = { size: 1 }
    const headers: Record<string, string> = { 'x-team': 'first' }
    const pages = client.labTests.listOrderSetMarkers(orderSet, query, { headers }).pages()
    await pages.next()
    orderSet.lab_test_ids.push('another')
    query.size = 7
    headers['x-team'] = 'second'
    // The service returns the same page again; only the request matters here.
    await pages.next().catch(() => {})
    const [, second] = requests
    expect(second?.url.search).toBe('?size=1&page=2')
    expect(second?.body).toEqual({ lab_test_ids: [labTestId] })
    expect(second?.headers.get('x-team')).toBe('first')
  })

  it('when the request of queryEach changes before the loop begins', async () => {
    const { client, requests } = await newProcess({ results: [] })
    const request = { timeframe: { ...timeframe, anchor: '2025-06-01' }, queries: [] }
    const users = client.aggregate.queryEach([userId], request)
    request.timeframe.anchor = '2001-01-01'
    for await (const { error } of users) expect(error).toBeUndefined()
    expect(requests[0]?.body).toMatchObject({ timeframe: { anchor: '2025-06-01' } })
  })

  const getters = {
    get first_name(): string {
      throw new RangeError('of a getter')
    },
  }
  const cyclic: Record<string, unknown> = { ...userInfo }
  cyclic.self = cyclic
  const bodies: [string, unknown, string][] = [
    ['a cycle', cyclic, 'body: expected a value that JSON can represent'],
    ['a BigInt', { ...userInfo, more: 1n }, 'body: expected a value that JSON can represent'],
    ['a BigInt object', { ...userInfo, more: Object(1n) }, 'body: expected a value that JSON'],
    ['a getter that throws', { ...userInfo, ...{ more: getters } }, 'body: expected a value'],
    ['20,000 levels', { ...userInfo, more: nested(20_000) }, 'at most 1000 levels deep'],
    ['an endless toJSON', { ...userInfo, more: endlessJson() }, 'body: expected a value'],
    ['a function', () => {}, 'body: expected a'],
    [
      'a number that JSON cannot represent',
      { ...userInfo, dob: Number.NaN },
      'body.dob: expected a',
    ],
  ]
  it.each(bodies)('and rejected with a typed error when it holds %s', async (_, body, told) => {
    for (const { client, requests } of [clientWith({}), await newProcess({})]) {
      const calls = [
        client.users.updateInfo('u', body as typeof userInfo),
        ...(told.startsWith('body.dob') ? [] : [client.request('POST', '/v9', { body })]),
      ]
      for (const call of calls) {
        const error = await failureOf(call, RequestValidationError)
        expect(error.message).toContain(told)
      }
      expect(requests).toEqual([])
    }
  })

  const unreadable = {
    get size(): number {
      throw new TypeError('of a getter')
    },
  }
  it.each<[string, (client: ServiceClient) => PromiseLike<unknown>, string]>([
    ['the query', (client) => client.labTests.listMarkers(unreadable), 'query: expected'],
    [
      'the options',
      (client) => client.link.listProviders({}, Object.defineProperty({}, 'timeout', hidden())),
      'options: expected',
    ],
    [
      'the init of a request',
      (client) => client.request('GET', '/v9', Object.defineProperty({}, 'query', hidden())),
      'init: expected',
    ],
    [
      'an aggregate request',
      (client) =>
        client.aggregate.query(userId, Object.defineProperty({}, 'queries', hidden()) as never),
      'body: expected',
    ],
    ['null', (client) => client.labTests.list(null as never), 'query: expected'],
    [
      'search parameters',
      (client) => client.request('GET', '/v9', { query: new URLSearchParams('a=1') as never }),
      'query: expected an object of query parameters',
    ],
    [
      'an object in a query',
      (client) => client.request('GET', '/v9', { query: { a: { b: 1 } as never } }),
      'query.*: expected strings',
    ],
    ['a symbol as path', (client) => client.request('GET', Symbol() as never), 'path: expected'],
  ])('and a typed error reports that %s cannot be used', async (_, send, told) => {
    const { client, requests } = clientWith([])
    const error = await failureOf(send(client), RequestValidationError)
    expect(error.message).toContain(told)
    expect(requests).toEqual([])
  })

  it('and keeps the primitive values of objects of another realm', async () => {
    const { client, requests } = clientWith({})
    const body = runInNewContext("[Object('a'), Object(5), Object(false), new Date(0)]")
    await client.request('POST', '/v9', { body })
    expect(requests[0]?.body).toEqual(['a', 5, false, '1970-01-01T00:00:00.000Z'])
  })

  it('and rejected when parameters are null', async () => {
    const { client, requests } = clientWith({})
    const call = client.request('PUT', '/v9/{id}', { params: null as never })
    expect((await failureOf(call, RequestValidationError)).issues).toMatchObject([{ path: 'id' }])
    expect(requests).toEqual([])
  })

  it('and keeps raw JSON', async () => {
    const sent: string[] = []
    const fetch = async (request: Request) => {
      sent.push(await request.text())
      return json({})
    }
    // The types of TypeScript do not know it yet.
    const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown }
    const body = { id: rawJSON('12345678901234567890') }
    await new ServiceClient({ ...service, fetch }).request('POST', '/v9', { body })
    expect(sent).toEqual(['{"id":12345678901234567890}'])
  })

  it('and keeps a field that is called __proto__', async () => {
    const { client, requests } = clientWith({})
    const body = JSON.parse('{"__proto__":{"a":1},"constructor":2}')
    await client.request('POST', '/v9', { body })
    expect(JSON.stringify(requests[0]?.body)).toBe('{"__proto__":{"a":1},"constructor":2}')
  })
})

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = { in: value }
  return value
}

async function walk(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0
  for await (const _ of items) count += 1
  return count
}

function endlessJson(): object {
  return { toJSON: () => endlessJson() }
}

describe('deep nesting', () => {
  const nested = (levels: number) => `${'{"in":'.repeat(levels)}1${'}'.repeat(levels)}`
  const deep = nested(20_000)
  const accepted = nested(240)

  it.each<[string, string, (client: ServiceClient) => PromiseLike<unknown>]>([
    [
      'an object',
      `{"more":${accepted},${JSON.stringify(userInfo).slice(1)}`,
      (client) => client.users.updateInfo('u', userInfo),
    ],
    [
      'an open map',
      JSON.stringify({ ...appointment, event_data: 'DEEP' }).replace('"DEEP"', accepted),
      (client) => client.orders.getPhlebotomyAppointment(orderId),
    ],
    [
      'a table',
      `{"results":[{"table":{"index":[${accepted}]}}]}`,
      (client) =>
        client.aggregate.query(userId, { timeframe, queries: [query(mean('sleep', 'score'))] }),
    ],
    ['an unchecked response', accepted, (client) => client.request('GET', '/v9')],
    [
      'an item of a page',
      JSON.stringify({ markers: [{ ...marker, more: 'DEEP' }], total: 1 }).replace(
        '"DEEP"',
        accepted,
      ),
      (client) => walk(client.labTests.listMarkers({ size: 50 })),
    ],
  ])('of an unknown field in %s of a response passes', async (_, text, send) => {
    for (const validation of ['strict', 'report', 'off'] as const) {
      const fetch = async () => new Response(text)
      const hooks = { drift: () => {} }
      const client = new ServiceClient({ ...service, fetch, hooks, validation })
      await expect(send(client)).resolves.toBeDefined()
    }
  })

  it('of a response that is invalid elsewhere is a typed error', async () => {
    const text = JSON.stringify([{ ...provider, more: 'DEEP', slug: 5 }]).replace(
      '"DEEP"',
      accepted,
    )
    const client = new ServiceClient({ ...service, fetch: async () => new Response(text) })
    const error = await failureOf(client.link.listProviders(), ResponseValidationError)
    expect(error.issues).toMatchObject([{ path: 'response[0].slug' }])
    expect(inspect(error)).toContain('response[0].slug')
  })

  it.each([200, 404, 422, 500])('of a response with status %i is a typed error', async (status) => {
    const fetch = async () => new Response(`{"detail":${deep}}`, { status })
    const client = new ServiceClient({ ...service, fetch, maxRetries: 0 })
    expect((await failureOf(client.link.listProviders())).code).toBeDefined()
    const list = new ServiceClient({
      ...service,
      fetch: async () => new Response(`{"detail":[{"loc":${deep},"type":${deep}}]}`, { status }),
      maxRetries: 0,
    })
    expect((await failureOf(list.users.createSignInToken(userId))).code).toBeDefined()
  })
})

describe('no field name that the specification does not know is printed', () => {
  const name = 'jane.doe@example.com'

  function printed(error: ServiceError): string {
    return [error.message, error.stack, JSON.stringify(error)].join('\n')
  }

  it.each([name, 'JaneDoe', '__proto__', 'constructor'])('as drift: %s', async (key) => {
    const events: DriftEvent[] = []
    const lines: unknown[] = []
    const logger = { warn: (...line: unknown[]) => void lines.push(line) }
    const hooks = { drift: (event: DriftEvent) => void events.push(event) }
    const item = JSON.parse(JSON.stringify({ ...provider, KEY: 1 }).replace('KEY', key))
    const { client } = clientWith([item], { hooks, logger })
    await client.link.listProviders()
    expect(events).toMatchObject([{ kind: 'field', path: 'response[].*' }])
    expect(JSON.stringify([events, lines])).not.toContain(key)
  })

  it.each<[string, unknown]>([
    ['a table', { results: [{ table: { [name]: 5 } }] }],
    ['an object', { [name]: [] }],
  ])('in the issues of a response: %s', async (_, body) => {
    const { client } = clientWith(body)
    const error = await failureOf(client.aggregate.query(userId, { timeframe, queries: [] }))
    expect(error.code).toBe('response_invalid')
    expect(printed(error)).not.toContain(name)
  })

  it('in the issues of a request', async () => {
    const { client } = clientWith({})
    const call = client.aggregate.query(userId, {
      timeframe,
      queries: [{ select: [{ arg: { [name]: 5 as never }, func: 'mean' }] }],
    })
    const error = await failureOf(call, RequestValidationError)
    expect(error.issues).toMatchObject([{ path: 'body.queries[0].select[0].arg.*' }])
    expect(printed(error)).not.toContain(name)
  })

  it('in the issues of a 422, where a number is not an array index', async () => {
    const detail = [
      { loc: ['body', name], type: 'missing' },
      { loc: ['body', 'address', 4155550100], type: 'missing' },
    ]
    const fetch = async () => json({ detail }, 422)
    const client = new ServiceClient({ ...service, fetch })
    const error = await failureOf(client.users.updateInfo('u', userInfo))
    expect(error.message).toContain('body.* (missing); body.address.* (missing)')
    expect(printed(error)).not.toMatch(/jane\.doe|4155550100/)
  })
})

describe('only own fields are read', () => {
  it('sends no header, parameter or field from a polluted prototype', async () => {
    const prototype = Object.prototype as unknown as Record<string, unknown>
    prototype['x-polluted'] = 'yes'
    onTestFinished(() => void delete prototype['x-polluted'])
    const { client, requests } = clientWith([], { headers: { 'x-team': 'a' } })
    await client.link.listProviders({}, { headers: { 'x-other': 'b' } })
    await client.request('POST', '/v9', { body: {}, query: { a: 1 } })
    for (const { headers, url, body } of requests) {
      expect(headers.get('x-polluted')).toBeNull()
      expect(url.href).not.toContain('polluted')
      expect(Object.keys(Object(body))).toEqual([])
    }
  })

  it.each(['constructor', '__proto__', 'toString'])('so that {%s} is missing', async (name) => {
    const { client } = clientWith({})
    const call = client.request('GET', `/v9/{${name}}`, { params: { other: 'x' } })
    const error = await failureOf(call, RequestValidationError)
    expect(error.issues).toMatchObject([{ path: name }])
  })
})

describe('headers', () => {
  class Pairs {
    *[Symbol.iterator](): Generator<[string, string]> {
      yield ['X-Team', 'a']
    }
  }
  it.each<[string, api.ExtraHeaders]>([
    ['an object', { 'X-Team': 'a' }],
    ['Headers', new Headers({ 'X-Team': 'a' })],
    ['a list of pairs', [['X-Team', 'a']]],
    ['a Map', new Map([['X-Team', 'a']])],
    ['an iterable', new Pairs()],
  ])('can be %s, of the client and of a call', async (_, headers) => {
    const { client, requests } = clientWith([], { headers })
    await client.link.listProviders()
    const other = clientWith([])
    await other.client.link.listProviders({}, { headers })
    await other.client.request('GET', '/v9', { headers })
    for (const { headers: sent } of [...requests, ...other.requests]) {
      expect(sent.get('x-team')).toBe('a')
    }
  })

  it('of the same name are sent together', async () => {
    const headers = [
      ['x-tag', 'a'],
      ['X-Tag', 'b'],
    ] as const
    const { client, requests } = clientWith([])
    await client.link.listProviders({}, { headers })
    expect(requests[0]?.headers.get('x-tag')).toBe('a, b')
  })

  it.each<[string, unknown, string]>([
    ['a number', 5, 'headers: expected'],
    ['a string', 'x-team: a', 'headers: expected'],
    ['null', null, 'headers: expected'],
    ['pairs of three', [['x-team', 'a', 'b']], 'headers: expected'],
    ['pairs without a value', [['x-team']], 'headers.x-team: expected'],
    ['the key as pair', [['X-Service-Api-Key', 'k']], 'headers.X-Service-Api-Key: expected'],
    ['the key in Headers', new Headers({ 'x-service-api-key': 'k' }), 'headers.x-service-api-key'],
    ['a line break', new Map([['x-team', 'a\r\nb']]), 'headers.x-team: expected'],
    ['a key as the name', [['sk_test_1', undefined]], 'headers.*: expected'],
    ['an address as the name', { 'jane.doe': 5 }, 'headers.*: expected'],
  ])('are rejected when they are %s', async (_, headers, told) => {
    const options = { ...service, headers: headers as api.ExtraHeaders }
    expect(() => new ServiceClient(options)).toThrow(RequestValidationError)
    expect(() => new ServiceClient(options)).toThrow(told)
    const { client, requests } = clientWith([])
    const call = client.link.listProviders({}, { headers: options.headers })
    expect((await failureOf(call, RequestValidationError)).message).toContain(told)
    expect(requests).toEqual([])
  })
})

describe('options', () => {
  it.each<[object, string]>([
    [{ hooks: 5 }, 'hooks: expected an object of functions'],
    [{ logger: 5 }, 'logger: expected an object of functions'],
    [{ hooks: null }, 'hooks: expected an object of functions'],
    [{ hooks: { retry: 5 } }, 'hooks.retry: expected a function'],
    [{ logger: { warn: 'on' } }, 'logger.warn: expected a function'],
    [{ timout: 5 }, "Unknown option 'timout'. Did you mean timeout?"],
    [{ baseURL: 'https://x.test' }, "Unknown option 'baseURL'. Did you mean baseUrl?"],
    [{ api_key: 'k' }, "Unknown option 'api_key'. Did you mean apiKey?"],
    [{ retries: 5 }, "Unknown option 'retries'. Did you mean maxRetries?"],
    [{ colour: 5 }, "Unknown option 'colour'. Use one of apiKey, baseUrl, timeout,"],
    [{ 'jane@example.com': 5 }, 'Unknown option. Use one of apiKey'],
  ])('of a client: %j is rejected', (options, told) => {
    for (const given of [{ ...service, ...options }, instrument({ ...service, ...options })]) {
      expect(() => new ServiceClient(given)).toThrow(RequestValidationError)
      expect(() => new ServiceClient(given)).toThrow(told)
    }
  })

  it.each([[null], [5], ['key']])('of a client that are %j are rejected', (options) => {
    expect(() => new ServiceClient(options as never)).toThrow(RequestValidationError)
  })

  it.each<[unknown, string]>([
    [{ timout: 5 }, "Unknown option 'timout'. Did you mean timeout?"],
    [{ Deadline: 5 }, "Unknown option 'Deadline'. Did you mean deadline?"],
    [{ constructor: 5 }, "Unknown option 'constructor'. Use one of signal, timeout,"],
    [{ signal: 5 }, 'signal: expected an AbortSignal'],
    [null, 'options: expected an object of options'],
    [5, 'options: expected an object of options'],
  ])('of a call: %j is rejected', async (options, told) => {
    const { client, requests } = clientWith([])
    const given = options as api.RequestOptions
    const calls = [
      client.link.listProviders({}, given),
      client.labTests.listMarkers({}, given),
      client.orders.downloadRequisition(orderId, given),
      client.link.bulkImportAll('oura', [recipe], given),
      client.aggregate.queryEach([userId], { timeframe, queries: [] }, given as never).next(),
    ]
    for (const call of calls) {
      expect((await failureOf(call, RequestValidationError)).message).toContain(told)
    }
    expect(requests).toEqual([])
  })

  it('that are undefined count as missing', async () => {
    const { client } = clientWith([], { timout: undefined } as ClientOptions)
    const options = { timeout: undefined, headers: undefined, signal: undefined, more: undefined }
    await expect(client.link.listProviders({}, options)).resolves.toEqual([])
  })
})

describe('a header that fetch rejects', () => {
  it.each([
    ['transfer-encoding', 'chunked'],
    ['expect', '100-continue'],
    ['keep-alive', 'timeout=5'],
    ['upgrade', 'websocket'],
  ])('has the outcome not-sent: %s', async (name, value) => {
    const server = await scriptedServer(respondWith(200, { order: { id: orderId } }))
    const options = { apiKey: 'key', baseUrl: server.baseUrl, headers: { [name]: value } }
    const client = new ServiceClient({ ...options, maxRetries: 0 })
    const error = await failureOf(client.orders.create(orderInput))
    expect(error).toMatchObject({ code: 'connection_failed', outcome: 'not-sent' })
    expect(server.requests).toEqual([])
  })
})
