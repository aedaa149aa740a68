import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMock } from '../../../../mock/index.ts'
import { TeamClock } from '../../../../mock/state/clock/clock.ts'
import type { DueEvent } from '../../../../mock/state/clock/due-queue.ts'

afterEach(() => void vi.useRealTimers())

const start = Date.parse('2025-06-01T09:00:00Z')

/** A clock that logs its due events with their times. */
function clockOf(mode: ConstructorParameters<typeof TeamClock>[1] = 'auto') {
  const happened: string[] = []
  const clock: TeamClock = new TeamClock(start, mode, ({ subject }) => {
    happened.push(`event ${subject} at ${clock.moment - start}`)
  })
  const schedule = (after: number, subject: string) =>
    clock.schedule({ at: start + after, type: 'import.end', subject })
  return { clock, happened, schedule }
}

/** Waits like a request, which counts as in progress until it continues. */
async function waiting(clock: TeamClock, ...wait: Parameters<TeamClock['wait']>): Promise<number> {
  const leave = clock.trackRequest()
  try {
    await clock.wait(...wait)
    return clock.moment - start
  } finally {
    leave()
  }
}

it('explains an unknown mode', () => {
  const { clock } = createMock().team()
  // Callers without types can pass any string.
  const act = () => Object.assign(clock, { mode: 'fast' })
  const message = 'Expected the clock mode to be one of auto, manual, realtime, but got "fast".'
  expect(act).toThrow(expect.objectContaining({ code: 'invalid_option', message }))
  expect(clock.mode).toBe('auto')
})

describe('a due event', () => {
  it('runs in the order of its time, then of its scheduling', async () => {
    const { clock, happened, schedule } = clockOf()
    const order = [5, 1, 3, 3, 9, 1, 7, 5, 0, 3]
    for (const [at, after] of order.entries()) schedule(after, String(at))
    expect(
      clock
        .pending()
        .map(({ subject }) => subject)
        .join(''),
    ).toBe('8152390764')
    await clock.advance(10)
    expect(happened).toHaveLength(order.length)
    expect(happened).toEqual(happened.toSorted((one, other) => timeOf(one) - timeOf(other)))
    expect(happened.filter((line) => timeOf(line) === 3).map((line) => line[6])).toEqual([
      '2',
      '3',
      '9',
    ])
    expect(clock.pending()).toEqual([])
  })

  it('runs once, up to a moment, inclusive', async () => {
    const { clock, happened, schedule } = clockOf()
    for (const after of [1, 2, 3]) schedule(after, 'it')
    await clock.advance(2)
    expect(happened).toEqual(['event it at 1', 'event it at 2'])
    await clock.advance(0)
    expect(happened).toHaveLength(2)
    await clock.advance(1)
    expect(happened).toHaveLength(3)
  })

  it('is canceled by its subject', async () => {
    const { clock, happened, schedule } = clockOf()
    for (const subject of ['a', 'b', 'a', 'c']) schedule(1, subject)
    clock.cancel('import.end', 'a')
    await clock.advance(1)
    expect(happened).toEqual(['event b at 1', 'event c at 1'])
  })

  it('is copied on reading and on restoring', () => {
    const { clock, schedule } = clockOf()
    schedule(5, 'a')
    const [event] = clock.dueEvents() as [DueEvent]
    event.at = 0
    expect(clock.dueEvents()).toEqual([{ at: start + 5, type: 'import.end', subject: 'a' }])
    clock.restart(start, [event], undefined)
    event.subject = 'b'
    expect(clock.dueEvents()).toEqual([{ at: 0, type: 'import.end', subject: 'a' }])
  })

  it('runs in order if its time has passed', () => {
    const { clock, happened, schedule } = clockOf()
    schedule(-1, 'b')
    schedule(-2, 'a')
    schedule(0, 'c')
    schedule(1, 'd')
    clock.catchUp()
    expect(happened).toEqual(['event a at 0', 'event b at 0', 'event c at 0'])
  })

  it('can schedule an event at the same moment', async () => {
    const seen: string[] = []
    const clock: TeamClock = new TeamClock(start, 'manual', ({ at, subject }) => {
      seen.push(subject)
      if (subject === 'first') clock.schedule({ at, type: 'import.end', subject: 'second' })
    })
    clock.schedule({ at: start + 1, type: 'import.end', subject: 'first' })
    await clock.advance(1)
    expect(seen).toEqual(['first', 'second'])
  })
})

function timeOf(line: string): number {
  return Number(line.split(' at ')[1])
}

describe('a request', () => {
  it('does not wait if the wait is over, or its end has passed', async () => {
    const { clock } = clockOf('manual')
    await clock.wait(() => true)
    await clock.wait(() => false, { until: start })
    expect(clock.moment).toBe(start)
  })

  it('waits until its end without an event', async () => {
    const { clock } = clockOf()
    expect(await waiting(clock, () => false, { until: start + 70 })).toBe(70)
  })

  it('continues as soon as the wait is over, and time stops again', async () => {
    const { clock, happened, schedule } = clockOf()
    for (const after of [1, 2, 3]) schedule(after, 'it')
    expect(
      await waiting(clock, () => happened.length === 2, { subject: 'it', until: start + 50 }),
    ).toBe(2)
    await clock.advance(0)
    expect(happened).toHaveLength(2)
  })

  it('sees the events at the moment of its end', async () => {
    const { clock, happened, schedule } = clockOf()
    for (const subject of ['a', 'b']) schedule(5, subject)
    await waiting(clock, () => false, { until: start + 5 })
    expect(happened).toEqual(['event a at 5', 'event b at 5'])
  })

  it('fails if no due event can end its wait', async () => {
    const { clock } = clockOf()
    await expect(waiting(clock, () => false)).rejects.toMatchObject({
      code: 'defect',
      message: expect.stringContaining("no scheduled event ends a request's wait"),
    })
    expect(await waiting(clock, () => false, { until: start + 1 })).toBe(1)
  })

  it('fails with the error of its event, and others continue', async () => {
    const clock = new TeamClock(start, 'auto', () => {
      throw new Error('performed badly')
    })
    clock.schedule({ at: start + 1, type: 'import.end', subject: 'a' })
    const options = { until: start + 5 }
    const waits = ['a', 'b', undefined].map((subject) =>
      waiting(clock, () => false, subject ? { ...options, subject } : options),
    )
    const [failed, ...others] = await Promise.allSettled(waits)
    expect(failed).toMatchObject({ reason: { message: expect.stringContaining('badly') } })
    expect(others).toMatchObject([{ value: 5 }, { value: 5 }])
  })

  it('stops time until it has a response', async () => {
    const { clock } = clockOf()
    const leave = clock.trackRequest()
    let end: number | undefined
    const other = waiting(clock, () => false, { until: start + 5 }).then((moment) => {
      end = moment
    })
    await new Promise(setImmediate)
    expect([end, clock.moment]).toEqual([undefined, start])
    leave()
    await other
    expect(end).toBe(5)
  })

  it('stops time during a delivery', async () => {
    const { clock } = clockOf()
    const leave = clock.trackDelivery()
    let end: number | undefined
    const other = waiting(clock, () => false, { until: start + 5 }).then((moment) => {
      end = moment
    })
    await new Promise(setImmediate)
    expect([end, clock.moment]).toEqual([undefined, start])
    leave()
    await other
    expect(end).toBe(5)
  })

  it('waits during a delivery if the receiver may have sent it', async () => {
    const { clock } = clockOf()
    const leave = clock.trackDelivery()
    const end = await clock.runHandler(() => waiting(clock, () => false, { until: start + 5 }))
    leave()
    expect(end).toBe(5)
    await expect(
      clock.runHandler(() => Promise.reject(new Error('receiver away'))),
    ).rejects.toThrow('receiver away')
  })

  it('stops time after the receiver has responded', async () => {
    const { clock } = clockOf()
    expect(await clock.runHandler(() => 'handled')).toBe('handled')
    const leave = clock.trackDelivery()
    const end = waiting(clock, () => false, { until: start + 5 })
    await new Promise(setImmediate)
    expect(clock.moment).toBe(start)
    leave()
    expect(await end).toBe(5)
  })

  it('does not stop time after its caller has aborted it', async () => {
    const { clock } = clockOf('manual')
    const caller = new AbortController()
    const leave = clock.trackRequest()
    const wait = clock.wait(() => false, { signal: caller.signal })
    await clock.whenWaiting()
    caller.abort()
    leave()
    await expect(wait).rejects.toBe(caller.signal.reason)
    await clock.advance(1)
    expect(clock.moment).toBe(start + 1)
  })

  it('runs no event early if its wait ends first', async () => {
    const { clock, happened, schedule } = clockOf()
    schedule(100, 'late')
    expect(await waiting(clock, () => false, { until: start + 5 })).toBe(5)
    expect(happened).toEqual([])
  })

  it('keeps waiting if the mode changes from auto', async () => {
    const clock: TeamClock = new TeamClock(start, 'auto', () => {
      clock.mode = 'manual'
    })
    clock.schedule({ at: start + 1, type: 'import.end', subject: 'a' })
    const end = waiting(clock, () => false, { until: start + 5 })
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    expect(clock.moment).toBe(start + 1)
    await clock.advance(4)
    expect(await end).toBe(5)
  })

  it('fails when the clock restarts', async () => {
    const { clock, happened } = clockOf('manual')
    const failed = expect(waiting(clock, () => false)).rejects.toThrow('reset')
    await clock.whenWaiting()
    clock.restart(
      start + 60_000,
      [{ at: start + 60_001, type: 'import.end', subject: 'kept' }],
      new Error('reset'),
    )
    await failed
    expect(clock.moment).toBe(start + 60_000)
    await clock.advance(1)
    expect(happened).toEqual(['event kept at 60001'])
  })

  it('continues when the mode becomes auto', async () => {
    const { clock } = clockOf('manual')
    const end = waiting(clock, () => false, { until: start + 5 })
    await clock.whenWaiting()
    expect([clock.mode, clock.moment]).toEqual(['manual', start])
    clock.mode = 'auto'
    expect([await end, clock.mode]).toEqual([5, 'auto'])
  })

  it('resolves whenWaiting for that many requests', async () => {
    const { clock } = clockOf('manual')
    const told: number[] = []
    const hear = (count: number) => clock.whenWaiting(count).then(() => told.push(count))
    const hearing = [hear(1), hear(2), hear(3)]
    const waits = [waiting(clock, () => false, { until: start + 5 })]
    await hearing[0]
    await new Promise(setImmediate)
    expect(told).toEqual([1])
    waits.push(waiting(clock, () => false, { until: start + 5 }))
    await hearing[1]
    await clock.whenWaiting(2)
    await new Promise(setImmediate)
    expect(told).toEqual([1, 2])
    waits.push(waiting(clock, () => false, { until: start + 5 }))
    await Promise.all(hearing)
    await clock.advance(5)
    expect(await Promise.all(waits)).toEqual([5, 5, 5])
  })
})

describe('real time', () => {
  const wall = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })

  it('starts at the moment of the team, not at the current time', async () => {
    wall().setSystemTime('1999-01-01')
    const { clock } = clockOf('realtime')
    expect(clock.moment).toBe(start)
    await vi.advanceTimersByTimeAsync(90)
    expect(clock.moment).toBe(start + 90)
    await clock.advance(10)
    expect(clock.moment).toBe(start + 100)
  })

  it('runs due events at their moment, with one timer', async () => {
    wall()
    const { clock, happened, schedule } = clockOf('realtime')
    expect(vi.getTimerCount()).toBe(0)
    schedule(50, 'b')
    schedule(20, 'a')
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(19)
    expect(happened).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(happened).toEqual(['event a at 20'])
    await vi.advanceTimersByTimeAsync(30)
    expect(happened).toEqual(['event a at 20', 'event b at 50'])
    expect(vi.getTimerCount()).toBe(0)
    expect(clock.pending()).toEqual([])
  })

  it('runs late events at their own moment, in order', async () => {
    wall()
    const { clock, happened, schedule } = clockOf('realtime')
    schedule(20, 'a')
    schedule(30, 'b')
    vi.setSystemTime(Date.now() + 100)
    clock.catchUp()
    expect(happened).toEqual(['event a at 20', 'event b at 30'])
    expect(clock.moment).toBe(start + 100)
  })

  it('starts no timer with a negative delay for a late event', () => {
    wall()
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const { schedule } = clockOf('realtime')
    schedule(20, 'a')
    vi.setSystemTime(Date.now() + 100)
    schedule(500, 'b')
    const delays = timers.mock.calls.map(([, delay]) => delay)
    timers.mockRestore()
    expect(delays).toEqual([20, 0])
  })

  it('never goes back, even if real time does', async () => {
    wall()
    const { clock } = clockOf('realtime')
    await clock.advance(50)
    vi.setSystemTime(Date.now() - 1000)
    expect(clock.moment).toBe(start + 50)
  })

  it('sets no timer that is too long for platforms', async () => {
    wall()
    const { happened, schedule } = clockOf('realtime')
    const days = 60 * 86_400_000
    schedule(days, 'far')
    await vi.advanceTimersByTimeAsync(2_147_483_647)
    expect(happened).toEqual([])
    await vi.advanceTimersByTimeAsync(days - 2_147_483_647)
    expect(happened).toEqual([`event far at ${days}`])
  })

  it('sets its timer again after an advance and after a restart', async () => {
    wall()
    const { clock, happened, schedule } = clockOf('realtime')
    schedule(100, 'a')
    await clock.advance(90)
    await vi.advanceTimersByTimeAsync(10)
    expect(happened).toEqual(['event a at 100'])
    clock.restart(start, [{ at: start + 7, type: 'import.end', subject: 'b' }], undefined)
    await vi.advanceTimersByTimeAsync(7)
    expect(happened).toEqual(['event a at 100', 'event b at 7'])
  })

  it('keeps no process alive', () => {
    const timers = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    const { clock, schedule } = clockOf('realtime')
    schedule(60_000, 'a')
    expect(timers()).toBe(before)
    // Otherwise it would run after the test.
    clock.mode = 'manual'
  })

  it('stops when the mode changes, and continues from there', async () => {
    wall()
    const { clock, schedule, happened } = clockOf('realtime')
    schedule(30, 'a')
    await vi.advanceTimersByTimeAsync(10)
    clock.mode = 'manual'
    expect(vi.getTimerCount()).toBe(0)
    await vi.advanceTimersByTimeAsync(1000)
    expect([clock.moment, happened]).toEqual([start + 10, []])
    clock.mode = 'realtime'
    await vi.advanceTimersByTimeAsync(20)
    expect([clock.moment, happened]).toEqual([start + 30, ['event a at 30']])
  })
})
