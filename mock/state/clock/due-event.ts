import { MockError, messageOf } from '../../errors.ts'

export const dueEventTypes = [
  'booking.outcome',
  'booking.pending',
  'booking.timeout',
  'booking.abandoned',
  'import.end',
  'webhook.due',
  'data.arrival',
  'order.progress',
  'appointment.progress',
] as const

/** The type of a scheduled event. */
export type DueEventType = (typeof dueEventTypes)[number]

/** A scheduled event, in the form that snapshots store. */
export interface DueEvent {
  /** The virtual time, as a Unix timestamp in milliseconds. */
  at: number
  /** The event type, such as `import.end`. */
  type: DueEventType
  /** The id of the booking, bulk import, webhook, order or appointment, or `data` for arriving health data. */
  subject: string
  /** The number of the request that caused the event. Omitted in snapshots. */
  cause?: number | undefined
}

/** Handles the errors of scheduled events. `isAwaited` is true if a request or clock advance fails with the error. */
export type FailureListener = (failure: MockError, event: DueEvent, isAwaited: boolean) => void

export function failureOf({ type, subject }: DueEvent, cause: unknown): MockError {
  return new MockError(
    'failed_event',
    `The scheduled event ${type} of ${subject} failed: ${messageOf(cause)} It will not run again. Check the records that it needs.`,
    { cause },
  )
}
