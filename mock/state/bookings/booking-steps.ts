import type { BookingInput } from '../../../src/contract/appointments.ts'
import { confirmationTimeouts } from '../../../src/contract/values/bounds.ts'
import type { DueEventType } from '../clock/due-queue.ts'
import type { BookingOutcome } from './outcomes.ts'

/** A booking in progress. It ends with a confirmation, a failure or a timeout (specification 3.1). */
export interface OpenBooking {
  /** The booking's id, which is also its appointment's id. */
  id: string
  /** The id of the appointment's order. */
  order_id: string
  /** The notes from the request. */
  appointment_notes: string | null
  /** Whether `async_confirmation` was true in the request. */
  is_async: boolean
  outcome: BookingOutcome['outcome']
}

export const bookingEventTypes = [
  'booking.outcome',
  'booking.pending',
  'booking.timeout',
  'booking.abandoned',
] as const satisfies DueEventType[]

/** A step of a booking. `after` is the delay from the start of the booking, in milliseconds. */
type Step = readonly [type: (typeof bookingEventTypes)[number], after: number]

/**
 * Returns a booking's steps, or none if it ends immediately. All timeouts are measured from the start of the booking.
 * The specification does not define how an asynchronous booking fails. With the outcome `fail`, its appointment
 * therefore stays pending until the timeout.
 */
export function bookingStepsOf(
  { is_async, outcome }: OpenBooking,
  body: BookingInput,
  after: number,
  synchronousTimeout: number,
): Step[] {
  const hasOutcome = outcome === 'confirm' || (outcome === 'fail' && !is_async)
  if (hasOutcome && after === 0) return []
  const first: Step[] = hasOutcome ? [['booking.outcome', after]] : []
  if (!is_async) return [...first, ['booking.timeout', synchronousTimeout]]
  const { sync, async } = confirmationTimeouts
  const pendingAfter = body.sync_confirmation_timeout_millisecond ?? sync.default
  const abandonedAfter = body.async_confirmation_timeout_millisecond ?? async.default
  return [...first, ['booking.pending', pendingAfter], ['booking.abandoned', abandonedAfter]]
}
