import type { BookAndWaitOptions, SeenAppointment } from '../client/appointments/booking-options.ts'
import {
  isOfBooking,
  possibleAppointment,
  receivedIds,
} from '../client/appointments/look-at-order.ts'
import { longestBooking } from '../client/appointments/wait-options.ts'
import type { ServiceClient } from '../client/client.ts'
import { copyJson } from '../client/copy-input.ts'
import { ApiError } from '../client/errors/api-error.ts'
import { withCallSite } from '../client/errors/call-site.ts'
import { RequestValidationError } from '../client/errors/validation-errors.ts'
import { copyOptions } from '../client/options/copy-options.ts'
import type { RequestOptions } from '../client/options/request-options.ts'
import type { BookingInput } from '../contract/appointments.ts'
import type { CreatedOrder, OrderInput } from '../contract/orders.ts'
import { readField, toJson } from '../shared/own-fields.ts'
import { DurableError } from './durable-error.ts'
import type { HeldWrite } from './held-write.ts'
import type { WriteOptions } from './options.ts'
import { runWrite } from './run-or-take-over.ts'
import type { RunEnd, TimeLeft, Write, WriteTools } from './write.ts'

/** Options for a durable `orders.create` or `insurance.create`. */
export interface DurableRequestOptions extends RequestOptions, WriteOptions {}

/** Options for a durable `orders.bookAndWait`. */
export interface DurableBookingOptions
  extends Omit<BookAndWaitOptions, 'alreadySent'>,
    WriteOptions {}

/** A booking whose outcome is known. */
export interface EndedDurableBooking {
  /**
   * `booked` if the appointment is confirmed, in progress or completed. After `cancelled`, you may book again with a
   * different id.
   */
  result: 'booked' | 'cancelled'
  /** The appointment. */
  appointment: SeenAppointment
  /** Present only if `result` is `unresolved`. */
  error?: undefined
}

/** A booking whose outcome cannot be determined. */
export interface UnresolvedDurableBooking {
  /** The appointment may have been booked, so a person must check. */
  result: 'unresolved'
  /** Absent if `result` is `unresolved`. */
  appointment?: undefined
  /** A `DurableError` with the code `unresolved`. Its `cause` is the client's error, or that error's stored JSON. */
  error: DurableError
}

/** The result of a durable booking. It has the same shape as the client's `orders.bookAndWait` result. */
export type DurableBookingResult = EndedDurableBooking | UnresolvedDurableBooking

/** The durable writes for orders. */
export interface DurableOrders {
  /**
   * Creates an order once. After a crash, the order is sent again with the idempotency key that was stored before the
   * first request. The service must honour this key, which the specification does not mention. The service forgets a
   * key after 24 hours (assumption), so after 23 hours without an outcome, the write is unresolved.
   *
   * @param id Your own id for the order: 1 to 255 characters, without personal data.
   * @throws {DurableError}
   * @throws {ServiceError} when the client's call fails. If its `outcome` is `not-sent` or `rejected`, nothing was created,
   * and the id may be reused, even for a corrected order. Otherwise, call again with the same order.
   * @example
   * const { order } = await writes.orders.create('basket-17', basket)
   */
  create(id: string, order: OrderInput, options?: DurableRequestOptions): Promise<CreatedOrder>
  /**
   * Books an appointment once and tracks the booking until its outcome is known. After a crash, tracks the booking
   * without resending it. Unless you pass `after`, reads the order's current appointment before sending the booking.
   *
   * @param id Your own id for the booking: 1 to 255 characters, without personal data. Use a different id for another
   * booking of the same order.
   * @param orderId The order's id, a UUID.
   * @throws {DurableError}
   * @throws {ServiceError} when the client's call fails. If its `outcome` is `not-sent` or `rejected`, nothing was
   * booked, and the id may be reused unless another process took over. Otherwise, call again.
   * @example
   * const { result } = await writes.orders.bookAndWait('visit-17', orderId, { booking_key, async_confirmation: true })
   */
  bookAndWait(
    id: string,
    orderId: string,
    booking: BookingInput,
    options?: DurableBookingOptions,
  ): Promise<DurableBookingResult>
}

export function durableOrders(client: ServiceClient, tools: WriteTools): DurableOrders {
  return {
    create: (id, order, given) => {
      const options = withCallSite(copyOptions(given))
      const { whenBusy, ...call } = options
      const input = copyJson(order)
      const send = async ({ write }: HeldWrite, left: TimeLeft): Promise<RunEnd<CreatedOrder>> => {
        const ageOf = () => tools.clock.now() - write.startedAt
        const age = ageOf()
        // After the service has forgotten the key, an attempt could create a second order. This also applies to the first
        // run, because its process may have been suspended. If the clock was set back, the real age is unknown.
        if (age > keyLifetime || age < -slack) return { state: 'unresolved' }
        const given = left() ?? call.deadline
        const longest = longestCall - age
        const deadline = Number(given ?? client.deadline) > longest ? longest : given
        const keyed = { ...call, deadline, idempotencyKey: write.attempt }
        const isTooOld = () => ageOf() > longestCall
        try {
          const result = await withKeyCheck(client, isTooOld).orders.create(input, keyed)
          return { state: 'done', result }
        } catch (cause) {
          if (isTooOld()) return { state: 'unresolved', cause }
          throw cause
        }
      }
      const write = { id, operation: 'orders.create', input, options, deadline: call.deadline }
      return runWrite({ ...write, send, recover: send }, tools)
    },
    bookAndWait: (id, orderId, booking, options) => {
      const copy = { orderId: copyJson(orderId), booking: copyJson(booking) }
      const given = { id, ...copy, options: withCallSite(copyOptions(options)) }
      return runWrite(bookingWrite(client, given, tools), tools)
    },
  }
}

/**
 * Returns a client that checks the idempotency key's age before each attempt, when it reads the API key. The client's
 * deadline is not enough, because it excludes time during which the machine was suspended.
 */
function withKeyCheck(client: ServiceClient, isTooOld: () => boolean): ServiceClient {
  const apiKey = async () => {
    // For an error without a cause, return an invalid key, so the copy fails as the client would.
    const key = await client.readApiKey().catch((error: unknown) => {
      if (!Object.hasOwn(Object(error), 'cause')) return ''
      throw readField(error, 'cause')
    })
    if (isTooOld()) throw new Error('The idempotency key has expired.')
    return key
  }
  return client.withOptions({ apiKey })
}

/**
 * How long an idempotency key is used, in milliseconds. The service forgets it after 24 hours (assumption). The
 * remaining hour allows for the call itself and for clock differences.
 */
const keyLifetime = 23 * 60 * 60 * 1000

const slack = 30 * 60 * 1000

/** The maximum time from a write's start to the end of its last call, in milliseconds. */
const longestCall = keyLifetime + slack

interface BookingProgress {
  after: string[]
  /**
   * The deadline of the call that sent the booking, in milliseconds; undefined if neither the call nor the client has
   * one.
   */
  deadline?: number | undefined
}

interface DurableBooking {
  id: string
  orderId: string
  booking: BookingInput
  options: DurableBookingOptions
}

function bookingWrite(
  client: ServiceClient,
  { id, orderId, booking, options }: DurableBooking,
  { clock }: WriteTools,
): Write<DurableBookingResult> {
  const { whenBusy, after: given, ...call } = options
  const run = async ({ write }: HeldWrite, left: TimeLeft, alreadySent: boolean) => {
    // The progress was stored before the booking was sent.
    const { after, deadline = 0 }: BookingProgress = JSON.parse(write.progress)
    const limited = { ...call, deadline: left() ?? call.deadline, after, alreadySent }
    const found = await client.orders.bookAndWait(orderId, booking, limited)
    const latest = write.startedAt + Math.max(longestBooking(booking), deadline) + slack
    // Trust the response to this call's own booking, regardless of its time.
    const isOther = alreadySent && wasBookedAfter(latest, found.appointment)
    if (found.result !== 'unresolved' && !isOther) return { state: 'done', result: found } as const
    // A later call may still find the outcome, unless a check after the longest booking time has read the order.
    const isOver = clock.now() - write.startedAt >= longestBooking(booking)
    const isFinal = isOther || (alreadySent && isOver && hasReadOrder(found.error))
    return { state: 'unresolved', cause: found.error, isFinal } as const
  }
  return {
    ...{ id, operation: 'orders.bookAndWait', input: { orderId, booking }, options },
    deadline: options.deadline,
    prepare: async (left) => {
      const limited = { ...options, deadline: left() ?? options.deadline }
      const earlier =
        given === undefined ? await readEarlier(client, id, orderId, limited) : [given].flat()
      const seen = await receivedIds(options, orderId, clock, left())
      const deadline = options.deadline ?? client.deadline
      const progress: BookingProgress = { after: [...earlier, ...seen], deadline }
      return toJson(progress)
    },
    send: (held, left) => run(held, left, false),
    recover: (held, left) => run(held, left, true),
    isSentOnce: true,
    unresolved: (error) => ({ result: 'unresolved', error }),
  }
}

/**
 * Returns whether the wait timed out although its last check read the order's appointment or received a 404 or an
 * invalid response. In that case, another check would not help.
 */
function hasReadOrder(error: unknown): boolean {
  if (readField(error, 'code') !== 'timeout') return false
  const code = readField(readField(error, 'cause'), 'code')
  return code === undefined || code === 'not_found' || code === 'response_invalid'
}

/** Returns whether all of an appointment's events are too late to be from this write's booking. */
function wasBookedAfter(latest: number, appointment: SeenAppointment | undefined): boolean {
  const events: unknown = appointment?.events
  if (!Array.isArray(events) || events.length === 0) return false
  return events.every((event) => {
    const time = readField(event, 'created_at')
    // A time without an offset may be in any time zone.
    const isTime = typeof time === 'string' && /(?:Z|[+-]\d\d:?\d\d)$/i.test(time)
    return isTime && Date.parse(time) > latest
  })
}

async function readEarlier(
  client: ServiceClient,
  id: string,
  orderId: string,
  { signal, timeout, deadline, headers }: DurableBookingOptions,
): Promise<string[]> {
  try {
    const call: RequestOptions = { signal, timeout, deadline, headers }
    const found: unknown = await client.orders.getPhlebotomyAppointment(orderId, call)
    if (isOfBooking(found, orderId)) return [found.id]
    throw notChecked(id)
  } catch (cause) {
    if (cause instanceof DurableError || cause instanceof RequestValidationError) throw cause
    if (cause instanceof ApiError && cause.status === 404) return [possibleAppointment]
    throw notChecked(id, cause)
  }
}

function notChecked(id: string, cause?: unknown): DurableError {
  return new DurableError(
    'not_sent',
    'The order could not be checked for an earlier appointment, so the booking was not sent. Call again.',
    { id, cause },
  )
}
