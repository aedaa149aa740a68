import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  RequestValidationError,
  ResponseValidationError,
  ServiceClient,
  ServiceError,
  TimeoutError,
  UnprocessableEntityError,
} from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { insuranceInput, userId, userInfo } from '../../support/samples.ts'
import { json } from '../../support/stub-fetch.ts'
import { unhandledAfter } from '../../support/unhandled.ts'

function clientOf(respond: () => Response | Promise<Response>, client = ServiceClient) {
  return new client({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    fetch: async () => respond(),
    maxRetries: 0,
  })
}

const kinds = [
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  RequestValidationError,
  ResponseValidationError,
  ServiceError,
  TimeoutError,
  UnprocessableEntityError,
]

describe('each status has its class, code and outcome', () => {
  it.each([
    [400, BadRequestError, 'bad_request', 'rejected'],
    [401, AuthenticationError, 'authentication_failed', 'rejected'],
    [403, PermissionDeniedError, 'permission_denied', 'rejected'],
    [404, NotFoundError, 'not_found', 'rejected'],
    [408, ApiError, 'api_error', 'unknown'],
    [409, ConflictError, 'conflict', 'rejected'],
    [418, ApiError, 'api_error', 'rejected'],
    [422, UnprocessableEntityError, 'unprocessable_entity', 'rejected'],
    [429, RateLimitError, 'rate_limited', 'rejected'],
    [500, InternalServerError, 'internal_server_error', 'unknown'],
    [503, InternalServerError, 'internal_server_error', 'unknown'],
    [599, InternalServerError, 'internal_server_error', 'unknown'],
    [302, ApiError, 'api_error', 'unknown'],
    [304, ApiError, 'api_error', 'unknown'],
  ])('%i', async (status, Kind, code, outcome) => {
    const body = status === 304 ? null : '{"detail":"why"}'
    const client = clientOf(() => new Response(body, { status }))
    const error = await failureOf(client.link.deleteConnection(userId, 'oura'), ApiError)
    const name = Object.hasOwn(Kind, 'kind') ? Kind.kind : ''
    expect(error).toMatchObject({ name, code, status, outcome, operation: 'link.deleteConnection' })
    expect(error.message.includes('the service rejected the request')).toBe(status === 400)
    expect(error.detail).toBe(body === null ? undefined : 'why')
    const matching = kinds.filter((candidate) => error instanceof candidate)
    expect(new Set(matching)).toEqual(new Set([Kind, ApiError, ServiceError]))
  })
})

it.each([
  ['an object', '{"detail":{"a":1}}', { detail: { a: 1 } }, { a: 1 }],
  ['an array', '[1]', [1], undefined],
  ['text', 'Internal Server Error', 'Internal Server Error', undefined],
  ['HTML', '<html>', '<html>', undefined],
  ['nothing', '', undefined, undefined],
  ['null', 'null', null, undefined],
])('accepts a body that is %s', async (_, text, body, detail) => {
  const error = await failureOf(
    clientOf(() => new Response(text, { status: 500 })).link.listProviders(),
    InternalServerError,
  )
  expect(error.body).toEqual(body)
  expect(error.detail).toEqual(detail)
})

it('is plain JSON that is safe to log', async () => {
  const headers = { 'x-request-id': 'req-1', 'retry-after': '3600' }
  const client = clientOf(() => json({ detail: 'slow down' }, 429, headers))
  const error = await failureOf(client.users.updateInfo('user', userInfo), RateLimitError)
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'RateLimitError',
    code: 'rate_limited',
    message: error.message,
    operation: 'users.updateInfo',
    route: 'PATCH /v2/user/{user_id}/info',
    outcome: 'rejected',
    attempts: [{ status: 429, delay: 0, duration: expect.any(Number) }],
    requestId: 'req-1',
    status: 429,
    retryAt: error.retryAt?.toISOString(),
  })
  expect(error.headers.get('retry-after')).toBe('3600')
  expect(error.stack).toContain(
    'RateLimitError: users.updateInfo failed with status 429: too many requests.',
  )
})

it.each([
  ['x-request-id', 'req-1', 'req-1'],
  ['traceresponse', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', undefined],
  ['x-request-id', 'an id with spaces', ''],
])('reads the request id from %s', async (name, value, expected = value) => {
  const client = clientOf(() => json({}, 500, { [name]: value }))
  const error = await failureOf(client.link.listProviders())
  expect(error.requestId ?? '').toBe(expected)
})

it('keeps the request id of a response whose body was cut', async () => {
  const body = () =>
    new ReadableStream({
      pull: (controller) => controller.error(new TypeError('terminated')),
    })
  const client = clientOf(() => new Response(body(), { headers: { 'x-request-id': 'req-1' } }))
  const error = await failureOf(client.link.listProviders(), ConnectionError)
  expect(error).toMatchObject({ requestId: 'req-1', attempts: [{ status: 200, code: 'NETWORK' }] })
})

it('describes the earlier attempts when the key function fails before a retry', async () => {
  const keys = ['key']
  const client = new ServiceClient({
    apiKey: () => keys.shift() ?? '',
    baseUrl: 'https://service.test',
    fetch: async () => new Response('', { status: 503, headers: { 'retry-after': '0' } }),
  })
  const error = await failureOf(client.link.listProviders(), RequestValidationError)
  expect(error.attempts).toMatchObject([{ status: 503 }, { code: 'NO_KEY' }])
  expect(error.outcome).toBe('rejected')
  expect(error.message).toContain('was not retried: apiKey: ')
  expect(error.message).toContain(
    'expected a function that returns the API key in visible ASCII characters. (GET /v2/providers, 2 attempts: 503, NO_KEY)',
  )
})

it.each([
  ['60', 60_000],
  ['0', 0],
  ['Sun, 01 Jun 2025 09:02:00 GMT', 120_000],
  [undefined, undefined],
  ['soon', undefined],
  ['9'.repeat(20), undefined],
])('converts Retry-After %s to a date', async (header, milliseconds) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2025-06-01T09:00:00Z') })
  const headers: Record<string, string> = header === undefined ? {} : { 'retry-after': header }
  const client = clientOf(() => json({}, 429, headers))
  const error = await failureOf(client.link.listProviders(), RateLimitError)
  const expected = milliseconds === undefined ? undefined : new Date(Date.now() + milliseconds)
  expect(error.retryAt).toEqual(expected)
  vi.useRealTimers()
})

it('prints the paths of a 422, and no details of other statuses', async () => {
  const body = { detail: [{ loc: ['body', 'first_name'], type: 'missing' }] }
  const rejected = await failureOf(
    clientOf(() => json(body, 422)).users.updateInfo('user', userInfo),
    UnprocessableEntityError,
  )
  expect(rejected.message).toContain(
    'failed with status 422: invalid values in body.first_name (missing). ',
  )
  const bad = await failureOf(
    clientOf(() => json(body, 400)).users.updateInfo('user', userInfo),
    BadRequestError,
  )
  expect(bad.message).toContain('failed with status 400: the service rejected the request. ')
})

it('keeps only the code of an error of the key function', async () => {
  const client = new ServiceClient({
    apiKey: () => {
      throw Object.assign(new Error('the vault says sk_live_1'), { code: 'ECONNREFUSED' })
    },
    baseUrl: 'https://service.test',
  })
  const error = await failureOf(client.link.listProviders(), RequestValidationError)
  expect(error.cause).toMatchObject({ message: 'Error ECONNREFUSED', code: 'ECONNREFUSED' })
  const empty = new ServiceClient({ apiKey: () => '', baseUrl: 'https://service.test' })
  expect(await failureOf(empty.link.listProviders())).not.toHaveProperty('cause')
})

it('lists the known facts of each attempt', async () => {
  const responses = [
    () => json({}, 503, { 'retry-after': '0', 'x-request-id': 'req-1' }),
    () => {
      throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
    },
  ]
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    fetch: async () => (responses.shift() as () => Response)(),
    maxRetries: 1,
  })
  const error = await failureOf(client.link.listProviders(), ConnectionError)
  expect(error.attempts.map((attempt) => Object.keys(attempt))).toEqual([
    ['duration', 'delay', 'status'],
    ['duration', 'delay', 'code'],
  ])
  // The id of the last response, for questions to the service's support team.
  expect(error.requestId).toBe('req-1')
})

it('is the error of its status even if its body is cut', async () => {
  const cut = new ReadableStream({
    pull: (controller) => controller.error(new TypeError('terminated')),
  })
  const client = clientOf(() => new Response(cut, { status: 404 }))
  const error = await failureOf(client.link.listProviders(), NotFoundError)
  expect(error).toMatchObject({ status: 404, body: undefined, outcome: 'rejected' })
})

it('is a timeout when the body of an error never ends', async () => {
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    fetch: async ({ signal }) => {
      const start = (controller: ReadableStreamDefaultController) =>
        signal.addEventListener('abort', () => controller.error(signal.reason))
      return new Response(new ReadableStream({ start }), { status: 404 })
    },
    maxRetries: 0,
    timeout: 20,
  })
  const error = await failureOf(client.link.listProviders(), TimeoutError)
  expect(error).toMatchObject({ outcome: 'unknown', attempts: [{ status: 404, code: 'TIMEOUT' }] })
})

describe('instanceof', () => {
  afterEach(() => vi.resetModules())

  it('holds between two copies of the package', async () => {
    vi.resetModules()
    const other = await import('../../../src/index.ts')
    expect(other.NotFoundError).not.toBe(NotFoundError)
    const client = clientOf(() => json({}, 404), other.ServiceClient as typeof ServiceClient)
    const error: unknown = await client.link.listProviders().catch((reason) => reason)
    expect(error).toBeInstanceOf(NotFoundError)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toBeInstanceOf(other.NotFoundError)
    expect(error).not.toBeInstanceOf(BadRequestError)
    expect(error).not.toBeInstanceOf(other.TimeoutError)
  })

  it('matches a custom subclass with itself and its base classes only', async () => {
    class UserMissing extends NotFoundError {}
    const error = await failureOf(clientOf(() => json({}, 404)).link.listProviders(), NotFoundError)
    const respond = {
      status: 404,
      headers: new Headers(),
      body: {},
      details: [],
      retryAt: undefined,
    }
    const mine = new UserMissing(respond, { ...error })
    expect(mine).toBeInstanceOf(UserMissing)
    expect(mine).toBeInstanceOf(NotFoundError)
    expect(mine).toBeInstanceOf(ServiceError)
    expect(error).not.toBeInstanceOf(UserMissing)
  })

  it.each([undefined, null, 'NotFoundError', {}, new Error('other'), { name: 'NotFoundError' }])(
    'does not match %s',
    (value) => {
      expect(value instanceof NotFoundError).toBe(false)
      expect(value instanceof ServiceError).toBe(false)
    },
  )
})

describe('a rejection', () => {
  const failing = clientOf(() => json({}, 404))

  it.each<[string, (client: ServiceClient) => unknown]>([
    ['awaited', (client) => client.link.listProviders().catch(() => {})],
    [
      'awaited withResponse',
      (client) =>
        client.link
          .listProviders()
          .withResponse()
          .catch(() => {}),
    ],
    [
      'awaited twice',
      async (client) => {
        const call = client.link.listProviders()
        await call.catch(() => {})
        await call.withResponse().catch(() => {})
      },
    ],
    [
      'iterated',
      async (client) => {
        try {
          for await (const _ of client.labTests.listMarkers());
        } catch {
          // Expected.
        }
      },
    ],
    [
      'of a bulk import, awaited',
      (client) => client.link.bulkImport({ provider: 'oura', connections: [] }).catch(() => {}),
    ],
  ])('is handled when the call is %s', async (_, act) => {
    await expect(unhandledAfter(() => act(failing))).resolves.toEqual([])
  })

  it.each<[string, (client: ServiceClient) => unknown]>([
    ['a call', (client) => void client.link.listProviders()],
    ['a listing', (client) => void client.labTests.listMarkers()],
    ['a download', (client) => void client.orders.downloadRequisition(userId)],
    ['a bulk import', (client) => void client.link.bulkImport({ provider: 'o', connections: [] })],
    ['finally', (client) => void client.link.listProviders().finally(() => {})],
  ])('is reported once when %s is not awaited', async (_, act) => {
    const unhandled = await unhandledAfter(() => act(failing))
    expect(unhandled).toHaveLength(1)
    expect(unhandled[0]).toBeInstanceOf(NotFoundError)
  })
})

it('mentions CORS when fetch fails without a code in an environment like a browser', async () => {
  vi.stubGlobal('window', {})
  vi.stubGlobal('document', {})
  onTestFinished(() => void vi.unstubAllGlobals())
  const fail = (error: Error) =>
    new ServiceClient({
      ...{ apiKey: 'key', baseUrl: 'https://service.test', maxRetries: 0 },
      dangerouslyAllowBrowser: true,
      fetch: () => Promise.reject(error),
    }).link.listProviders()
  await expect(fail(new TypeError('Failed to fetch'))).rejects.toThrow(
    'must allow your origin (CORS)',
  )
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  await expect(fail(refused)).rejects.not.toThrow('CORS')
})

it('says that redirects are not followed when a browser hides the status of one', async () => {
  const hidden = Object.defineProperty(new Response(null), 'status', { value: 0 })
  const call = clientOf(() => hidden).insurance.create(userId, insuranceInput)
  const error = await failureOf(call, ApiError)
  expect(error.message).toContain('redirects are not followed')
  expect(error).toMatchObject({ status: 0, outcome: 'unknown' })
})
