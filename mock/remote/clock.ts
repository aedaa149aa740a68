import type { AgendaItem } from '../control/agenda.ts'
import type { Send } from '../control/api.ts'
import type { ClockMode } from '../state/clock/clock-modes.ts'
import type { PendingEvent } from '../state/clock/due-queue.ts'
import { type Instant, momentOf, spanOf, type TimeSpan } from '../state/clock/time.ts'
import { reviveDate } from './collection.ts'

/** The clock of a team in another process. */
export interface RemoteClock {
  /** Returns the virtual time. */
  now(): Promise<Date>
  /** Returns the clock mode. */
  mode(): Promise<ClockMode>
  /** Sets the clock mode. */
  setMode(mode: ClockMode): Promise<void>
  /** Returns the scheduled events, earliest first. */
  pending(): Promise<PendingEvent[]>
  /** Returns the scheduled events with their descriptions, earliest first. */
  agenda(): Promise<AgendaItem[]>
  /** Advances virtual time by a time span. */
  advance(span: TimeSpan): Promise<void>
  /** Advances virtual time to a given time. */
  advanceTo(instant: Instant): Promise<void>
  /** Advances virtual time to the next scheduled event. Returns that event, or undefined if there is none. */
  runToNext(): Promise<PendingEvent | undefined>
  /** Resolves when at least this many requests are waiting for virtual time to pass. Default: 1. */
  whenWaiting(requests?: number): Promise<void>
}

export function remoteClock(send: Send): RemoteClock {
  return {
    now: async () => new Date((await send('clock.get')).now),
    mode: async () => (await send('clock.get')).mode,
    setMode: async (mode) => void (await send('clock.update', { body: { mode } })),
    pending: async () => (await send('clock.get')).pending.map(reviveDate),
    agenda: async () => (await send('clock.agenda')).map(reviveDate),
    advance: async (span) => void (await send('clock.advance', { body: { by: spanOf(span) } })),
    advanceTo: async (instant) =>
      void (await send('clock.advanceTo', { body: { to: momentOf(instant) } })),
    runToNext: async () => {
      const { event } = await send('clock.runToNext')
      return event ? reviveDate(event) : undefined
    },
    whenWaiting: async (requests) => void (await send('clock.whenWaiting', { body: { requests } })),
  }
}
