import type { Appointment, BookingInput } from '../../contract/appointments.ts'
import { ownFields } from '../../shared/own-fields.ts'
import type { WithResponse } from '../call.ts'
import type { Clock } from '../clock.ts'
import { AbortError } from '../errors/abort-error.ts'
import { ApiError } from '../errors/api-error.ts'
import { callSiteOf } from '../errors/call-site.ts'
import { TimeoutError } from '../errors/connection-errors.ts'
import { describeRequest, joinSentences } from '../errors/message.ts'
import { type ErrorFacts, ServiceError } from '../errors/service-error.ts'
import { RequestValidationError } from '../errors/validation-errors.ts'
import { findOptionIssues } from '../options/check-options.ts'
import type { RequestOptions } from '../options/request-options.ts'
import {
  type BookAndWaitOptions,
  type BookingResult,
  bookingOptionRules,
} from './booking-options.ts'
import {
  bookingResult,
  isOfBooking,
  lookAtOrder,
  type OrderToRead,
  possibleAppointment,
  receivedIds,
} from './look-at-order.ts'
import {
  describeEnd,
  describeFailure,
  describeStatus,
  type PollResult,
  pollAppointment,
  programError,
} from './poll-appointment.ts'
import { longestBooking } from './wait-options.ts'

export interface BookingRequests extends OrderToRead {
  booking: BookingInput
  book: (options: RequestOptions) => PromiseLike<WithResponse<Appointment>>
}

const bookingCall = {
  operation: 'orders.bookAndWait',
  route: 'POST /v3/order/{order_id}/phlebotomy/appointment/book',
}

/** `appointment` and `failure` are both absent if an earlier process sent the booking. */
interface SentBooking extends Pick<ErrorFacts, 'attempts' | 'requestId'> {
  appointment?: Appointment
  failure?: ServiceError
}

/**
 * Books an appointment and waits for the outcome. Never resends a booking that may have taken effect.
 *
 * @throws {ServiceError} if the call booked nothing or the caller aborts.
 */
export async function bookAndWait(
  requests: BookingRequests,
  options: BookAndWaitOptions,
  clock: Clock,
): Promise<BookingResult> {
  const { after, alreadySent, received, pollInterval, maxPollInterval, deadline, ...call } = options
  checkArguments(requests.booking, options)
  const before = factsOf({ attempts: [] }, options, 'not-sent')
  const startedAt = await orThrow(before, () => clock.monotonic())
  const limited = (): RequestOptions => {
    if (deadline === undefined) return call
    const left = Math.ceil(startedAt + deadline - clock.monotonic())
    if (left > 0) return { ...call, deadline: left }
    throw new TimeoutError(`deadline (${deadline} ms)`, before)
  }

  const earlier = await orThrow(before, () => earlierIds(requests, limited, { options, clock }))
  const sent: SentBooking = alreadySent
    ? ownFields({ attempts: [] })
    : await orThrow(before, limited).then((call) => send(requests, call))
  const { appointment } = sent
  // A response with an earlier appointment says nothing about this booking.
  const shown = isOfBooking(appointment, requests.orderId, earlier) ? appointment : undefined
  const first = shown && bookingResult(shown)
  if (first) return first

  const limit = deadline ?? longestBooking(requests.booking)
  const facts = factsOf(sent, options, 'unknown')
  const known = { id: shown?.id }
  const look = (remaining: () => number) =>
    lookAtOrder(requests, { ...options, after: earlier }, { call, remaining, clock, facts, known })
  try {
    const endAt = (deadline === undefined ? clock.monotonic() : startedAt) + limit
    const poll = ownFields({ ...options, limit, end: endAt, facts })
    const end = await pollAppointment(look, poll, clock)
    if (end.found) return end.found
    return { result: 'unresolved', error: unresolvedError(limit, facts, sent.failure, end) }
  } catch (failure) {
    const error = programError(failure, facts)
    if (error === failure || !(error instanceof ServiceError)) throw failure
    return { result: 'unresolved', error }
  }
}

/** Converts errors from code outside the client, such as a custom clock, to a `ConnectionError`. */
async function orThrow<T>(facts: ErrorFacts, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw programError(error, facts)
  }
}

/**
 * Returns the ids of the order's earlier appointments. Before the booking is sent, every appointment in a received
 * event is an earlier one, so its id is included.
 */
async function earlierIds(
  requests: BookingRequests,
  limited: () => RequestOptions,
  { options, clock }: { options: BookAndWaitOptions; clock: Clock },
): Promise<readonly string[]> {
  const { after, alreadySent } = options
  const given =
    after === undefined ? await readEarlier(requests, limited(), options) : [after].flat()
  if (alreadySent) return given
  return [...given, ...(await receivedIds(options, requests.orderId, clock, limited().deadline))]
}

function checkArguments(booking: unknown, options: BookAndWaitOptions): void {
  const issues = findOptionIssues(options, bookingOptionRules)
  const isObject = typeof booking === 'object' && booking !== null
  if (!isObject) issues.push({ path: 'booking', expected: 'an object' })
  if (options.alreadySent && options.after === undefined) {
    const expected = 'the ids of the earlier appointments, or [], because alreadySent is set'
    issues.push({ path: 'after', expected })
  }
  if (issues.length === 0) return
  throw new RequestValidationError(issues, { ...bookingCall, callSite: callSiteOf(options) })
}

const checkFacts: ErrorFacts = ownFields({
  operation: 'orders.getPhlebotomyAppointment',
  route: 'GET /v3/order/{order_id}/phlebotomy/appointment',
  outcome: 'unknown',
  attempts: [],
})

/** Returns the id of the order's current appointment, or {@link possibleAppointment} after a 404. */
async function readEarlier(
  { orderId, read }: BookingRequests,
  call: RequestOptions,
  options: BookAndWaitOptions,
): Promise<string[]> {
  try {
    const earlier: unknown = await read(call)
    if (isOfBooking(earlier, orderId)) return [earlier.id]
    throw new ServiceError('The response is not an appointment for the order', checkFacts)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [possibleAppointment]
    throw error instanceof ServiceError ? notSentError(error, options) : error
  }
}

/** Returns an error for the booking, because the failed check's outcome describes only the check. */
function notSentError(error: ServiceError, options: BookAndWaitOptions): ServiceError {
  if (error.outcome === 'not-sent' || error.outcome === 'rejected') return error
  const { operation, route, attempts, requestId } = error
  const cause = error instanceof AbortError ? error.reason : error
  const facts = ownFields({ ...factsOf({ attempts: [] }, options, 'not-sent'), cause })
  if (error instanceof AbortError) return new AbortError(facts)
  const check: ErrorFacts = ownFields({ operation, route, outcome: 'unknown', attempts, requestId })
  const message = joinSentences(
    `${bookingCall.operation} failed: the order could not be checked for an earlier appointment`,
    'The booking was not sent',
    describeRequest(check),
  )
  return new ServiceError(message, facts)
}

async function send({ book }: BookingRequests, call: RequestOptions): Promise<SentBooking> {
  try {
    const { data, response } = await book(call)
    return ownFields({ appointment: data, ...response })
  } catch (error) {
    if (!(error instanceof ServiceError) || error instanceof AbortError) throw error
    if (error.outcome === 'not-sent' || error.outcome === 'rejected') throw error
    const { attempts, requestId } = error
    return ownFields({ failure: error, attempts, requestId })
  }
}

function factsOf(
  { attempts, requestId }: SentBooking,
  options: BookAndWaitOptions,
  outcome: ErrorFacts['outcome'],
): ErrorFacts {
  const callSite = callSiteOf(options)
  return ownFields({ ...bookingCall, outcome, attempts, requestId, callSite })
}

function unresolvedError(
  limit: number,
  facts: ErrorFacts,
  failed: ServiceError | undefined,
  end: PollResult<BookingResult>,
): TimeoutError {
  const missing = `no proof that the visit is booked or cancelled${describeStatus(end.status)}`
  return new TimeoutError(
    `deadline (${limit} ms)${describeFailure('booking', failed)}${describeEnd(end)}`,
    ownFields({ ...facts, cause: failed ?? end.failure }),
    missing,
  )
}
