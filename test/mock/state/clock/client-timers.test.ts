import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createMock, type Team } from '../../../../mock/index.ts'
import { TeamClock } from '../../../../mock/state/clock/clock.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A timer of a client for 1,000 ms, and how often it ended. */
function startTimer(team: Team) {
  const onEnd = vi.fn<() => void>()
  const stop = team.connection().clock.startTimer(1000, onEnd)
  return { onEnd, stop }
}

/** Lets the timer of a client notice that no request arrives. */
async function ticks(): Promise<void> {
  for (let tick = 0; tick < 200; tick += 1) await undefined
}

const manualTeam = () => createMock().team({ clock: 'manual' })

it('ends once, in virtual time', async () => {
  const team = manualTeam()
  const { onEnd } = startTimer(team)
  await ticks()
  await team.clock.advance(999)
  expect(onEnd).not.toHaveBeenCalled()
  await team.clock.advance(1)
  expect(onEnd).toHaveBeenCalledOnce()
  // No request arrived, so a timer in real time ran too. It is stopped.
  expect(vi.getTimerCount()).toBe(0)
  await vi.advanceTimersByTimeAsync(5000)
  expect(onEnd).toHaveBeenCalledOnce()
})

it('ends in real time if no request arrives, and then not in virtual time', async () => {
  const team = manualTeam()
  const { onEnd } = startTimer(team)
  await ticks()
  await vi.advanceTimersByTimeAsync(1000)
  expect(onEnd).toHaveBeenCalledOnce()
  await team.clock.advance(5000)
  expect(onEnd).toHaveBeenCalledOnce()
})

it('does not end after it was stopped, at once or later', async () => {
  const team = manualTeam()
  const early = startTimer(team)
  early.stop()
  await ticks()
  expect(vi.getTimerCount()).toBe(0)
  const late = startTimer(team)
  await ticks()
  expect(vi.getTimerCount()).toBe(1)
  late.stop()
  expect(vi.getTimerCount()).toBe(0)
  await team.clock.advance(5000)
  await vi.advanceTimersByTimeAsync(5000)
  expect([early.onEnd, late.onEnd].flatMap(({ mock }) => mock.calls)).toEqual([])
})

it('does not end after a reset', async () => {
  const team = manualTeam()
  const onEnd = vi.fn<() => void>()
  const stop = team.connection().clock.startTimer(1000, onEnd)
  team.reset()
  await team.clock.advance(5000)
  expect(onEnd).not.toHaveBeenCalled()
  stop()
})

it('ends at its moment in realtime', async () => {
  const clock = new TeamClock('2025-06-01', 'realtime', () => {})
  const onEnd = vi.fn<() => void>()
  clock.startTimer(1000, onEnd)
  await vi.advanceTimersByTimeAsync(999)
  expect(onEnd).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(onEnd).toHaveBeenCalledOnce()
})

it('keeps the process alive only while a request waits, in realtime', async () => {
  vi.useRealTimers()
  const created = vi.spyOn(globalThis, 'setTimeout')
  const isReferenced = () => {
    const [timer] = created.mock.results.slice(-1)
    return (timer?.value as NodeJS.Timeout | undefined)?.hasRef()
  }
  const clock = new TeamClock('2025-06-01', 'realtime', () => {})
  clock.schedule({ at: clock.moment + 3_600_000, type: 'import.end', subject: 'late' })
  expect(isReferenced()).toBe(false)
  const caller = new AbortController()
  const wait = clock.wait(() => false, { signal: caller.signal, subject: 'late' })
  expect(isReferenced()).toBe(true)
  caller.abort()
  expect(isReferenced()).toBe(false)
  await expect(wait).rejects.toBe(caller.signal.reason)
  clock.mode = 'manual'
})

it('lets timers of the platform run while a program waits again and again', async () => {
  vi.useRealTimers()
  const { clock } = createMock().team().connection()
  let isOver = false
  setTimeout(() => {
    isOver = true
  }, 1)
  while (!isOver) await clock.sleep(60_000)
  expect(clock.now()).toBeGreaterThan(0)
})
