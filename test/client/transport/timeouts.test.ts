import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type ClientOptions, ServiceClient, TimeoutError } from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { insuranceInput, orderId, recipe, userId } from '../../support/samples.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A client of a service that never responds; it notes when each attempt began and was given up. */
function silentService(options: ClientOptions = {}) {
  const attempts: { begun: number; ended?: number }[] = []
  const begun: (() => void)[] = []
  const fetch = (request: Request) => {
    const attempt: { begun: number; ended?: number } = { begun: performance.now() }
    attempts.push(attempt)
    begun.shift()?.()
    return new Promise<Response>((_, reject) => {
      request.signal.addEventListener('abort', () => {
        attempt.ended = performance.now()
        reject(request.signal.reason)
      })
    })
  }
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    fetch,
    maxRetries: 0,
    ...options,
  })
  return { client, attempts, next: () => new Promise<void>((resolve) => begun.push(resolve)) }
}

const booking = { booking_key: 'key' }
const asynchronous = { ...booking, async_confirmation: true }
const connections = [recipe]

it.each<[string, number, (client: ServiceClient) => PromiseLike<unknown>, ClientOptions?]>([
  ['a read', 30_000, (client) => client.link.listProviders()],
  ['a non-idempotent call', 30_000, (client) => client.insurance.create(userId, insuranceInput)],
  [
    'a synchronous booking, which the service may keep waiting',
    270_000,
    (client) => client.orders.bookPhlebotomyAppointment(orderId, booking),
  ],
  [
    'an asynchronous booking',
    32_500,
    (client) => client.orders.bookPhlebotomyAppointment(orderId, asynchronous),
  ],
  [
    'an asynchronous booking that waits for 10 seconds',
    40_000,
    (client) =>
      client.orders.bookPhlebotomyAppointment(orderId, {
        ...asynchronous,
        sync_confirmation_timeout_millisecond: 10_000,
      }),
  ],
  ['a bulk import', 30_000, (client) => client.link.bulkImport({ provider: 'oura', connections })],
  [
    'a waiting bulk import',
    50_000,
    (client) =>
      client.link.bulkImport({ provider: 'oura', connections, wait_for_completion: true }),
  ],
  [
    'a batch of a waiting bulk import',
    50_000,
    (client) =>
      client.link
        .bulkImportAll('oura', connections, { waitForCompletion: true })
        .then(({ failures }) => Promise.reject(failures[0]?.error)),
  ],
  [
    'a synchronous booking of a client with its own timeout',
    245_000,
    (client) => client.orders.bookPhlebotomyAppointment(orderId, booking),
    { timeout: 5000 },
  ],
  [
    'a synchronous booking with its own timeout',
    5000,
    (client) => client.orders.bookPhlebotomyAppointment(orderId, booking, { timeout: 5000 }),
  ],
  [
    'a synchronous booking with its own deadline',
    7000,
    (client) => client.orders.bookPhlebotomyAppointment(orderId, booking, { deadline: 7000 }),
  ],
])('gives %s %i ms', async (_, milliseconds, run, options) => {
  const { client, attempts, next } = silentService(options)
  const sent = next()
  const failure = failureOf(run(client), TimeoutError)
  await sent
  await vi.advanceTimersByTimeAsync(milliseconds - 1)
  expect(attempts[0]).not.toHaveProperty('ended')
  await vi.advanceTimersByTimeAsync(1)
  expect(attempts[0]).toHaveProperty('ended')
  expect((await failure).message).toMatch(/within the (?:timeout|deadline) \(\d+ ms\)/)
})

it('ends the whole call at the deadline of 90 seconds: attempts and waits', async () => {
  const { client, attempts, next } = silentService({ maxRetries: 5 })
  // The process runs for an hour already.
  await vi.advanceTimersByTimeAsync(3_600_000)
  const sent = next()
  const failure = failureOf(client.link.listProviders(), TimeoutError)
  await sent
  await vi.advanceTimersByTimeAsync(90_000)
  const error = await failure
  expect(error.message).toContain('deadline (90000 ms)')
  expect(error.attempts).toMatchObject([
    { code: 'TIMEOUT', delay: 0, duration: 30_000 },
    { code: 'TIMEOUT', delay: 250, duration: 30_000 },
    { code: 'TIMEOUT', delay: 500, duration: 29_250 },
  ])
  expect(attempts).toHaveLength(3)
})

it("accepts the maximum timeout plus the service's own wait", async () => {
  const greatest = 2 ** 31 - 1
  const { client, attempts, next } = silentService({ timeout: greatest, deadline: greatest })
  const sent = next()
  const failure = failureOf(client.orders.bookPhlebotomyAppointment(orderId, booking))
  await sent
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(attempts[0]).not.toHaveProperty('ended')
  await vi.advanceTimersByTimeAsync(greatest)
  await failure
})

it('covers the key function, and reports a delayed request as not sent', async () => {
  const asked = Promise.withResolvers<void>()
  const { client, attempts } = silentService({
    apiKey: () => {
      asked.resolve()
      return new Promise<string>(() => {})
    },
  })
  const failure = failureOf(client.insurance.create(userId, insuranceInput), TimeoutError)
  await asked.promise
  await vi.advanceTimersByTimeAsync(30_000)
  await expect(failure).resolves.toMatchObject({ outcome: 'not-sent' })
  expect(attempts).toHaveLength(0)
})

it('sends nothing when the key arrives after the timeout', async () => {
  const asked = Promise.withResolvers<void>()
  const key = Promise.withResolvers<string>()
  const { client, attempts } = silentService({
    apiKey: () => {
      asked.resolve()
      return key.promise
    },
  })
  const failure = failureOf(client.insurance.create(userId, insuranceInput), TimeoutError)
  await asked.promise
  await vi.advanceTimersByTimeAsync(30_000)
  await failure
  key.resolve('late')
  await new Promise(setImmediate)
  expect(attempts).toHaveLength(0)
})

it.each([{}, { maxConcurrency: 1 }])('leaves no timer (%j)', async (options) => {
  const { client, next } = silentService(options)
  const sent = next()
  const failure = failureOf(client.link.listProviders())
  await sent
  await vi.advanceTimersByTimeAsync(30_000)
  await failure
  expect(vi.getTimerCount()).toBe(0)
})

it.each([
  [{ timeout: 5000 }, 'timeout (5000 ms)'],
  [{ timeout: 5000, deadline: 5000 }, 'timeout (5000 ms)'],
  [{ timeout: 5000, deadline: 4000 }, 'deadline (4000 ms)'],
])('says which of %j was exceeded', async (options, expected) => {
  const { client, next } = silentService(options)
  const sent = next()
  const failure = failureOf(client.link.listProviders(), TimeoutError)
  await sent
  await vi.advanceTimersByTimeAsync(5000)
  expect((await failure).message).toContain(`within the ${expected}`)
})

it('leaves no timer when it is aborted while it waits for a retry', async () => {
  const controller = new AbortController()
  const waiting = Promise.withResolvers<void>()
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    fetch: async () => new Response('', { status: 503 }),
    hooks: { retry: () => waiting.resolve() },
  })
  const call = client.link.listProviders({}, { signal: controller.signal })
  const failed = expect(call).rejects.toMatchObject({ code: 'aborted', reason: new Error('left') })
  await waiting.promise
  await vi.advanceTimersByTimeAsync(1)
  controller.abort(new Error('left'))
  await failed
  expect(vi.getTimerCount()).toBe(0)
})

it('aborts the request that was given to fetch when its caller aborts', async () => {
  const controller = new AbortController()
  const { client, attempts, next } = silentService()
  const sent = next()
  const call = client.link.listProviders({}, { signal: controller.signal })
  const failed = expect(call).rejects.toMatchObject({ code: 'aborted', reason: new Error('left') })
  await sent
  controller.abort(new Error('left'))
  await failed
  expect(attempts[0]).toHaveProperty('ended')
})
