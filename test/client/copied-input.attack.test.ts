import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type * as api from '../../src/index.ts'
import { type ClientOptions, RequestValidationError, ServiceClient } from '../../src/index.ts'
import { failureOf } from '../support/failure.ts'
import { labTestId, marker, orderInput, userId, userInfo } from '../support/samples.ts'
import { json, stubFetch } from '../support/stub-fetch.ts'
import { clientWith, hidden, nested, order, service, timeframe } from './attacked-client.ts'

function endlessJson(): object {
  return { toJSON: () => endlessJson() }
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
