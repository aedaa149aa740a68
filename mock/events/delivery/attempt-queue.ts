import { firstIndex } from '../../base/binary-search.ts'
import { spanOf } from '../../state/clock/time.ts'
import { deliverySchedule } from '../../state/defaults.ts'
import type { DeadLetter } from './deliveries.ts'

/** An attempt that is planned. */
export interface PlannedAttempt {
  /** The number of the event in the outbox. */
  number: number
  /** 1 for the first attempt. */
  attempt: number
  /** Milliseconds since 1970, virtual time. */
  at: number
  /** Whether it delivers a duplicated message the second time. */
  isDuplicate: boolean
  /** The message of a redelivery, whose event may have been dropped. */
  letter?: DeadLetter
}

/** The planned attempts of a receiver, in the order of their time. */
export class AttemptQueue {
  #attempts: PlannedAttempt[]

  constructor(attempts: readonly PlannedAttempt[] = []) {
    this.#attempts = [...attempts].sort((one, other) => one.at - other.at)
  }

  /** How many attempts are planned. */
  get size(): number {
    return this.#attempts.length
  }

  /** Returns the planned attempts, the next one first. */
  list(): readonly PlannedAttempt[] {
    return this.#attempts
  }

  /** Adds an attempt after those of the same time. */
  add(attempt: PlannedAttempt): void {
    const attempts = this.#attempts
    const index = firstIndex(
      attempts.length,
      (at) => (attempts[at] as PlannedAttempt).at > attempt.at,
    )
    attempts.splice(index, 0, attempt)
  }

  /** Removes the next attempt and returns it; undefined if none is due. */
  takeDue(now: number): PlannedAttempt | undefined {
    const [next] = this.#attempts
    return next && next.at <= now ? this.#attempts.shift() : undefined
  }

  /** Removes every attempt. */
  clear(): void {
    this.#attempts = []
  }
}

/** Returns the attempt after a failed one; undefined after the last one. */
export function nextAttempt(failed: PlannedAttempt, failedAt: number): PlannedAttempt | undefined {
  const wait = deliverySchedule[failed.attempt - 1]
  if (wait === undefined) return undefined
  return { ...failed, attempt: failed.attempt + 1, at: failedAt + spanOf(wait) }
}
