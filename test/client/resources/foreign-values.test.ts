import { inspect } from 'node:util'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  idempotencyKeyOf,
  past,
  query,
  ResponseValidationError,
  ServiceClient,
  ServiceError,
  sum,
} from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { orderInput, userId } from '../../support/samples.ts'

const body = { user_id: userId }

/** A client that counts its requests, without waits between them. */
function start(respond: () => Response, { ServiceClient: Client } = { ServiceClient }) {
  const requests: string[] = []
  const client = new Client({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    fetch: async ({ method, url, headers }) => {
      requests.push(`${method} ${url} ${[...headers.keys()]}`)
      return respond()
    },
    clock: { now: () => 0, sleep: async () => {} },
    exposeDetail: true,
  })
  return { client, requests }
}

function create(client: ServiceClient) {
  return client.request('POST', '/v3/order', { body })
}

describe('fields on Object.prototype', () => {
  const fields: Record<string, unknown> = {}
  afterEach(() => {
    for (const name of Object.keys(fields)) Reflect.deleteProperty(Object.prototype, name)
  })

  function add(name: string, value: unknown) {
    fields[name] = value
    Object.defineProperty(Object.prototype, name, { value, configurable: true })
  }

  it.each([
    ['prefix', 'https://other.test'],
    ['baseUrl', 'https://other.test'],
    ['method', 'DELETE'],
    ['headers', { 'x-added': '1' }],
    ['signal', 'text'],
    ['mode', 'text'],
    ['shape', {}],
    ['limit', 1],
    ['maxRetries', 9],
    ['timeout', 'text'],
    ['startTimer', () => () => {}],
    ['beforeRequest', [() => new Response('{}')]],
    ['onDownloadProgress', 'text'],
    ['query', { added: 1 }],
  ])('sends the same request with %s', async (name, value) => {
    const { client, requests } = start(() => Response.json(body))
    await create(client)
    add(name, value)
    await create(client)
    expect(requests[1]).toBe(requests[0])
  })

  it('sends the same request with a method where a program deleted __proto__', async () => {
    const { client, requests } = start(() => Response.json([]))
    const list = () => client.request('GET', '/v2/providers')
    await list()
    const proto = Object.getOwnPropertyDescriptor(Object.prototype, '__proto__') ?? {}
    Reflect.deleteProperty(Object.prototype, '__proto__')
    onTestFinished(() => void Object.defineProperty(Object.prototype, '__proto__', proto))
    add('method', 'DELETE')
    await list()
    expect(requests[1]).toBe(requests[0])
  })

  it.each([
    ['code', 'ECONNREFUSED'],
    ['syscall', 'connect'],
    ['status', 429],
    ['retryAfter', 0],
    ['neverSent', true],
    ['errors', [{ code: 'ECONNREFUSED' }]],
    ['idempotencyKey', 'key'],
  ])('sends an order once with %s', async (name, value) => {
    const { client, requests } = start(() => {
      throw new TypeError('fetch failed')
    })
    await failureOf(create(client))
    add(name, value)
    const error = await failureOf(create(client))
    expect(error).toMatchObject({ outcome: 'unknown', attempts: [{ code: 'NETWORK' }] })
    expect(requests).toHaveLength(2)
  })

  it.each([
    ['response', new Response('{}')],
    ['received', {}],
    ['options', 'text'],
    ['422', class {}],
  ])('reports a 422 with %s', async (name, value) => {
    const { client } = start(() =>
      Response.json({ detail: [{ loc: ['body', 'a'] }] }, { status: 422 }),
    )
    await failureOf(create(client))
    add(name, value)
    expect(await failureOf(create(client))).toMatchObject({ status: 422, outcome: 'rejected' })
  })

  it('shows the route of a failed call with shownPath', async () => {
    const { client } = start(() => Response.json({}, { status: 404 }))
    add('shownPath', '/other')
    const error = await failureOf(client.link.listProviders())
    expect(error).toMatchObject({ status: 404, route: 'GET /v2/providers' })
  })

  it.each([
    ['userId', userId],
    ['error', 'text'],
    ['query', 'text'],
    ['signal', 'text'],
  ])('queries each user once with %s', async (name, value) => {
    const { client, requests } = start(() =>
      Response.json({ results: [{ table: { index: [''], sum: [1] } }] }),
    )
    const request = {
      timeframe: past(1, 'day', '2025-06-01'),
      queries: [query(sum('activity', 'steps'))],
    }
    add(name, value)
    const progress: unknown[] = []
    const onProgress = (event: unknown) => progress.push(event)
    const results: unknown[] = []
    for await (const result of client.aggregate.queryEach([userId], request, { onProgress })) {
      results.push(result)
      if (results.length > 1) break
    }
    expect(results).toHaveLength(1)
    expect(progress).toEqual([{ succeeded: 1, failed: 0 }])
    expect(requests).toHaveLength(1)
  })

  it.each(['catchall', 'checks', 'pattern', 'value'])(
    'loads its modules at the first call with %s',
    async (name) => {
      vi.resetModules()
      const fresh = await import('../../../src/index.ts')
      add(name, 'text')
      const { client } = start(() => new Response(`{"order":{"id":"${userId}"}}`), fresh)
      await expect(client.orders.create(orderInput)).resolves.toMatchObject({})
      expect(Reflect.get({}, name)).toBe('text')
    },
  )

  it('keeps a value that the program sets while the modules load', async () => {
    vi.resetModules()
    const fresh = await import('../../../src/index.ts')
    add('setting', 'old')
    const { client } = start(() => new Response('[]'), fresh)
    const call = client.link.listProviders()
    add('setting', 'new')
    await call
    expect(Reflect.get({}, 'setting')).toBe('new')
  })

  it('keeps functions on Object.prototype while its modules load', async () => {
    vi.resetModules()
    const fresh = await import('../../../src/index.ts')
    add('extension', () => 1)
    const { client } = start(() => new Response('[]'), fresh)
    const call = client.link.listProviders()
    expect(Object.hasOwn(Object.prototype, 'extension')).toBe(true)
    await expect(call).resolves.toEqual([])
  })

  it('checks responses with a field that zod reads', async () => {
    const { client } = start(() => Response.json({ user_id: userId, sign_in_token: 1 }))
    add('path', 'text')
    const error = await failureOf(client.users.createSignInToken(userId))
    expect(error).toMatchObject({ issues: [{ path: 'response.sign_in_token' }] })
    expect(Reflect.get({}, 'path')).toBe('text')
  })
})

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

describe('JSON of an unusual form', () => {
  it.each([
    ['a loc with objects', '{"detail":[{"loc":["body",{"toString":1}],"type":{"toString":1}}]}'],
    ['a deep loc', `{"detail":[{"loc":["body",${deep}]}]}`],
    ['a deep detail', `{"detail":{"a":${deep}}}`],
    ['a deep body', deep],
  ])('rejects with the status for %s', async (_, text) => {
    const { client, requests } = start(() => new Response(text, { status: 422 }))
    const error = await failureOf(client.users.createSignInToken(userId))
    expect(error).toMatchObject({ name: 'UnprocessableEntityError', outcome: 'rejected' })
    expect(requests).toHaveLength(1)
  })

  it.each([
    [false, 'invalid values in body (invalid); request (missing)'],
    [true, 'body.*: invalid; request: invalid (missing)'],
  ])(
    'names the places of a 422 whose values have no string form, with exposeDetail %s',
    async (exposeDetail, reason) => {
      const unusual = '{"toString":1}'
      const details = [
        `{"loc":["body",${unusual}],"type":${unusual},"msg":${unusual}}`,
        `{"loc":${unusual},"type":"missing"}`,
      ]
      const { client } = start(() => new Response(`{"detail":[${details}]}`, { status: 422 }))
      const error = await failureOf(create(client.withOptions({ exposeDetail })))
      expect(error.message).toContain(`status 422: ${reason}. `)
    },
  )

  it('rejects with the status when an error cannot describe its body', async () => {
    const { client, requests } = start(() => new Response('{"detail":{"a":1}}', { status: 422 }))
    await failureOf(create(client))
    const stringify = vi.spyOn(JSON, 'stringify').mockImplementation(() => {
      throw new RangeError('too deep')
    })
    const error = await failureOf(client.request('DELETE', '/v3/order'))
    stringify.mockRestore()
    expect(error).toMatchObject({ name: 'UnprocessableEntityError', outcome: 'rejected' })
    expect(requests).toHaveLength(2)
  })

  it('rejects a token whose user has no string form', async () => {
    const { client } = start(() => new Response('{"user_id":{"toString":1},"sign_in_token":"a"}'))
    const error = await failureOf(client.users.createSignInToken(userId))
    expect(error).toBeInstanceOf(ResponseValidationError)
    expect(error).toMatchObject({ outcome: 'succeeded' })
  })

  it('counts a recipe as unknown when the ids of a response have no string form', async () => {
    const { client } = start(() => new Response('{"user_ids_imported":[{"toString":1}]}'))
    const recipes = [{ user_id: userId, access_token: 'a', refresh_token: 'b', expires_at: 1 }]
    const options = { validation: 'off' } as const
    const report = await client.link.bulkImportAll('oura', recipes as never, options)
    expect(report).toMatchObject({ unknown: 1, stopped: undefined })
  })
})

it('rejects with an AbortError when the reason is NaN', async () => {
  const controller = new AbortController()
  const { client } = start(() => {
    controller.abort(Number.NaN)
    return Response.json({})
  })
  const call = client.request('GET', '/v2/user', { signal: controller.signal })
  expect(await failureOf(call)).toMatchObject({ name: 'AbortError', reason: Number.NaN })
})

it('creates errors while Error.prototype cannot be changed', async () => {
  const name = Object.getOwnPropertyDescriptor(Error.prototype, 'name') ?? {}
  Object.defineProperty(Error.prototype, 'name', { ...name, writable: false })
  try {
    const { client } = start(() => Response.json({}, { status: 404 }))
    expect(await failureOf(create(client))).toMatchObject({ name: 'NotFoundError' })
  } finally {
    Object.defineProperty(Error.prototype, 'name', name)
  }
})

it('prints an error whose stack is not a string', async () => {
  const { client } = start(() => Response.json({}, { status: 404 }))
  const error = await failureOf(create(client))
  Object.defineProperty(error, 'stack', { value: [] })
  expect(inspect(error)).toContain('NotFoundError: request failed with status 404')
})

it('rejects with a ServiceError when fetch throws a proxy that cannot be read', async () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  const { client, requests } = start(() => {
    throw proxy
  })
  const error = await failureOf(create(client))
  expect(error).toBeInstanceOf(ServiceError)
  expect(error).toMatchObject({ outcome: 'unknown' })
  expect(requests).toHaveLength(1)
})

describe('a page without its list', () => {
  it.each(['report', 'off'] as const)(
    'rejects an iteration with validation: %s',
    async (validation) => {
      const { client } = start(() => Response.json({ markers: null, total: 5 }))
      const options = { validation }
      const page = await client.labTests.listMarkers({}, options)
      expect(page).toMatchObject({ markers: null })
      const walk = client.labTests.listMarkers({}, options).toArray({ limit: 5 })
      const error = await failureOf(walk)
      expect(error).toBeInstanceOf(ResponseValidationError)
      expect(error).toMatchObject({ outcome: 'succeeded', issues: [{ path: 'response' }] })
      expect(await failureOf(page.nextPage())).toBeInstanceOf(ResponseValidationError)
    },
  )
})

it.each(['\ud800', '\udfff', 'a\udc00b'])('makes no key from half of a surrogate pair', (id) => {
  expect(() => idempotencyKeyOf(id)).toThrow(TypeError)
  expect(idempotencyKeyOf('\ud83d\ude00')).toBe('order-%F0%9F%98%80')
})

it('rejects half of a surrogate pair in a query', async () => {
  const { client, requests } = start(() => Response.json({}))
  const error = await failureOf(client.request('DELETE', '/v2/user', { query: { id: '\ud800' } }))
  expect(error).toMatchObject({ name: 'RequestValidationError', issues: [{ path: 'query.*' }] })
  expect(requests).toHaveLength(0)
})

it('calls no toJSON that others added in a walk or for a message', async () => {
  Object.defineProperty(Object.prototype, 'toJSON', { configurable: true, value: () => 'other' })
  onTestFinished(() => void Reflect.deleteProperty(Object.prototype, 'toJSON'))
  const options = {
    apiKey: 'key',
    baseUrl: 'https://service.test',
    maxRetries: 0,
    exposeDetail: true,
  }
  const pageOf = (id: number) =>
    `{"markers":[{"id":${id},"name":"m","slug":"m","expected_results":[]}],"total":2,"page":${id},"size":1,"pages":2}`
  const walking = new ServiceClient({
    ...options,
    fetch: async ({ url }: Request) => new Response(pageOf(url.includes('page=2') ? 2 : 1)),
  })
  const ids: number[] = []
  for await (const { id } of walking.labTests.listMarkers({ size: 1 })) ids.push(id)
  const rejected = new ServiceClient({
    ...options,
    fetch: async () => new Response('{"detail":{"reason":"closed"}}', { status: 400 }),
  })
  const error = await rejected.link.listProviders().catch((cause: unknown) => cause)
  // The assertions write JSON too.
  Reflect.deleteProperty(Object.prototype, 'toJSON')
  expect(ids).toEqual([1, 2])
  expect(String(Object(error).message)).toContain('{"reason":"closed"}')
})
