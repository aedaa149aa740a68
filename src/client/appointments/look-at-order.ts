import type { Appointment } from '../../contract/appointments.ts'
import { ownFields, readField } from '../../contract/own-fields.ts'
import type { Clock } from '../clock.ts'
import { AbortError } from '../errors/abort-error.ts'
import { type ErrorFacts, ServiceError } from '../errors/service-error.ts'
import { RequestValidationError } from '../errors/validation-errors.ts'
import type { RequestOptions } from '../options/request-options.ts'
import type { BookAndWaitOptions, BookingResult, SeenAppointment } from './booking-options.ts'
import { isOneOf, type Look, type ReadAppointment, retryDelayOf } from './poll-appointment.ts'

/** The order of a booking, and how to read its appointment. */
export interface OrderToRead {
  orderId: string
  read: ReadAppointment
}

/** What a look at the order needs. */
interface LookTools {
  /** Options of the check. */
  call: RequestOptions
  clock: Clock
  facts: ErrorFacts
  /** The id that the booking's own response showed. */
  booked: string | undefined
}

/** Reads what the webhook received and what the service says. A failed check proves nothing, whatever it fails with. */
export async function lookAtOrder(
  { orderId, read }: OrderToRead,
  { received, after, alreadySent, signal }: BookAndWaitOptions,
  { call, clock, facts, booked }: LookTools,
): Promise<Look<BookingResult>> {
  const events = await readReceived(received, orderId)
  let current: Appointment | undefined
  let failure: unknown
  try {
    current = await read(call)
  } catch (error) {
    if (signal?.aborted) throw new AbortError(ownFields({ ...facts, cause: signal.reason }))
    const isInvalid = alreadySent && error instanceof RequestValidationError
    if (!(error instanceof ServiceError) || isInvalid) throw error
    failure = error
  }
  const ofOrder = [...events, current].filter((one) => isOfBooking(one, orderId, after))
  // An event of an appointment from before the booking may arrive late.
  const id = booked ?? (isOfBooking(current, orderId, after) ? current.id : undefined)
  const seen = ofOrder.filter((one) => id === undefined || isOneOf(one.id, [id]))
  const found = seen.map(resultOf).findLast((result) => result !== undefined)
  return { found, status: seen.at(-1)?.status, retryIn: retryDelayOf(failure, clock), failure }
}

/** Returns the ids of the appointments of an order that the webhook received until now. */
export async function receivedIds(
  received: BookAndWaitOptions['received'],
  orderId: string,
): Promise<string[]> {
  const events = await readReceived(received, orderId)
  return [...new Set(events.filter((one) => isOfBooking(one, orderId)).map(({ id }) => id))]
}

/** A store of events that cannot be read proves nothing. Callers without types may return anything. */
async function readReceived(
  received: BookAndWaitOptions['received'],
  orderId: string,
): Promise<readonly unknown[]> {
  try {
    const seen: unknown = await received?.(orderId)
    return Array.isArray(seen) ? seen : []
  } catch {
    return []
  }
}

/** Returns whether an event or a response shows an appointment of the order that it did not have before. */
export function isOfBooking(
  seen: unknown,
  orderId: string,
  after: BookAndWaitOptions['after'] = [],
): seen is SeenAppointment {
  const id = readField(seen, 'id')
  const order = readField(seen, 'order_id')
  const isOther = typeof order === 'string' && !isOneOf(order, [orderId])
  return typeof id === 'string' && !isOther && !isOneOf(id, [after].flat())
}

/** How a booking ended; undefined while it may still go on, and for a status that this version does not know. */
export function resultOf(appointment: SeenAppointment): BookingResult | undefined {
  const { status } = appointment
  if (status === 'cancelled') return { result: 'cancelled', appointment }
  const isBooked = status === 'confirmed' || status === 'in_progress' || status === 'completed'
  return isBooked ? { result: 'booked', appointment } : undefined
}
