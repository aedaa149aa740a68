import { MockError } from '../../errors.ts'
import type { EventBody } from '../bodies.ts'
import { exhaustedType } from '../type-pattern.ts'
import type { PlannedAttempt } from './attempt-queue.ts'
import type { DeadLetter } from './deliveries.ts'

/** A receiver's messages whose last attempt failed, oldest first. */
export class DeadLetters {
  readonly #letters = new Set<DeadLetter>()
  readonly #byId = new Map<string, DeadLetter[]>()
  /** The iterator is reused, because a new one would have to skip all deleted entries. */
  readonly #oldest = this.#letters.values()

  list(): DeadLetter[] {
    return [...this.#letters]
  }

  /** Adds a dead letter, and drops the oldest one if the limit is exceeded. */
  add(event: DeadLetter, limit: number): void {
    const letter = letterOf(event)
    this.#letters.add(letter)
    this.#byId.set(letter.id, [...(this.#byId.get(letter.id) ?? []), letter])
    const oldest = this.#letters.size > limit ? this.#oldest.next().value : undefined
    if (oldest) this.#delete(oldest)
  }

  restore(letters: readonly DeadLetter[]): void {
    this.take()
    for (const letter of letters) this.add(letter, Number.POSITIVE_INFINITY)
  }

  /** Removes and returns the messages with the given id, or all messages if no id is given. */
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

/** Copies only a dead letter's fields, because an emitted event has additional fields. */
function letterOf({ number, id, event_type, body }: DeadLetter): DeadLetter {
  return { number, id, event_type, body }
}

/**
 * Removes the dead letters with the given id, or all of them if no id is given. Returns a redelivery attempt for each.
 * If no dead letter has the id, uses the outbox event with that id.
 *
 * @throws {MockError} `unknown_record` if no message has this id.
 */
export function takeRedeliveries(
  id: string | undefined,
  letters: DeadLetters,
  outbox: { find: (id: string) => DeadLetter | undefined },
  plan: { at: number; redelivery: number },
): PlannedAttempt[] {
  const dead = letters.take(id)
  const event = dead.length === 0 && id !== undefined ? outbox.find(id) : undefined
  const messages = event ? [event] : dead
  if (messages.length === 0 && id !== undefined) throw unknownMessage(id)
  return messages.map((message) => {
    const letter = letterOf(message)
    return { number: message.number, attempt: 1, isDuplicate: false, letter, ...plan }
  })
}

function unknownMessage(id: string): MockError {
  return new MockError(
    'unknown_record',
    `No message has the id '${id}'. Use an id from deliveries() or deadLetters().`,
  )
}

/**
 * Returns the event that reports the failure of a message's last attempt (assumption), or undefined if the message is
 * itself such a report.
 */
export function exhaustedEvent(
  { id, event_type, body }: DeadLetter,
  webhook_id: string,
  attempts: number,
): EventBody | undefined {
  if (event_type === exhaustedType) return undefined
  const data = { webhook_id, message_id: id, event_type, attempts }
  return { event_type: exhaustedType, user_id: body['user_id'] ?? null, data }
}

/** Returns whether an event reports the given webhook's own failure. A webhook does not receive such events. */
export function isReportOf(event: DeadLetter, webhookId: string): boolean {
  // `body` is created on each read, so check the type first.
  return event.event_type === exhaustedType && Object(event.body['data']).webhook_id === webhookId
}
