import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMock, MockError } from '../../../../mock/index.ts'
import { TeamClock } from '../../../../mock/state/clock/clock.ts'
import type { DueEvent, FailureListener } from '../../../../mock/state/clock/due-queue.ts'
import { recipe, userId } from '../../../support/bodies.ts'
import { call } from '../../../support/call.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.resetModules()
})

const start = Date.parse('2025-06-01T09:00:00Z')

function due(after: number, subject: string): DueEvent {
  return { at: start + after, type: 'import.end', subject }
}

/** A manual clock whose events of the subject `bad` fail, with the listener of failures. */
function failingClock(mode: 'manual' | 'auto' = 'manual') {
  const onFailure = vi.fn<FailureListener>()
  const run = ({ subject }: DueEvent) => {
    if (subject.startsWith('bad')) throw new TypeError(`${subject} is missing`)
  }
  return { clock: new TeamClock(start, mode, run, { onFailure }), onFailure }
}

/** The clock on a platform without AsyncLocalStorage, such as a browser. */
async function clockWithoutStorage(): Promise<typeof TeamClock> {
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never)
  vi.resetModules()
  return (await import('../../../../mock/state/clock/clock.ts')).TeamClock
}

describe('events at the same time', () => {
  it('run in scheduling order, also after a restore', async () => {
    for (const isRestored of [false, true]) {
      const team = createMock({ seed: 1 }).team({ clock: 'manual' })
      const ids = [3, 1, 2].map((number) => `${number}f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55`)
      for (const id of ids) {
        team.orders.create({ id })
        void call(team, `POST /v3/order/${id}/phlebotomy/appointment/book`, {
          booking_key: 'bk_confirm_after_30s',
          async_confirmation: true,
        }).catch(() => {})
      }
      const subjects = () => team.clock.pending().flatMap(({ type }) => type)
      await expect
        .poll(() => subjects().filter((type) => type === 'booking.outcome'))
        .toHaveLength(3)
      if (isRestored) team.restore(team.snapshot())
      await team.clock.advance('30s')
      const confirmed = team.events.list('labtest.order.updated').map(({ body }) => body.data)
      expect(confirmed.map((order) => Object(order).id)).toEqual(ids)
    }
  })

  it('run in the chosen order, and only they can be chosen from', async () => {
    const happened: string[] = []
    const offered: string[][] = []
    const clock = new TeamClock(start, 'manual', ({ subject }) => happened.push(subject))
    clock.chooseDue((tied) => {
      offered.push(tied.map(({ subject }) => subject))
      return tied.length - 1
    })
    for (const subject of ['a', 'b', 'c']) clock.schedule(due(1, subject))
    clock.schedule(due(2, 'd'))
    await clock.advance(2)
    expect(happened).toEqual(['c', 'b', 'a', 'd'])
    expect(offered).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b'],
    ])
  })

  it('run in their order if the choice is none of them', async () => {
    const happened: string[] = []
    const clock = new TeamClock(start, 'manual', ({ subject }) => happened.push(subject))
    clock.chooseDue(() => 9)
    for (const subject of ['a', 'b']) clock.schedule(due(1, subject))
    await clock.advance(1)
    expect(happened).toEqual(['a', 'b'])
  })

  it('are cancelled together by their subject', async () => {
    const { clock } = failingClock()
    for (const after of [1, 2, 3, 4]) clock.schedule(due(after, 'it'))
    await clock.advance(1)
    expect(clock.pendingCount).toBe(3)
    clock.cancel('import.end', 'it')
    expect([clock.pending(), clock.pendingCount]).toEqual([[], 0])
  })
})

it('rejects an event after the latest time', () => {
  const { clock } = failingClock()
  const act = () => clock.schedule({ at: 8.64e15 + 1, type: 'import.end', subject: 'a' })
  expect(act).toThrow(expect.objectContaining({ code: 'invalid_time' }))
})

it('lists the ends of queued imports among the other due events, in the order of time', async () => {
  const team = createMock().team({ clock: 'manual', importTimePerConnection: '2h' })
  for (const _ of ['first', 'queued']) {
    const connections = [recipe(userId)]
    void call(team, 'POST /v2/link/bulk_import', { provider: 'oura', connections })
  }
  const order = team.orders.create().id
  void call(team, `POST /v3/order/${order}/phlebotomy/appointment/book`, {
    booking_key: 'bk_confirm_after_3h',
    async_confirmation: true,
    async_confirmation_timeout_millisecond: 172_800_000,
  }).catch(() => {})
  await team.clock.advance('1m')
  const pending = team.clock.pending()
  expect(pending.map(({ type }) => type)).toEqual([
    'import.end',
    'booking.outcome',
    'import.end',
    'booking.abandoned',
  ])
  expect(team.state.clock.pendingCount).toBe(4)
  await team.clock.advance('100h')
})

describe('the failure of a due event', () => {
  it('has its cause, and is awaited by the advance during which it happens', async () => {
    const { clock, onFailure } = failingClock()
    clock.schedule(due(1, 'bad'))
    const error = await clock.advance(1).catch((found: unknown) => found)
    expect(error).toMatchObject({ code: 'failed_event', cause: expect.any(TypeError) })
    expect(onFailure.mock.calls).toEqual([[error, due(1, 'bad'), true]])
  })

  it('is awaited by one advance only', async () => {
    const { clock, onFailure } = failingClock()
    clock.schedule(due(1, 'bad 1'))
    clock.schedule(due(1, 'bad 2'))
    await expect(clock.advance(1)).rejects.toThrow('bad 1')
    expect(onFailure.mock.calls.map(([, , isAwaited]) => isAwaited)).toEqual([true, false])
  })

  it('is awaited by no advance that has ended', async () => {
    const { clock, onFailure } = failingClock()
    await clock.advance(1)
    clock.schedule(due(0, 'bad'))
    clock.catchUp()
    expect(onFailure).toHaveBeenCalledExactlyOnceWith(expect.any(MockError), due(0, 'bad'), false)
  })

  it('is awaited by the requests that it fails', async () => {
    const { clock, onFailure } = failingClock('auto')
    clock.schedule(due(1, 'bad'))
    const end = clock.trackRequest()
    const wait = clock.wait(() => false, { subject: 'bad' }).finally(end)
    await expect(wait).rejects.toThrow('bad is missing')
    expect(onFailure).toHaveBeenCalledExactlyOnceWith(expect.any(MockError), due(1, 'bad'), true)
  })
})

describe('a restart', () => {
  it('ends a move that began before, without moving time', async () => {
    const { clock } = failingClock()
    const leave = clock.trackRequest()
    const moves = [clock.advance(1000), clock.advanceTo(start + 2000), clock.runToNext()]
    // The first move has begun, and waits for the request.
    for (let tick = 0; tick < 10; tick += 1) await undefined
    clock.restart(start, [due(60_000, 'kept')], new Error('reset'))
    leave()
    expect(await Promise.all(moves)).toEqual([undefined, undefined, undefined])
    expect(clock.moment).toBe(start)
    expect(clock.pending()).toHaveLength(1)
  })

  it('ends a runToNext that has begun', async () => {
    const { clock } = failingClock()
    const next = clock.runToNext()
    for (let tick = 0; tick < 10; tick += 1) await undefined
    clock.restart(start, [due(60_000, 'kept')], new Error('reset'))
    expect(await next).toBeUndefined()
    expect(clock.moment).toBe(start)
  })

  it('forgets the subjects of the events before', async () => {
    const { clock } = failingClock()
    clock.schedule(due(1, 'it'))
    clock.restart(start, [due(2, 'it')], new Error('reset'))
    clock.cancel('import.end', 'it')
    expect(clock.pending()).toEqual([])
  })
})

describe('whenWaiting', () => {
  it.each([-1, 1.5, '1', Number.NaN])('rejects %j', async (count) => {
    const { clock } = createMock().team()
    // Callers without types can pass any value.
    await expect(clock.whenWaiting(count as number)).rejects.toMatchObject({
      code: 'invalid_option',
      message: expect.stringMatching(/^Expected requests to be an integer of at least 0, but got /),
    })
  })

  it('resolves at once for no request', async () => {
    await createMock().team().clock.whenWaiting(0)
  })
})

describe('a webhook handler', () => {
  it('is told which method cannot run inside it', async () => {
    const { clock } = failingClock()
    const methods: Record<string, () => Promise<unknown>> = {
      'clock.advance': () => clock.advance(1),
      'clock.advanceTo': () => clock.advanceTo(start),
      'clock.runToNext': () => clock.runToNext(),
      'clock.whenWaiting': () => clock.whenWaiting(),
    }
    for (const [name, run] of Object.entries(methods)) {
      await expect(clock.runHandler(run)).rejects.toMatchObject({
        code: 'invalid_state',
        message: expect.stringContaining(`${name}() cannot run inside a webhook handler`),
      })
    }
  })

  it('cannot move time while another one runs', async () => {
    const { clock } = failingClock()
    let startSecond = () => {}
    const secondRuns = new Promise<void>((resolve) => {
      startSecond = resolve
    })
    const first = clock.runHandler(async () => {
      await secondRuns
      await clock.advance(1)
    })
    const second = clock.runHandler(startSecond)
    await expect(first).rejects.toMatchObject({ code: 'invalid_state' })
    await second
    await clock.advance(1)
  })

  it('counts as running during a move of the test, without AsyncLocalStorage', async () => {
    const ClockWithout = await clockWithoutStorage()
    const inside: boolean[] = []
    const handle = () => {
      const move = clock.runOutsideHandlers('clock.advance', async () => false)
      return move.catch(() => true).then((isInside) => void inside.push(isInside))
    }
    const clock = new ClockWithout(start, 'manual', () => void clock.runHandler(handle))
    await clock.runHandler(handle)
    clock.schedule(due(1, 'a'))
    await clock.advance(1)
    await clock.runHandler(handle)
    await handle()
    expect(inside).toEqual([false, true, false, false])
  })

  it('does not count as running while time moves for a request, without AsyncLocalStorage', async () => {
    const ClockWithout = await clockWithoutStorage()
    let respond = () => {}
    const response = new Promise<void>((resolve) => {
      respond = resolve
    })
    const clock = new ClockWithout(start, 'auto', () => {
      const delivered = clock.trackDelivery()
      void clock.runHandler(() => response).then(delivered)
    })
    clock.schedule(due(1, 'a'))
    const leave = clock.trackRequest()
    await clock.wait(() => false, { until: start + 1 }).finally(leave)
    // The move that the request needed still waits for the handler, but the test does not.
    const moved = clock.advance(1)
    respond()
    await moved
    expect(clock.moment).toBe(start + 2)
  })

  it('does not reject a restore during a move of the test, without AsyncLocalStorage', async () => {
    const ClockWithout = await clockWithoutStorage()
    const { promise: response, resolve: respond } = Promise.withResolvers<void>()
    const clock = new ClockWithout(start, 'manual', () => {
      void clock.runHandler(() => response).then(clock.trackDelivery())
    })
    clock.schedule(due(1, 'a'))
    const moved = clock.advance(1)
    await expect.poll(() => clock.moment).toBe(start + 1)
    expect(() => clock.checkOutsideOwnHandlers('team.restore')).not.toThrow()
    respond()
    await moved
  })

  it('may wait for time after other requests have waited', async () => {
    const clock = new TeamClock(start, 'auto', () => {})
    const waitUntil = async (after: number) => {
      const leave = clock.trackRequest()
      await clock.wait(() => false, { until: start + after }).finally(leave)
    }
    await waitUntil(1)
    let leaveDelivery = clock.trackDelivery()
    await clock.runHandler(() => waitUntil(2))
    leaveDelivery()
    leaveDelivery = clock.trackDelivery()
    const other = waitUntil(3)
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
    // The delivery stops time, because no request of its handler waits.
    expect(clock.moment).toBe(start + 2)
    leaveDelivery()
    await other
    expect(clock.moment).toBe(start + 3)
  })
})

it('ignores the abort of a request whose wait has just ended', async () => {
  const errors: unknown[] = []
  const add = (error: unknown) => errors.push(error)
  process.on('uncaughtException', add)
  onTestFinished(() => void process.off('uncaughtException', add))
  const caller = new AbortController()
  const happened: string[] = []
  const clock = new TeamClock(start, 'manual', ({ subject }) => {
    happened.push(subject)
    if (subject === 'after') caller.abort()
  })
  const options = { subject: 'it', signal: caller.signal }
  const wait = clock.wait(() => happened.includes('it'), options)
  clock.schedule(due(0, 'it'))
  clock.schedule(due(0, 'after'))
  clock.catchUp()
  await wait
  // Errors of listeners are thrown in a later turn.
  await new Promise(setImmediate)
  expect([happened, errors]).toEqual([['it', 'after'], []])
})
