import { MockError } from '../../errors.ts'
import type { DeadLetter } from './deliveries.ts'

/**
 * Returns the messages to deliver again, and those of them that are dead letters.
 *
 * @param id The `webhook-id` of a message. Default: every dead letter.
 * @throws {MockError} `unknown_record` if no message has this id.
 */
export function findMessages(
  id: string | undefined,
  deadLetters: readonly DeadLetter[],
  outbox: { list(): DeadLetter[] },
): { letters: DeadLetter[]; messages: DeadLetter[] } {
  const letters = deadLetters.filter((letter) => id === undefined || letter.id === id)
  const event = outbox.list().find((emitted) => emitted.id === id)
  const messages = letters.length > 0 || !event ? letters : [event]
  if (messages.length > 0 || id === undefined) return { letters, messages }
  throw new MockError(
    'unknown_record',
    `No message has the id '${id}'. Use an id from deliveries() or deadLetters().`,
  )
}

/** Returns the parts of an event that a redelivery needs. */
export function letterOf({ number, id, event_type, body }: DeadLetter): DeadLetter {
  return { number, id, event_type, body }
}

/** Appends to a list, and drops its oldest item beyond the limit. */
export function appendWithin<T>(limit: number, list: T[], item: T): void {
  list.push(item)
  if (list.length > limit) list.shift()
}
