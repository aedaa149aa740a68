import { MockError } from '../../errors.ts'
import type { DeadLetter } from './deliveries.ts'

/** The messages of a receiver whose last attempt failed, the oldest first. */
export class DeadLetters {
  readonly #letters = new Set<DeadLetter>()
  readonly #byId = new Map<string, DeadLetter[]>()
  /** Visits the oldest letters, each of which is then deleted; a new iterator would look at all deleted ones again. */
  readonly #oldest = this.#letters.values()

  /** Returns the messages. */
  list(): DeadLetter[] {
    return [...this.#letters]
  }

  /** Adds a message, and drops the oldest one beyond the limit. */
  add(letter: DeadLetter, limit: number): void {
    this.#letters.add(letter)
    this.#byId.set(letter.id, [...(this.#byId.get(letter.id) ?? []), letter])
    const oldest = this.#letters.size > limit ? this.#oldest.next().value : undefined
    if (oldest) this.#delete(oldest)
  }

  /** Removes the messages with an id and returns them. Default: every message. */
  take(id?: string): DeadLetter[] {
    const taken = id === undefined ? this.list() : (this.#byId.get(id) ?? [])
    for (const letter of taken) this.#delete(letter)
    return taken
  }

  #delete(letter: DeadLetter): void {
    this.#letters.delete(letter)
    const others = this.#byId.get(letter.id)?.filter((kept) => kept !== letter) ?? []
    if (others.length === 0) this.#byId.delete(letter.id)
    else this.#byId.set(letter.id, others)
  }
}

/** Returns a message, or an event with further fields, as a dead letter. */
export function letterOf({ number, id, event_type, body }: DeadLetter): DeadLetter {
  return { number, id, event_type, body }
}

/** Returns the error for an id that no message of a receiver has. */
export function unknownMessage(id: string): MockError {
  return new MockError(
    'unknown_record',
    `No message has the id '${id}'. Use an id from deliveries() or deadLetters().`,
  )
}
