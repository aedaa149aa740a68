import type { AgendaItem } from '../control/agenda.ts'
import { agendaSchema, clockSchema, nextEventSchema } from '../control/responses.ts'
import type { ClockMode } from '../state/clock/clock-modes.ts'
import type { PendingEvent } from '../state/clock/due-queue.ts'
import { type Instant, momentOf, spanOf, type TimeSpan } from '../state/clock/time.ts'
import type { ControlClient } from './control-client.ts'
import { type Dated, reviveDate } from './dates.ts'

/** The clock of a team in another process. */
export interface RemoteClock {
  /** Returns the virtual time. */
  now(): Promise<Date>
  /** Returns how virtual time passes. */
  mode(): Promise<ClockMode>
  /** Changes how virtual time passes. */
  setMode(mode: ClockMode): Promise<void>
  /** Returns the due events, the next one first. */
  pending(): Promise<PendingEvent[]>
  /** Returns the due events with what each of them is about, the next one first. */
  agenda(): Promise<AgendaItem[]>
  /** Advances the virtual time by a time span. */
  advance(span: TimeSpan): Promise<void>
  /** Advances the virtual time to a moment. */
  advanceTo(instant: Instant): Promise<void>
  /** Advances the virtual time to the next due event, and returns it; undefined without due events. */
  runToNext(): Promise<PendingEvent | undefined>
  /** Resolves when at least this number of requests wait for virtual time. Default: 1. */
  whenWaiting(requests?: number): Promise<void>
}

interface ClockState {
  now: string
  mode: ClockMode
  pending: Dated<PendingEvent>[]
}

/** Returns the clock of a team. */
export function remoteClock(client: ControlClient): RemoteClock {
  const read = () => client.read<ClockState>('GET /clock', clockSchema)
  return {
    now: async () => new Date((await read()).now),
    mode: async () => (await read()).mode,
    setMode: async (mode) => void (await client.run('PATCH /clock', { mode })),
    pending: async () => (await read()).pending.map(reviveDate),
    agenda: async () => {
      const items = await client.read<Dated<AgendaItem>[]>('GET /clock/agenda', agendaSchema)
      return items.map(reviveDate)
    },
    advance: async (span) => void (await client.run('POST /clock/advance', { by: spanOf(span) })),
    advanceTo: async (instant) =>
      void (await client.run('POST /clock/advance_to', { to: momentOf(instant) })),
    runToNext: async () => {
      const { event } = await client.read<{ event: Dated<PendingEvent> | null }>(
        'POST /clock/run_to_next',
        nextEventSchema,
      )
      return event ? reviveDate(event) : undefined
    },
    whenWaiting: async (requests) =>
      void (await client.run('POST /clock/when_waiting', { requests })),
  }
}
