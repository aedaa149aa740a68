import { getEventListeners } from 'node:events'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMock, type Team } from '../../../../mock/index.ts'
import { ServiceClient } from '../../../../src/index.ts'
import { call } from '../../../support/call.ts'
import { runProgram } from '../../../support/programs/program.ts'
import { fc } from '../../../support/properties.ts'

afterEach(() => void vi.useRealTimers())

/** Books a new order without waiting for the response. */
function book(team: Team, booking_key: string, body: object = {}) {
  const { id } = team.orders.create()
  return call(team, `POST /v3/order/${id}/phlebotomy/appointment/book`, { booking_key, ...body })
}

const minute = 60_000
const start = Date.parse('2025-06-01T09:00:00Z')

describe('auto', () => {
  it('does not move while no request waits', async () => {
    const team = createMock().team()
    await book(team, 'bk_confirm')
    await call(team, 'GET /v2/providers')
    expect(team.clock.now()).toEqual(new Date(start))
  })

  it('jumps to the event that a request waits for', async () => {
    const team = createMock().team()
    const { status } = await book(team, 'bk_confirm_after_3s')
    expect(status).toBe(200)
    expect(team.clock.now()).toEqual(new Date(start + 3000))
  })

  it('continues several waiting requests in the order of their time', async () => {
    const team = createMock().team()
    const done: string[] = []
    const spans = ['30s', '1s', '20s', '5s']
    await Promise.all(
      spans.map(async (span) => {
        await book(team, `bk_confirm_after_${span}`)
        done.push(`${span} at ${team.clock.now().getTime() - start}`)
      }),
    )
    expect(done).toEqual(['1s at 1000', '5s at 5000', '20s at 20000', '30s at 30000'])
  })

  it('runs due events of other requests on the way', async () => {
    const team = createMock().team()
    const pending = await book(team, 'bk_confirm_after_10s', { async_confirmation: true })
    expect(pending.body.status).toBe('pending')
    await book(team, 'bk_confirm_after_30s')
    expect(team.appointments.get(pending.body.id)?.status).toBe('confirmed')
  })
})

describe('manual', () => {
  it('moves only with advance', async () => {
    const team = createMock().team({ clock: 'manual' })
    let responded = false
    const booking = book(team, 'bk_confirm_after_3s').then((response) => {
      responded = true
      return response
    })
    await team.clock.whenWaiting()
    await team.clock.advance('2999ms')
    expect([responded, team.clock.now().getTime() - start]).toEqual([false, 2999])
    await team.clock.advance(1)
    expect((await booking).body.status).toBe('confirmed')
  })

  it('runs to the next event, and lists the pending ones', async () => {
    const team = createMock().team({ clock: 'manual' })
    const bookings = [book(team, 'bk_confirm_after_3s'), book(team, 'bk_confirm_after_1s')]
    await team.clock.whenWaiting(2)
    const types = team.clock.pending().map(({ type, at }) => [type, at.getTime() - start])
    expect(types).toEqual([
      ['booking.outcome', 1000],
      ['booking.outcome', 3000],
      ['booking.timeout', minute],
      ['booking.timeout', minute],
    ])
    expect(await team.clock.runToNext()).toMatchObject({ at: new Date(start + 1000) })
    expect(await team.clock.runToNext()).toMatchObject({ at: new Date(start + 3000) })
    await Promise.all(bookings)
    expect(await team.clock.runToNext()).toBeUndefined()
  })

  it('resolves an advance after all due events have run, in order', async () => {
    const team = createMock().team({ clock: 'manual' })
    const calls = ['3s', '1s', '2s'].map((span) => book(team, `bk_confirm_after_${span}`))
    await team.clock.whenWaiting(3)
    await team.clock.advance('1h')
    const times = team.appointments.list().map(({ events }) => events[0]?.created_at)
    expect(times).toEqual(times.toSorted())
    expect(await Promise.all(calls)).toHaveLength(3)
  })

  it('advances to a moment, and never goes back', async () => {
    const { clock } = createMock().team({ clock: 'manual' })
    await clock.advanceTo('2025-06-02T00:00:00Z')
    expect(clock.now()).toEqual(new Date('2025-06-02T00:00:00Z'))
    await expect(clock.advanceTo('2025-06-01T00:00:00Z')).rejects.toMatchObject({
      code: 'invalid_time',
    })
  })

  it.each([-1, '-5s', 'soon', '5 minutes', Number.NaN])(
    'rejects to advance by %s',
    async (span) => {
      const { clock } = createMock().team()
      // Callers without types can pass any value.
      await expect(clock.advance(span as number)).rejects.toMatchObject({ code: 'invalid_time' })
    },
  )
})

describe('realtime', () => {
  it('passes like real time, with one timer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const team = createMock().team({ clock: 'realtime' })
    let responded = false
    const booking = book(team, 'bk_confirm_after_3s').then(() => {
      responded = true
    })
    await team.clock.whenWaiting()
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(2999)
    expect(responded).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await booking
    expect(team.clock.now().getTime() - start).toBe(3000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('keeps the process alive while a request waits', async () => {
    const program = `import { createMock } from './mock/index.ts'
      const team = createMock().team({ clock: 'realtime' })
      team.faults.add({ then: { latency: '5ms' } })
      const { fetch, baseUrl, apiKey } = team.connection()
      const response = await fetch(baseUrl + '/v2/providers', { headers: { 'x-service-api-key': apiKey } })
      console.log(response.status)`
    expect(await runProgram(program)).toBe(200)
  })
})

it('runs a booking of 48 hours from the call to the cancelled appointment without a timer', async () => {
  const created = vi.spyOn(globalThis, 'setTimeout')
  const intervals = vi.spyOn(globalThis, 'setInterval')
  const team = createMock().team()
  const { body } = await book(team, 'bk_never', {
    async_confirmation: true,
    async_confirmation_timeout_millisecond: 172_800_000,
  })
  expect(body.status).toBe('pending')
  await team.clock.advance('48h')
  expect(team.appointments.get(body.id)?.status).toBe('cancelled')
  expect(created).not.toHaveBeenCalled()
  expect(intervals).not.toHaveBeenCalled()
  created.mockRestore()
  intervals.mockRestore()
})

it("works under Vitest's fake timers", async () => {
  vi.useFakeTimers()
  const team = createMock().team()
  const client = new ServiceClient(team.connection())
  const { id } = team.orders.create()
  const appointment = await client.orders.bookPhlebotomyAppointment(id, {
    booking_key: 'bk_confirm_after_30s',
  })
  expect(appointment.status).toBe('confirmed')
})

it('names the fix when every timer is faked, including queueMicrotask', async () => {
  vi.useFakeTimers({ toFake: ['queueMicrotask', 'setTimeout'] })
  const team = createMock().team()
  await expect(call(team, 'GET /v2/providers')).rejects.toMatchObject({
    code: 'faked_microtasks',
    message: expect.stringContaining("doNotFake: ['queueMicrotask']"),
  })
})

it('runs every due event once, in the order of time, for any sequence of moves', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 8 }),
      fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 12 }),
      async (delays, moves) => {
        const team = createMock().team({ clock: 'manual' })
        const patience = { async_confirmation: true, sync_confirmation_timeout_millisecond: 1000 }
        const calls = delays.map((delay) => book(team, `bk_confirm_after_${delay}s`, patience))
        await team.clock.whenWaiting(delays.length)
        let passed = 0
        for (const seconds of [1, ...moves]) {
          await team.clock.advance(seconds * 1000)
          passed += seconds
          const confirmed = team.appointments.list({ status: 'confirmed' }).length
          expect(confirmed).toBe(delays.filter((delay) => delay <= passed).length)
        }
        await team.clock.advance('3m')
        expect(team.appointments.list({ status: 'confirmed' })).toHaveLength(delays.length)
        expect(team.clock.pending()).toEqual([])
        await Promise.all(calls)
      },
    ),
    { numRuns: 60 },
  )
})

describe('the signal of a caller', () => {
  /** Sends a request with a signal; its response takes a second. */
  function ask(team: Team, signal: AbortSignal): Promise<Response> {
    const { apiKey, baseUrl, fetch } = team.connection()
    const headers = { 'x-service-api-key': apiKey }
    return fetch(`${baseUrl}/v2/providers`, { headers, signal })
  }

  it('has no listener after the waits of its requests', async () => {
    const team = createMock().team()
    team.faults.add({ then: { latency: '1s' } })
    const { signal } = new AbortController()
    await Promise.all([ask(team, signal), ask(team, signal)])
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('does not stop time if it was aborted before its request', async () => {
    const team = createMock().team()
    team.faults.add({ then: { latency: '1s' } })
    await expect(ask(team, AbortSignal.abort())).rejects.toThrow('aborted')
    await team.clock.advance('1s')
    expect(team.clock.now()).toEqual(new Date(start + 1000))
  })
})
