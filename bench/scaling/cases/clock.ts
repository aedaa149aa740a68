import { createMock } from '../../../mock/index.ts'
import { TeamClock } from '../../../mock/state/clock/clock.ts'
import { connectionClock } from '../../../mock/state/clock/connection-clock.ts'
import type { ScalingCase } from '../scaling-case.ts'
import { bookAll, orderIds } from './support.ts'

const start = Date.UTC(2025, 5, 1)

function scheduledClock(size: number): TeamClock {
  const clock = new TeamClock(start, 'manual', () => {})
  for (let at = 0; at < size; at += 1) {
    const moment = start + 1 + ((at * 7919) % size)
    clock.schedule({ type: 'import.end', subject: String(at), at: moment })
  }
  return clock
}

export const clockCases: Record<string, ScalingCase> = {
  schedule: {
    what: 'Clock: schedule events',
    growth: 'lookup',
    size: 640_000,
    prepare: (size) => () => scheduledClock(size),
  },
  cancel: {
    what: 'Clock: cancel scheduled events',
    growth: 'lookup',
    size: 160_000,
    prepare: (size) => {
      const clock = scheduledClock(size)
      return () => {
        for (let at = 0; at < size; at += 1) clock.cancel('import.end', String(at))
      }
    },
  },
  advance: {
    what: 'Clock: advance past scheduled events',
    growth: 'linear',
    size: 16_000,
    prepare: (size) => {
      const clock = scheduledClock(size)
      return () => clock.advance(size + 1)
    },
  },
  runToNext: {
    what: 'Clock: call `runToNext` for each scheduled event',
    growth: 'linear',
    size: 8000,
    prepare: (size) => {
      const clock = scheduledClock(size)
      return async () => {
        while (await clock.runToNext());
      }
    },
  },
  bookings: {
    what: 'Waits: concurrent bookings',
    growth: 'linear',
    size: 4000,
    prepare: (size) => {
      const team = createMock({ journalLimit: 10 }).team()
      const ids = orderIds(team, size)
      return () => bookAll(team, ids, { booking_key: 'bk_confirm_after_1s' })
    },
  },
  retries: {
    what: 'Waits: clients that wait before a retry',
    growth: 'linear',
    size: 16_000,
    prepare: (size) => {
      const clock = connectionClock(new TeamClock(start, 'auto', () => {}))
      return () =>
        Promise.all(Array.from({ length: size }, (_, at) => clock.sleep(1000 + (at % 7))))
    },
  },
  timeouts: {
    what: 'Waits: client timeouts, started and stopped',
    growth: 'lookup',
    size: 320_000,
    prepare: (size) => {
      const clock = new TeamClock(start, 'manual', () => {})
      return () => {
        const stops = Array.from({ length: size }, (_, at) => clock.startTimer(at % 977, () => {}))
        for (const stop of stops) stop()
      }
    },
  },
}
