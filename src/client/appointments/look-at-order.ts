import type { Appointment } from '../../contract/appointments.ts'
import { ownFields, readField } from '../../shared/own-fields.ts'
import type { Clock } from '../clock.ts'
import { AbortError } from '../errors/abort-error.ts'
import { type ErrorFacts, ServiceError } from '../errors/service-error.ts'
import { RequestValidationError } from '../errors/validation-errors.ts'
import type { RequestOptions } from '../options/request-options.ts'
import { abortable } from '../transport/cancellation.ts'
import { runWithin } from '../transport/time-limit.ts'
import type { BookAndWaitOptions, BookingResult, SeenAppointment } from './booking-options.ts'
import { isOneOf, type Look, type ReadAppointment, retryDelayOf } from './poll-appointment.ts'

export interface OrderToRead {
  orderId: string
  read: ReadAppointment
}

interface LookTools {
  call: RequestOptions
  /** Returns the milliseconds until the end of the wait. */
  remaining: () => number
  clock: Clock
  facts: ErrorFacts
  known: KnownOfBooking
}

/** The results of a wait's checks so far. */
export interface KnownOfBooking {
  /** The id of the booked appointment. Undefined until a response contains it. */
  id: string | undefined
  /** The error of the last request, if it failed. */
  failure?: unknown
}

/**
 * A placeholder for the id of an earlier appointment that may exist. Neither a 404 nor unreadable events rule one out.
 */
export const possibleAppointment = 'possible'

/**
 * Checks the order and the received events, or only the events until the time in `Retry-After`. Returns the check's
 * `ServiceError` as `failure`, because it does not describe the booking.
 */
export async function lookAtOrder(
  { orderId, read }: OrderToRead,
  options: BookAndWaitOptions,
  { call, remaining, clock, facts, known }: LookTools,
): Promise<Look<BookingResult>> {
  const { after, alreadySent, received, signal } = options
  // Read the events during the check, so a slow `received` does not delay it. This promise never rejects.
  const reading = readReceived(options, orderId, clock, remaining())
  let current: Appointment | undefined
  if (!received || retryDelayOf(known.failure, clock) <= 0) {
    known.failure = undefined
    try {
      current = await read({ ...call, deadline: remaining() })
    } catch (error) {
      if (signal?.aborted) throw new AbortError(ownFields({ ...facts, cause: signal.reason }))
      // An `apiKey` function that fails at a check says nothing about the booking.
      const isInvalid =
        alreadySent && error instanceof RequestValidationError && error.attempts.length === 0
      if (!(error instanceof ServiceError) || isInvalid) throw error
      known.failure = error
    }
  }
  const events = (await reading) ?? []
  if (isOfBooking(current, orderId, after)) known.id ??= current.id
  const ids = known.id === undefined ? undefined : [known.id]
  // If the order has earlier appointments, a late event may be about one of them.
  const isShown = ids || [after ?? []].flat().length === 0
  const seen = [...(isShown ? events : []), current]
    .filter((one) => isOfBooking(one, orderId, after))
    .filter(({ id }) => !ids || isOneOf(id, ids))
  const results = seen.map(bookingResult).filter((result) => result !== undefined)
  const last = results.at(-1)
  // Events can arrive in any order, so contradictory events are inconclusive. A response is always conclusive.
  const isProof =
    last?.appointment === current || results.every(({ result }) => result === last?.result)
  const found = isProof ? last : undefined
  const { failure } = known
  const retryIn = received ? 0 : retryDelayOf(failure, clock)
  return { found, status: seen.at(-1)?.status, retryIn, failure }
}

export async function receivedIds(
  options: BookAndWaitOptions,
  orderId: string,
  clock: Clock,
  deadline?: number,
): Promise<string[]> {
  const events = await readReceived(options, orderId, clock, deadline)
  if (!events) return [possibleAppointment]
  return [...new Set(events.filter((one) => isOfBooking(one, orderId)).map(({ id }) => id))]
}

/** The time limit for one call to `received`, in milliseconds. */
const longestReceived = 10_000

/** Returns the received events, or undefined if `received` fails, takes too long or does not return an array. */
async function readReceived(
  { received, signal }: BookAndWaitOptions,
  orderId: string,
  clock: Clock,
  deadline = longestReceived,
): Promise<readonly unknown[] | undefined> {
  if (!received) return []
  const createError = () => new Error('late')
  const milliseconds = Math.min(longestReceived, deadline)
  const limit = { clock, milliseconds, signal, createError }
  try {
    const read = async () => received(orderId)
    const seen: unknown = await runWithin(limit, (end) => abortable(read(), end))
    return Array.isArray(seen) ? seen : undefined
  } catch {
    return undefined
  }
}

/** Returns whether an event or response describes one of the order's appointments, other than those in `after`. */
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

/**
 * Returns the result, or undefined if the booking may still be in progress or its status is unknown to this version.
 */
export function bookingResult(appointment: SeenAppointment): BookingResult | undefined {
  const { status } = appointment
  if (status === 'cancelled') return { result: 'cancelled', appointment }
  const isBooked = status === 'confirmed' || status === 'in_progress' || status === 'completed'
  return isBooked ? { result: 'booked', appointment } : undefined
}
