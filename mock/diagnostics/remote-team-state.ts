import { MockError } from '../errors.ts'
import type { Fault } from '../faults/fault.ts'
import type { JournalEntry } from '../http/journal/journal-entry.ts'
import type { ClockMode } from '../state/clock/clock-modes.ts'
import type { PendingEvent } from '../state/clock/due-queue.ts'

/** What `explainTeam` and `toHaveReceived` read of a team in another process: a part of `RemoteTeam`. */
export interface RemoteTeamState {
  /** The virtual time. */
  readonly clock: {
    /** Returns the virtual time. */
    now(): Promise<Date>
    /** Returns how virtual time passes. */
    mode(): Promise<ClockMode>
    /** Returns the due events, the next one first. */
    pending(): Promise<PendingEvent[]>
  }
  /** The injected faults. */
  readonly faults: {
    /** Returns the faults that affected no request. */
    unused(): Promise<Fault[]>
  }
  /** The requests of the team. */
  readonly journal: {
    /** Returns the number of requests, including deleted entries. */
    count(): Promise<number>
    /** Returns the stored requests, the oldest first. */
    requests(): Promise<JournalEntry[]>
  }
  /** Returns the team's current state as one line of JavaScript. */
  reproduction(): Promise<string>
}

/**
 * Returns whether a team is in another process. Callers without types may pass any value.
 *
 * @param user The function that needs the team.
 * @throws {MockError} `invalid_option` if the value is not a team.
 */
export function isRemoteTeam(value: unknown, user: string): value is RemoteTeamState {
  const { journal } = Object(value)
  // In this process, `count` is a number.
  if (typeof journal?.count === 'function') return true
  if (typeof journal?.count === 'number') return false
  throw new MockError(
    'invalid_option',
    `${user} needs a team of createMock() or connectMock(), but got another value.`,
  )
}
