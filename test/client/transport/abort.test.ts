import { inspect } from 'node:util'
import { expect, expectTypeOf, it, vi } from 'vitest'
import {
  AbortError,
  type ClientOptions,
  NotFoundError,
  type Outcome,
  ServiceClient,
  ServiceError,
} from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { orderId } from '../../support/samples.ts'
import { json } from '../../support/stub-fetch.ts'

const secret = 'Jane Doe left'

/** Books an appointment whose signal aborts with a reason when the function says so. */
async function abortedBooking(
  optionsOf: (abort: () => void) => ClientOptions,
  isAborted = false,
): Promise<AbortError> {
  const controller = new AbortController()
  const abort = () => controller.abort(new Error(secret))
  if (isAborted) abort()
  const options = { apiKey: 'key', baseUrl: 'https://service.test', ...optionsOf(abort) }
  const { signal } = controller
  const booking = { booking_key: 'key' }
  const { orders } = new ServiceClient(options)
  return failureOf(orders.bookPhlebotomyAppointment(orderId, booking, { signal }), AbortError)
}

const never = () => new Promise<never>(() => {})

it.each<[string, Outcome, (abort: () => void) => ClientOptions]>([
  [
    'while the key function runs',
    'not-sent',
    (abort) => ({
      apiKey: () => {
        abort()
        return never()
      },
    }),
  ],
  [
    'while the request is sent',
    'unknown',
    (abort) => ({
      fetch: () => {
        abort()
        return never()
      },
    }),
  ],
  [
    'while it waits for a retry',
    'rejected',
    (abort) => ({
      fetch: async () => json({}, 429, { 'retry-after': '60' }),
      hooks: { retry: abort },
    }),
  ],
])('knows the outcome of a booking that is aborted %s', async (_, outcome, optionsOf) => {
  const error = await abortedBooking(optionsOf)
  expect(error).toMatchObject({ code: 'aborted', name: 'AbortError', outcome })
  expect(error.reason).toEqual(new Error(secret))
})

it('sends nothing when its signal is aborted already', async () => {
  const fetch = () => {
    throw new Error('sent')
  }
  const error = await abortedBooking(() => ({ fetch }), true)
  expect(error).toMatchObject({ outcome: 'not-sent', attempts: [] })
  expect(error.message).toContain('orders.bookPhlebotomyAppointment was aborted.')
})

it('prints no reason, and the line of the caller', async () => {
  const error = await abortedBooking(() => ({ fetch: never }), true)
  const printed = [inspect(error), JSON.stringify(error), error.stack, error.message].join()
  expect(printed).not.toContain('Jane')
  expect(error.stack).toContain('abort.test.ts')
})

it('is an error of the client', () => {
  expectTypeOf<AbortError>().toExtend<ServiceError>()
  expectTypeOf<AbortError['code']>().toEqualTypeOf<'aborted'>()
  expect(Object.getPrototypeOf(AbortError)).toBe(ServiceError)
})

it('cancels the body of a response that arrives after the abort', async () => {
  const late = Promise.withResolvers<Response>()
  const cancelled = vi.fn()
  const error = await abortedBooking((abort) => ({
    fetch: () => {
      abort()
      return late.promise
    },
  }))
  expect(error.outcome).toBe('unknown')
  late.resolve(new Response(new ReadableStream({ cancel: cancelled })))
  await new Promise(setImmediate)
  expect(cancelled).toHaveBeenCalledOnce()
})

it('keeps the error of a response that came before the abort', async () => {
  const controller = new AbortController()
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    fetch: async () => json({ detail: 'none' }, 404),
    hooks: { response: () => controller.abort() },
  })
  const call = client.link.listProviders({}, { signal: controller.signal })
  expect(await failureOf(call, NotFoundError)).toMatchObject({ status: 404 })
})

it('sends nothing when the signal cannot be followed', async () => {
  const failure = new Error(secret)
  const addEventListener = () => {
    throw failure
  }
  const signal = { aborted: false, addEventListener, removeEventListener() {} }
  const fetch = vi.fn()
  const client = new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test', fetch })
  const call = client.link.listProviders({}, { signal: signal as never })
  const error = await failureOf(call, AbortError)
  expect(error).toMatchObject({ outcome: 'not-sent', reason: failure })
  expect(fetch).not.toHaveBeenCalled()
})

it('returns the result when the listener of the signal cannot be removed', async () => {
  const removeEventListener = () => {
    throw new Error(secret)
  }
  const signal = { aborted: false, addEventListener() {}, removeEventListener }
  const fetch = async () => json([])
  const client = new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test', fetch })
  await expect(client.link.listProviders({}, { signal: signal as never })).resolves.toEqual([])
})
