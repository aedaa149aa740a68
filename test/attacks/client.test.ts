import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { inspect } from 'node:util'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type * as api from '../../src/index.ts'
import {
  type ClientOptions,
  type DriftEvent,
  type Hooks,
  mean,
  query,
  RequestValidationError,
  ResponseValidationError,
  ServiceClient,
  type ServiceError,
  TimeoutError,
} from '../../src/index.ts'
import { instrument } from '../../src/otel.ts'
import { failureOf } from '../support/failure.ts'
import {
  appointment,
  insurance,
  insuranceInput,
  labTestId,
  marker,
  orderId,
  orderInput,
  provider,
  recipe,
  userId,
  userInfo,
} from '../support/samples.ts'
import { answer, type Behaviour, scriptedServer } from '../support/scripted-server.ts'
import { json, stubFetch } from '../support/stub-fetch.ts'

const service = { apiKey: 'key', baseUrl: 'https://service.test' }
const order = { order: { id: orderId } }
const timeframe = { type: 'relative', anchor: '2025-06-01', past: { unit: 'week' } } as const

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

  it('and keeps a field that is called __proto__', async () => {
    const { client, requests } = clientWith({})
    const body = JSON.parse('{"__proto__":{"a":1},"constructor":2}')
    await client.request('POST', '/v9', { body })
    expect(JSON.stringify(requests[0]?.body)).toBe('{"__proto__":{"a":1},"constructor":2}')
  })
})

function hidden(): PropertyDescriptor {
  const get = () => {
    throw new TypeError('of a getter')
  }
  return { get, enumerable: true }
}

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

describe('a misdirected request (421)', () => {
  it.each<[string, (client: ServiceClient) => PromiseLike<unknown>]>([
    ['insurance.create', (client) => client.insurance.create(userId, insuranceInput)],
    ['orders.create', (client) => client.orders.create(orderInput)],
    ['a request without a body', (client) => client.request('POST', '/v9')],
  ])('is sent once: %s', async (_, send) => {
    const server = await scriptedServer(
      answer(421, { detail: 'elsewhere' }),
      answer(200, insurance),
    )
    const client = new ServiceClient({ apiKey: 'key', baseUrl: server.baseUrl })
    const error = await failureOf(send(client))
    expect(server.requests).toHaveLength(1)
    expect(error).toMatchObject({ status: 421, outcome: 'rejected', attempts: [{ status: 421 }] })
    expect(server.requests[0]?.headers).not.toHaveProperty('transfer-encoding')
  })

  it('leaves the bytes of a body as they are', async () => {
    const server = await scriptedServer(answer(200, insurance))
    const client = new ServiceClient({ apiKey: 'key', baseUrl: server.baseUrl })
    const named = { ...insuranceInput, group_id: 'Ōura – 日本' }
    await client.insurance.create(userId, named)
    const [request] = server.requests
    expect(JSON.parse(request?.body ?? '')).toEqual(named)
    expect(request?.headers['content-length']).toBe(String(Buffer.byteLength(request?.body ?? '')))
  })
})

/** Sends a chunk every few milliseconds, without end. */
const drip: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/pdf' })
  const timer = setInterval(() => response.write('drop'), 5)
  response.on('close', () => clearInterval(timer))
}

/** The same as an archive: gzip that does not end. */
const dripArchive: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/vnd.service.tar+gzip+parquet' })
  const archive = gzipSync(Buffer.alloc(1 << 20, 7), { level: 0 })
  let sent = 0
  const timer = setInterval(() => {
    response.write(archive.subarray(sent, sent + 10))
    sent += 10
  }, 5)
  response.on('close', () => clearInterval(timer))
}

describe('a deadline ends a slow download', () => {
  async function drain(stream: ReadableStream<unknown>) {
    for await (const _ of stream);
  }
  const request = { timeframe, queries: [] }
  it.each<[string, Behaviour, (client: ServiceClient, deadline?: number) => Promise<unknown>]>([
    ['bytes', drip, async (client, deadline) => (await pdf(client, deadline)).bytes()],
    ['stream', drip, async (client, deadline) => drain((await pdf(client, deadline)).stream)],
    ['save', drip, async (client, deadline) => (await pdf(client, deadline)).save('/dev/null')],
    [
      'the stream of an archive',
      dripArchive,
      async (client, deadline) =>
        drain((await client.aggregate.queryParquet(userId, request, { deadline })).stream),
    ],
    [
      'the files of an archive',
      dripArchive,
      async (client, deadline) => {
        const archive = await client.aggregate.queryParquet(userId, request, { deadline })
        for await (const _ of archive.files());
      },
    ],
    [
      'an archive that is saved',
      dripArchive,
      async (client, deadline) => {
        const archive = await client.aggregate.queryParquet(userId, request, { deadline })
        await archive.save('/dev/null')
      },
    ],
  ])('%s', async (_, behaviour, read) => {
    const server = await scriptedServer(behaviour)
    const options = { apiKey: 'key', baseUrl: server.baseUrl }
    const given = failureOf(read(new ServiceClient(options), 150), TimeoutError)
    const wide = failureOf(read(new ServiceClient({ ...options, deadline: 150 })), TimeoutError)
    for (const error of await Promise.all([given, wide])) {
      expect(error.message).toContain('deadline (150 ms)')
      expect(error.outcome).toBe('unknown')
    }
  })

  function pdf(client: ServiceClient, deadline?: number) {
    return client.orders.downloadRequisition(orderId, { deadline })
  }
})

describe('a given deadline or timeout is applied exactly', () => {
  afterEach(() => void vi.useRealTimers())

  const booking = { booking_key: 'key' }
  it.each<[string, number, ClientOptions, api.RequestOptions?]>([
    ['the deadline of the client', 7000, { deadline: 7000 }],
    ['the deadline of a call', 7000, {}, { deadline: 7000 }],
    ['the timeout of a call', 5000, {}, { timeout: 5000 }],
    ['a deadline that ends before the extended timeout', 7000, { timeout: 5000, deadline: 7000 }],
    ['the timeout of the client, extended', 245_000, { timeout: 5000 }],
    ['the defaults, extended', 270_000, {}],
  ])('%s: %i ms', async (_, milliseconds, options, perCall) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
    const started = Promise.withResolvers<void>()
    const fetch = () => {
      started.resolve()
      return new Promise<Response>(() => {})
    }
    const client = new ServiceClient({ ...service, fetch, maxRetries: 0, ...options })
    let isOver = false
    const call = client.orders.bookPhlebotomyAppointment(orderId, booking, perCall)
    const failure = failureOf(call, TimeoutError).finally(() => {
      isOver = true
    })
    await started.promise
    await vi.advanceTimersByTimeAsync(milliseconds - 1)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await failure
  })
})

describe('deep nesting', () => {
  const deep = `${'{"in":'.repeat(20_000)}1${'}'.repeat(20_000)}`

  it.each<[string, string, (client: ServiceClient) => PromiseLike<unknown>]>([
    [
      'an object',
      `{"more":${deep},${JSON.stringify(userInfo).slice(1)}`,
      (client) => client.users.updateInfo('u', userInfo),
    ],
    [
      'an open map',
      JSON.stringify({ ...appointment, event_data: 'DEEP' }).replace('"DEEP"', deep),
      (client) => client.orders.getPhlebotomyAppointment(orderId),
    ],
    [
      'a table',
      `{"results":[{"table":{"index":[${deep}]}}]}`,
      (client) =>
        client.aggregate.query(userId, { timeframe, queries: [query(mean('sleep', 'score'))] }),
    ],
    ['an unchecked response', deep, (client) => client.request('GET', '/v9')],
    [
      'an item of a page',
      JSON.stringify({ markers: [{ ...marker, more: 'DEEP' }], total: 1 }).replace('"DEEP"', deep),
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
    const text = JSON.stringify([{ ...provider, more: 'DEEP', slug: 5 }]).replace('"DEEP"', deep)
    const client = new ServiceClient({ ...service, fetch: async () => new Response(text) })
    const error = await failureOf(client.link.listProviders(), ResponseValidationError)
    expect(error.issues).toMatchObject([{ path: 'response[0].slug' }])
    expect(inspect(error)).toContain('response[0].slug')
  })

  it('of a response that is invalid elsewhere is a typed error', async () => {
    const text = JSON.stringify([{ ...provider, more: 'DEEP', slug: 5 }]).replace('"DEEP"', deep)
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

  it('in the lines of a 422, where a number is not a position', async () => {
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
  it('so that a polluted prototype sends no header, parameter or field', async () => {
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
    [{ retries: 5 }, "Unknown option 'retries'. Use one of apiKey, baseUrl, timeout,"],
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

/** Runs `act` and returns the unhandled rejections that follow. */
async function unhandledAfter(act: () => Promise<void>): Promise<unknown[]> {
  const unhandled: unknown[] = []
  const listeners = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', (reason) => void unhandled.push(reason))
  try {
    await act()
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
  } finally {
    process.removeAllListeners('unhandledRejection')
    for (const listener of listeners) process.on('unhandledRejection', listener)
  }
  return unhandled
}

describe('an observer changes no call and leaves no unhandled rejection', () => {
  const failure = () => new Error('the observer failed')
  const rejected = () => Promise.reject(failure())
  const observers: [string, () => unknown][] = [
    [
      'throws',
      () => {
        throw failure()
      },
    ],
    ['rejects', rejected],
    ['rejects in another realm', () => runInNewContext('Promise.reject(new Error("elsewhere"))')],
    [
      'returns a thenable that rejects',
      () => ({ then: (_: unknown, no: (e: Error) => void) => no(failure()) }),
    ],
    [
      'returns a thenable that throws',
      () => ({
        then: () => {
          throw failure()
        },
      }),
    ],
    ['returns a thenable that is async and rejects', () => ({ then: rejected })],
    ['returns a getter that throws', () => Object.defineProperty({}, 'then', hidden())],
    ['returns a promise whose catch is broken', () => Object.assign(rejected(), { catch: 5 })],
  ]

  /** Makes calls that notify every hook and both methods of the logger. */
  async function callAll(options: ClientOptions): Promise<void> {
    const answers = [
      json({}, 503, { 'retry-after': '0' }),
      json([{ ...provider, more: 1 }]),
      json({ order: { id: orderId } }),
    ]
    const fetch = async () => answers.shift() ?? json({})
    const client = new ServiceClient({ ...service, fetch, ...options })
    await expect(client.link.listProviders()).resolves.toHaveLength(1)
    await expect(
      client.orders.create({ ...orderInput, lab_test_id: labTestId }),
    ).resolves.toBeDefined()
  }

  it.each(observers)('when it %s', async (_, observer) => {
    const names = ['request', 'response', 'retry', 'drift', 'deprecation'] as const
    const hooks = Object.fromEntries(names.map((name) => [name, observer])) as Hooks
    const options = { hooks, logger: { debug: observer as never, warn: observer as never } }
    const unhandled = await unhandledAfter(async () => {
      await callAll(options)
      await callAll(instrument({ ...service, ...options }))
    })
    expect(unhandled).toEqual([])
  })

  it('when the getter of a hook or of the logger throws', async () => {
    const names = ['request', 'response', 'retry', 'drift', 'deprecation']
    const hooks = Object.defineProperties(
      {},
      Object.fromEntries(names.map((name) => [name, hidden()])),
    )
    const logger = Object.defineProperties({}, { debug: hidden(), warn: hidden() })
    await callAll({ hooks, logger })
    await callAll(instrument({ ...service, hooks, logger }))
  })

  it('when what fetch throws has getters that throw', async () => {
    const fetch = async () => {
      throw Object.defineProperties(new Error('lost'), {
        code: hidden(),
        cause: hidden(),
        name: hidden(),
      })
    }
    const client = new ServiceClient({ ...service, fetch, maxRetries: 0 })
    expect((await failureOf(client.link.listProviders())).code).toBe('connection_failed')
  })
})

describe('a late response', () => {
  /** A fetch that listens to no signal, and the moment its response is cancelled. */
  function deafFetch() {
    const asked = Promise.withResolvers<void>()
    const arrives = Promise.withResolvers<Response>()
    const cancelled = Promise.withResolvers<void>()
    const body = new ReadableStream({ cancel: () => cancelled.resolve() })
    return {
      asked: asked.promise,
      cancelled: cancelled.promise,
      arrive: (init?: ResponseInit) => arrives.resolve(new Response(body, init)),
      fetch: () => {
        asked.resolve()
        return arrives.promise
      },
    }
  }

  const sends: [
    string,
    (client: ServiceClient, options: api.RequestOptions) => PromiseLike<unknown>,
  ][] = [
    ['JSON', (client, options) => client.link.listProviders({}, options)],
    ['a download', (client, options) => client.orders.downloadRequisition(orderId, options)],
  ]

  it.each(sends)('after the timeout is cancelled: %s', async (_, send) => {
    const { fetch, arrive, cancelled } = deafFetch()
    const client = new ServiceClient({ ...service, fetch, maxRetries: 0 })
    await failureOf(send(client, { timeout: 10 }), TimeoutError)
    arrive()
    await cancelled
  })

  it.each(sends)('after an abort is cancelled: %s', async (_, send) => {
    const { fetch, arrive, asked, cancelled } = deafFetch()
    const client = new ServiceClient({ ...service, fetch, maxRetries: 0 })
    const controller = new AbortController()
    const call = send(client, { signal: controller.signal })
    await asked
    controller.abort(new Error('left'))
    await expect(call).rejects.toMatchObject({ code: 'aborted', reason: new Error('left') })
    arrive()
    await cancelled
  })

  it.each([
    ['with a length', { headers: { 'content-length': '10' } }],
    ['without a length', {}],
    ['of an error', { status: 500 }],
  ])('is cancelled inside a body %s, also when fetch ignores its signal', async (_, init) => {
    const { fetch, arrive, cancelled } = deafFetch()
    const client = new ServiceClient({ ...service, fetch, maxRetries: 0 })
    arrive(init)
    await failureOf(client.link.listProviders({}, { timeout: 10 }), TimeoutError)
    await cancelled
  })

  it('leaves no socket in use', async () => {
    const asked = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    const server = createServer((_, response) => {
      response.on('close', () => closed.resolve())
      response.writeHead(200, { 'content-type': 'application/pdf' })
      response.write('half')
      asked.resolve()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const isOver = Promise.withResolvers<void>()
    const client = new ServiceClient({
      apiKey: 'key',
      baseUrl: `http://127.0.0.1:${port}`,
      // Such as a wrapper that makes a request of its own and keeps the response for a while.
      fetch: async ({ url }) => {
        const response = await fetch(url)
        await isOver.promise
        return response
      },
      maxRetries: 0,
    })
    const options = { timeout: 50 }
    await failureOf(client.orders.downloadRequisition(orderId, options), TimeoutError)
    await asked.promise
    isOver.resolve()
    await closed.promise
  })
})

describe('a response of a custom fetch that is not a web response', () => {
  const failing = () => {
    throw new TypeError('of a body')
  }
  const bodies: [string, () => unknown][] = [
    ['a Node stream', () => Readable.from(['{}'])],
    ['an object whose cancel throws', () => ({ cancel: failing })],
    ['an object whose cancel returns nothing', () => ({ cancel: () => {} })],
    [
      'a reader whose cancel throws',
      () => ({ getReader: () => ({ read: failing, cancel: failing }) }),
    ],
    ['an object with getters that throw', () => Object.defineProperty({}, 'locked', hidden())],
  ]

  it.each(bodies)('leaves no unhandled rejection: %s', async (_, body) => {
    const fetch = async () => {
      const headers = new Headers()
      return { ok: true, status: 200, headers, body: body() } as unknown as Response
    }
    const client = new ServiceClient({ ...service, fetch, maxRetries: 0 })
    const unhandled = await unhandledAfter(async () => {
      const error = await failureOf(client.request('POST', '/v9'))
      expect(error).toMatchObject({ code: 'connection_failed', outcome: 'unknown' })
    })
    expect(unhandled).toEqual([])
  })

  it('leaves no unhandled rejection when the getter of its body throws', async () => {
    const response = { ok: true, status: 200, headers: new Headers() }
    const fetch = async () => Object.defineProperty(response, 'body', hidden()) as never
    const client = new ServiceClient({ ...service, fetch, maxRetries: 0 })
    const unhandled = await unhandledAfter(
      async () => void (await failureOf(client.link.listProviders())),
    )
    expect(unhandled).toEqual([])
  })
})

describe('possible data is never printed', () => {
  const secret = 'jane@secret.example'

  function observed() {
    const lines: unknown[] = []
    const observe = (...line: unknown[]) => void lines.push(line)
    const hooks = { request: observe, response: observe, retry: observe, drift: observe }
    return { lines, options: { hooks, logger: { debug: observe, warn: observe } } }
  }

  it.each(['x-request-id', 'traceresponse'])('of the response header %s', async (name) => {
    for (const status of [200, 400, 503]) {
      const { lines, options } = observed()
      const fetch = async () => json([], status, { [name]: secret, 'retry-after': '0' })
      const client = new ServiceClient({ ...service, fetch, maxRetries: 1, ...options })
      const error = await Promise.resolve(client.link.listProviders()).catch((reason) => reason)
      expect(inspect([lines, error, JSON.stringify(error)], { depth: 9 })).not.toContain('jane')
    }
  })

  it.each(['req_1_7', '1-5759e988-bd862e3fe1be46a994272793', '00-0af7651916cd43dd-b7ad-01'])(
    'but the request id %s is',
    async (id) => {
      const fetch = async () => json({}, 400, { 'x-request-id': id })
      const client = new ServiceClient({ ...service, fetch })
      expect((await failureOf(client.link.listProviders())).requestId).toBe(id)
    },
  )

  it.each([
    ['/x/{jane}/jane@secret.example', '/x/{jane}/*'],
    ['/v9/user/{user_id}/lab_tests/order-sets', '/v9/user/{user_id}/lab_tests/order-sets'],
    ['/v9/6ba7b810-9dad-11d1-80b4-00c04fd430c8/{id}', '/v9/*/{id}'],
    ['/v9/ffeeddcc-9dad-11d1-80b4-00c04fd430c8/{id}', '/v9/*/{id}'],
    ['/v9/Jane/{id}/4155550100/', '/v9/*/{id}/*/'],
    ['/v9/jane%40secret.example/{id}/req_1_7', '/v9/*/{id}/*'],
    ['/v9/jane.{id}', '/v9/*'],
    ['/v9/{4155550100}/{id}', '/v9/*/{id}'],
  ])('of the path %s', async (path, shown) => {
    const { lines, options } = observed()
    const fetch = async () => json({}, 400)
    const client = new ServiceClient({ ...service, fetch, ...options })
    const params = { jane: 'x', user_id: 'x', id: 'x', '4155550100': 'x' }
    const error = await failureOf(client.request('GET', path, { params }))
    expect(error.route).toBe(`GET ${shown}`)
    if (path !== shown) expect(inspect([lines, error], { depth: 9 })).not.toContain(path)
  })
})

describe('a header that fetch rejects', () => {
  it.each([
    ['transfer-encoding', 'chunked'],
    ['expect', '100-continue'],
    ['keep-alive', 'timeout=5'],
    ['upgrade', 'websocket'],
  ])('has the outcome not-sent: %s', async (name, value) => {
    const server = await scriptedServer(answer(200, { order: { id: orderId } }))
    const options = { apiKey: 'key', baseUrl: server.baseUrl, headers: { [name]: value } }
    const client = new ServiceClient({ ...options, maxRetries: 0 })
    const error = await failureOf(client.orders.create(orderInput))
    expect(error).toMatchObject({ code: 'connection_failed', outcome: 'not-sent' })
    expect(server.requests).toEqual([])
  })
})
