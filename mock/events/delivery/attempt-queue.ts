import { type Entry, PriorityQueue } from '../../shared/priority-queue.ts'
import type { DeadLetter, PlannedDelivery } from './deliveries.ts'

export interface PlannedAttempt {
  /** The event's number in the outbox. */
  number: number
  /** The attempt number, starting at 1. */
  attempt: number
  /** The scheduled virtual time, as a Unix timestamp in milliseconds. */
  at: number
  /** Whether this is the second delivery of a duplicated message. */
  isDuplicate: boolean
  /** The message to redeliver. Its event may have been dropped from the outbox. */
  letter?: DeadLetter
  /** The number of the `redeliver` call, used to draw new random faults. Omitted for other attempts. */
  redelivery?: number
}

interface QueuedAttempt {
  attempt: PlannedAttempt
  /** The entry in `#needed`, or undefined for a redelivery, which contains its message. */
  needed: Entry<undefined> | undefined
}

export class AttemptQueue {
  readonly #attempts = new PriorityQueue<QueuedAttempt>()
  /** The outbox events that attempts still need, ordered by number. */
  readonly #needed = new PriorityQueue<undefined>()

  constructor(attempts: readonly PlannedAttempt[] = []) {
    for (const attempt of attempts) this.add(attempt)
  }

  get size(): number {
    return this.#attempts.size
  }

  /** The number of the first outbox event that an attempt needs, or infinity if none is needed. */
  get firstNeeded(): number {
    return this.#needed.next
  }

  /** Returns all attempts, earliest first. */
  list(): readonly PlannedAttempt[] {
    return this.#attempts.list().map(({ attempt }) => attempt)
  }

  /** Adds an attempt after those already scheduled for the same time. */
  add(attempt: PlannedAttempt): void {
    const needed = attempt.letter ? undefined : this.#needed.add(attempt.number, undefined)
    this.#attempts.add(attempt.at, { attempt, needed })
  }

  takeDue(now: number): PlannedAttempt | undefined {
    const taken = this.#attempts.take(now)
    if (taken?.needed) this.#needed.remove(taken.needed)
    return taken?.attempt
  }

  clear(): void {
    this.#attempts.clear()
    this.#needed.clear()
  }
}

export function plannedDelivery(
  { number, attempt, isDuplicate, at, letter }: PlannedAttempt,
  outbox: { at: (number: number) => DeadLetter | undefined },
): PlannedDelivery {
  const { id, event_type } = letter ?? outbox.at(number) ?? {}
  return { number, attempt, isDuplicate, at: new Date(at), id, event_type }
}
