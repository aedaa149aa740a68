import { expect, it } from 'vitest'
import {
  AbortError,
  type ClientOptions,
  type Hooks,
  type Logger,
  type Outcome,
  ServiceClient,
} from '../../src/index.ts'
import { failureOf } from '../support/failure.ts'
import { orderId, userId, userInfo } from '../support/samples.ts'
import { json } from '../support/stub-fetch.ts'

/** A client whose hooks and logger write down what they are told. */
function watched(fetch: NonNullable<ClientOptions['fetch']>, options: ClientOptions = {}) {
  const told: [string, object][] = []
  const tell = (name: string) => (event: object) => void told.push([name, event])
  const hooks: Hooks = {
    request: tell('request'),
    response: tell('response'),
    retry: tell('retry'),
    end: tell('end'),
  }
  const log = (message: string, fields: object) =>
    void told.push([message.replace(/\d+ ms/g, '_ ms'), fields])
  const logger: Logger = { debug: log, info: log, warn: log, error: log }
  const baseUrl = 'https://service.test'
  const client = new ServiceClient({ apiKey: 'key', baseUrl, fetch, hooks, logger, ...options })
  return { client, told }
}

const call = { operation: 'users.updateInfo', route: 'PATCH /v2/user/{user_id}/info' }
const duration = expect.any(Number)

it('reports every attempt, its end and the wait for the next one', async () => {
  const responses = [
    () => json({}, 503, { 'retry-after': '0', 'x-request-id': 'req-1' }),
    () => {
      throw Object.assign(new Error('reset'), { code: 'ECONNRESET' })
    },
    () => json(userInfo, 200, { 'x-request-id': 'req-3' }),
  ]
  const { client, told } = watched(async () => responses.shift()?.() ?? json({}))
  await client.users.updateInfo(userId, userInfo)
  const first = {
    ...call,
    attempt: 1,
    status: 503,
    outcome: 'rejected',
    duration,
    requestId: 'req-1',
  }
  const second = { ...call, attempt: 2, code: 'ECONNRESET', outcome: 'unknown', duration }
  const third = {
    ...call,
    attempt: 3,
    status: 200,
    outcome: 'succeeded',
    duration,
    requestId: 'req-3',
  }
  expect(told).toEqual([
    ['request', { ...call, attempt: 1 }],
    ['response', first],
    ['users.updateInfo: attempt 1 ended with status 503 after _ ms (request req-1)', first],
    ['retry', { ...call, attempt: 1, delay: 0 }],
    [
      'users.updateInfo: attempt 1 ended with status 503 after _ ms, retrying in _ ms',
      { ...call, attempt: 1, delay: 0, status: 503, duration },
    ],
    ['request', { ...call, attempt: 2 }],
    ['response', second],
    ['users.updateInfo: attempt 2 ended with ECONNRESET after _ ms', second],
    ['retry', { ...call, attempt: 2, delay: duration }],
    [
      'users.updateInfo: attempt 2 ended with ECONNRESET after _ ms, retrying in _ ms',
      { ...call, attempt: 2, delay: duration, code: 'ECONNRESET', duration },
    ],
    ['request', { ...call, attempt: 3 }],
    ['response', third],
    ['users.updateInfo: attempt 3 ended with status 200 after _ ms (request req-3)', third],
    ['end', { ...call, attempts: 3, outcome: 'succeeded', duration }],
  ])
})

it.each<[string, string, Outcome, ClientOptions]>([
  ['the key function fails', 'NO_KEY', 'not-sent', { apiKey: () => '' }],
  ['it times out', 'TIMEOUT', 'unknown', { timeout: 20 }],
])('reports the end of an attempt when %s', async (_, code, outcome, options) => {
  const { client, told } = watched(() => new Promise(() => {}), { maxRetries: 0, ...options })
  await failureOf(client.users.updateInfo(userId, userInfo))
  expect(told.slice(0, 2)).toEqual([
    ['request', { ...call, attempt: 1 }],
    ['response', { ...call, attempt: 1, code, outcome, duration }],
  ])
})

it('reports the outcome of an attempt whose response is too large', async () => {
  const headers = { 'content-length': String(2 ** 40) }
  const { client, told } = watched(async () => new Response('[]', { headers }))
  await failureOf(client.users.updateInfo(userId, userInfo))
  expect(told[1]).toEqual([
    'response',
    { ...call, attempt: 1, status: 200, code: 'BODY_TOO_LARGE', outcome: 'unknown', duration },
  ])
})

it('reports the outcome of an attempt that the caller aborted', async () => {
  const controller = new AbortController()
  const { client, told } = watched(() => {
    controller.abort(new Error('left'))
    return new Promise(() => {})
  })
  const { signal } = controller
  const error = await failureOf(client.users.updateInfo(userId, userInfo, { signal }), AbortError)
  expect(error).toMatchObject({ outcome: 'unknown', reason: new Error('left') })
  expect(told[1]).toEqual([
    'response',
    { ...call, attempt: 1, code: 'ABORTED', outcome: 'unknown', duration },
  ])
})

it.each<[string, object, () => Promise<Response>, ClientOptions, AbortSignal?]>([
  ['succeeds', { outcome: 'succeeded', attempts: 1 }, async () => json(userInfo), {}],
  [
    'fails after a retry',
    { outcome: 'unknown', attempts: 2, code: 'internal_server_error' },
    async () => json({}, 500, { 'retry-after': '0' }),
    { maxRetries: 1 },
  ],
  [
    'gets an invalid response',
    { outcome: 'succeeded', attempts: 1, code: 'response_invalid' },
    async () => json([]),
    {},
  ],
  [
    'is not sent',
    { outcome: 'not-sent', attempts: 0, code: 'aborted' },
    async () => json({}),
    {},
    AbortSignal.abort(),
  ],
])('reports the end of a call that %s', async (_, expected, fetch, options, signal) => {
  const ends: object[] = []
  const { client } = watched(fetch, { ...options, hooks: { end: (event) => ends.push(event) } })
  await client.users.updateInfo(userId, userInfo, { signal }).catch(() => {})
  expect(ends).toEqual([{ ...call, ...expected, duration }])
})

it('reports a call as succeeded whose response you read yourself', async () => {
  const ends: object[] = []
  const { client } = watched(async () => json(userInfo), {
    hooks: { end: (event) => ends.push(event) },
  })
  await client.users.updateInfo(userId, userInfo).asResponse()
  expect(ends).toEqual([{ ...call, attempts: 1, outcome: 'succeeded', duration }])
})

it('reports nothing about a call that was not sent', async () => {
  const { client, told } = watched(async () => json({}))
  await failureOf(client.users.createSignInToken('nobody'))
  expect(told).toEqual([])
})

const reason = new Error('the patient left')

it.each<[string, (abort: () => void) => ClientOptions]>([
  [
    'a fetch that does not listen to it',
    (abort) => ({
      fetch: () => {
        abort()
        return new Promise(() => {})
      },
    }),
  ],
  [
    'a body that does not listen to it',
    (abort) => ({
      fetch: async () =>
        new Response(
          new ReadableStream({
            pull: () => {
              abort()
              return new Promise(() => {})
            },
          }),
        ),
    }),
  ],
  [
    'a key function that is slow',
    (abort) => ({
      apiKey: () => {
        abort()
        return new Promise(() => {})
      },
    }),
  ],
])('ends an aborted call despite %s', async (_, optionsOf) => {
  const controller = new AbortController()
  const options = optionsOf(() => controller.abort(reason))
  const { client, told } = watched(async () => json({}), options)
  const booking = client.orders.bookPhlebotomyAppointment(
    orderId,
    { booking_key: 'key' },
    { signal: controller.signal },
  )
  expect(await failureOf(booking, AbortError)).toMatchObject({ reason })
  expect(told[1]).toMatchObject(['response', { attempt: 1, code: 'ABORTED' }])
})

it.each([null, 0, 'enough', undefined])(
  'rejects with the very reason of an abort: %s',
  async (why) => {
    const controller = new AbortController()
    const { client } = watched(() => {
      controller.abort(why)
      return new Promise(() => {})
    })
    const failed = await client.link
      .listProviders({}, { signal: controller.signal })
      .catch((rejected) => ({ rejected }))
    expect(failed).toMatchObject({ rejected: { code: 'aborted' } })
    expect((failed as { rejected: AbortError }).rejected.reason).toBe(controller.signal.reason)
  },
)
