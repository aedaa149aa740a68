import type { EventBody } from '../bodies.ts'
import type { DeadLetter } from './deliveries.ts'

const exhaustedType = 'message.attempt.exhausted'

/** Returns the event of a message whose last attempt failed (assumption); undefined for a message that is such an event itself. */
export function exhaustedEvent(
  { id, event_type, body }: DeadLetter,
  webhook_id: string,
  attempts: number,
): EventBody | undefined {
  if (event_type === exhaustedType) return undefined
  const data = { webhook_id, message_id: id, event_type, attempts }
  return { event_type: exhaustedType, user_id: body['user_id'] ?? null, data }
}

/** Whether an event reports messages of a receiver, which does not get it. */
export function isReportOf(event: DeadLetter, webhookId: string): boolean {
  // A body is made on each reading.
  return event.event_type === exhaustedType && Object(event.body['data']).webhook_id === webhookId
}
