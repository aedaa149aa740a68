import { MockError } from '../errors.ts'
import type { Fault } from '../faults/fault.ts'
import type { JournalEntry } from '../http/journal/journal-entry.ts'
import type { ClockMode } from '../state/clock/clock-modes.ts'
import type { PendingEvent } from '../state/clock/due-queue.ts'

/** The part of `RemoteTeam` that `explainTeam` and `toHaveReceived` use. */
export interface RemoteTeamState {
  /** The virtual clock. */
  readonly clock: {
    /** Returns the virtual time. */
    now(): Promise<Date>
    /** Returns the clock mode. */
    mode(): Promise<ClockMode>
    /** Returns the scheduled events, earliest first. */
    pending(): Promise<PendingEvent[]>
  }
  /** The injected faults. */
  readonly faults: {
    /** Returns the faults that have not affected any request. */
    unused(): Promise<Fault[]>
  }
  /** The team's requests. */
  readonly journal: {
    /** Returns the number of requests since the journal was cleared, including deleted ones. */
    count(): Promise<number>
    /** Returns the stored requests, oldest first. */
    requests(): Promise<JournalEntry[]>
  }
  /** Returns the team's current state as one line of JavaScript. */
  reproduction(): Promise<string>
}

/**
 * Returns whether a value is a `RemoteTeam`. Untyped callers may pass any value.
 *
 * @param user The name of the function that uses the team.
 * @throws {MockError} `invalid_option` if the value is not a team.
 */
export function isRemoteTeam(value: unknown, user: string): value is RemoteTeamState {
  const { journal } = Object(value)
  // In this process, `count` is a number.
  if (typeof journal?.count === 'function') return true
  if (typeof journal?.count === 'number') return false
  throw new MockError(
    'invalid_option',
    `${user} requires a Team or a RemoteTeam, but got a different value.`,
  )
}
