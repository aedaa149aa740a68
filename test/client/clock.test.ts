import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMock } from '../../mock/index.ts'
import {
  type ClientClock,
  type ClientOptions,
  ConnectionError,
  RateLimitError,
  RequestValidationError,
  ServiceClient,
  TimeoutError,
} from '../../src/index.ts'
import { failureOf } from '../support/failure.ts'

const start = Date.parse('2025-06-01T09:00:00Z')

/** A clock that jumps over every wait. */
function jumpingClock() {
  const waits: number[] = []
  let now = start
  const clock: ClientClock = {
    now: () => now,
    async sleep(milliseconds) {
      waits.push(milliseconds)
      now += milliseconds
    },
  }
  const advance = (milliseconds: number) => {
    now += milliseconds
  }
  return { clock, waits, advance }
}

/** A clock whose timers end when the test says so. */
function timerClock() {
  const timers = new Map<() => void, number>()
  const clock: ClientClock = {
    now: () => start,
    sleep: () => new Promise(() => {}),
    startTimer(milliseconds, onEnd) {
      timers.set(onEnd, milliseconds)
      return () => void timers.delete(onEnd)
    },
  }
  return { clock, timers }
}

function clientOf(options: ClientOptions): ServiceClient {
  return new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test', ...options })
}

/** A `fetch` that returns these responses, one after the other, and then an empty list. */
function scriptedFetch(...responses: Response[]) {
  return async () => responses.shift() ?? Response.json([])
}

function limited(retryAfter: string): Response {
  return new Response('', { status: 429, headers: { 'retry-after': retryAfter } })
}

/** A `fetch` that never ends. */
const hang = () => new Promise<Response>(() => {})

describe('the option clock', () => {
  it('gives an error that knows the outcome when the clock fails after a request', async () => {
    const failure = new RangeError('no time')
    let isSent = false
    const now = () => {
      if (isSent) throw failure
      return start
    }
    const fetch = async () => {
      isSent = true
      return Response.json({})
    }
    const client = clientOf({ fetch, clock: { now, sleep: async () => {} } })
    const error = await failureOf(client.request('POST', '/v9'), ConnectionError)
    expect(error).toMatchObject({ outcome: 'unknown', originalCause: failure })
  })

  it('gives an error that knows the outcome when the clock fails before a request', async () => {
    const now = () => {
      throw new RangeError('no time')
    }
    const client = clientOf({ fetch: hang, clock: { now, sleep: async () => {} } })
    const error = await failureOf(client.request('POST', '/v9'), ConnectionError)
    expect(error).toMatchObject({ outcome: 'not-sent', attempts: [] })
  })

  it.each([
    ['before the booking', 0, { outcome: 'not-sent' }],
    ['after the booking', 1, { result: 'unresolved', error: { outcome: 'unknown' } }],
  ])('gives a result that knows the outcome when it fails %s', async (_, sent, expected) => {
    const team = createMock().team()
    const connection = team.connection()
    const { id } = team.orders.create()
    const now = () => {
      if (team.journal.lines('orders.bookPhlebotomyAppointment').length >= sent) throw new Error()
      return start
    }
    const client = clientOf({ ...connection, clock: { now, sleep: async () => {} } })
    const booking = { booking_key: 'bk_never', async_confirmation: true }
    const found = await client.orders.bookAndWait(id, booking).catch((error: unknown) => error)
    expect(found).toMatchObject(expected)
    const waiting = clientOf({ ...connection, clock: { now, sleep: async () => {} } })
    await failureOf(waiting.orders.waitForAppointment(id), ConnectionError)
  })

  it('leaves no unhandled rejection when its functions are async and reject', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const fail = async () => Promise.reject(new RangeError('no time'))
    const sleep = async () => {}
    const fetch = scriptedFetch()
    const stopping = clientOf({ fetch, clock: { now: () => start, sleep, startTimer: () => fail } })
    await expect(stopping.link.listProviders()).resolves.toEqual([])
    const telling = clientOf({ fetch, clock: { now: fail as never, sleep } })
    await failureOf(telling.link.listProviders(), ConnectionError)
    await new Promise(setImmediate)
    expect(unhandled).toEqual([])
  })

  it('gives an error that knows the outcome when the wait before a retry fails', async () => {
    const sleep = () => Promise.reject(new RangeError('no sleep'))
    const client = clientOf({
      fetch: scriptedFetch(limited('1')),
      clock: { now: () => start, sleep },
    })
    const error = await failureOf(client.request('POST', '/v9'), ConnectionError)
    expect(error).toMatchObject({ outcome: 'unknown', attempts: [{ status: 429 }] })
  })

  it('waits between attempts with sleep', async () => {
    const { clock, waits } = jumpingClock()
    const fetch = scriptedFetch(
      new Response('', { status: 502 }),
      limited('60'),
      limited('Sun, 01 Jun 2025 09:10:00 GMT'),
    )
    const client = clientOf({ clock, fetch, maxRetries: 3, deadline: 3_600_000 })
    const { response } = await client.link.listProviders().withResponse()
    const [backoff = 0] = waits
    const untilDate = 600_000 - 60_000 - backoff
    expect(waits).toEqual([backoff, 60_000, expect.closeTo(untilDate)])
    expect(response.attempts.map(({ delay }) => delay)).toEqual([0, ...waits.map(Math.round)])
  })

  it('measures the deadline and the time of a retry with now', async () => {
    const { clock, waits, advance } = jumpingClock()
    const fetch = async () => {
      advance(80_000)
      return limited('10')
    }
    const error = await clientOf({ clock, fetch })
      .link.listProviders()
      .catch((thrown: unknown) => thrown)
    expect(waits).toEqual([])
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({
      retryAt: new Date(start + 90_000),
      attempts: [{ duration: 80_000 }],
    })
  })

  it('limits attempts with startTimer, and stops every timer', async () => {
    const { clock, timers } = timerClock()
    const set = vi.spyOn(globalThis, 'setTimeout')
    const client = clientOf({ clock, fetch: hang, maxRetries: 0, timeout: 5000 })
    const call = client.link.listProviders().catch((error: unknown) => error)
    await vi.waitUntil(() => timers.size > 0, { interval: 1, timeout: 60_000 })
    set.mockClear()
    const [[onEnd, milliseconds] = []] = timers
    expect(milliseconds).toBe(5000)
    onEnd?.()
    expect(await call).toBeInstanceOf(TimeoutError)
    expect(timers.size).toBe(0)

    await clientOf({ clock, fetch: scriptedFetch() }).link.listProviders()
    expect(timers.size).toBe(0)
    expect(set).not.toHaveBeenCalled()
    set.mockRestore()
  })

  it('limits the wait for a free slot with startTimer', async () => {
    const { clock, timers } = timerClock()
    const client = clientOf({ clock, fetch: hang, maxConcurrency: 1, timeout: 5000 })
    const abort = new AbortController()
    const first = client.link.listProviders({}, { signal: abort.signal }).catch(() => 'aborted')
    const second = client.link.listProviders({}, { deadline: 700 }).catch((error) => error)
    await vi.waitUntil(() => timers.size > 1, { interval: 1, timeout: 60_000 })
    const [[onEnd] = []] = [...timers].filter(([, milliseconds]) => milliseconds === 700)
    onEnd?.()
    expect(await second).toMatchObject({ name: 'TimeoutError', outcome: 'not-sent' })
    abort.abort()
    expect(await first).toBe('aborted')
    expect(timers.size).toBe(0)
  })

  it.each([50, 51])(
    'sends nothing when %i of 50 ms passed before the first attempt',
    async (passed) => {
      const { clock, advance } = jumpingClock()
      const fetch = vi.fn(scriptedFetch())
      const startTimer = () => () => {}
      const client = clientOf({ clock: { ...clock, startTimer }, fetch, maxConcurrency: 1 })
      const call = client.link.listProviders({}, { deadline: 50 }).catch((error: unknown) => error)
      advance(passed)
      expect(await call).toMatchObject({ name: 'TimeoutError', outcome: 'not-sent', attempts: [] })
      expect(fetch).not.toHaveBeenCalled()
    },
  )

  it('ends a wait when the call is aborted, even if sleep ignores the signal', async () => {
    const abort = new AbortController()
    const clock: ClientClock = {
      now: () => start,
      sleep() {
        abort.abort(new Error('enough'))
        return new Promise(() => {})
      },
    }
    const client = clientOf({ clock, fetch: scriptedFetch(limited('1')) })
    const call = client.link.listProviders({}, { signal: abort.signal })
    await expect(call.then()).rejects.toMatchObject({
      name: 'AbortError',
      reason: new Error('enough'),
    })
  })

  it.each([
    ['a number', 42],
    ['an object without sleep', { now: Date.now }],
    ['a startTimer that is not a function', { ...jumpingClock().clock, startTimer: true }],
  ])('rejects %s', (_, clock) => {
    // Programs in JavaScript can pass anything.
    expect(() => clientOf({ clock: clock as ClientClock })).toThrow(RequestValidationError)
    expect(() => clientOf({ clock: clock as ClientClock })).toThrow(/clock.*now and sleep/)
  })
})
