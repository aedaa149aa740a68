import type { Appointment, BookingInput } from '../../contract/appointments.ts'
import type { CreatedOrder, OrderInput } from '../../contract/orders.ts'
import type { BookAndWaitOptions, BookingResult } from '../appointments/booking-options.ts'
import type { AppointmentWaitOptions } from '../appointments/wait-options.ts'
import type { Call } from '../call.ts'
import { copyJson } from '../copy-input.ts'
import type { Download } from '../download/download.ts'
import { withCallSite } from '../errors/call-site.ts'
import { copyOptions } from '../options/copy-options.ts'
import type { CreateOrderOptions } from '../options/create-order-options.ts'
import type { RequestOptions } from '../options/request-options.ts'
import type { Transport } from '../transport/transport.ts'

/** The methods of `client.orders`, for lab orders and their phlebotomy appointments. */
export class OrdersApi {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Books a phlebotomy appointment (specification 4.8). Without `async_confirmation`, the call waits for confirmation,
   * and the client extends its `timeout` by four minutes. With `async_confirmation`, the call returns a pending
   * appointment if no confirmation arrives within `sync_confirmation_timeout_millisecond`. The booking then continues
   * in the background. To prevent double bookings, the call is retried only if the service did not process the request.
   *
   * @param orderId The order's id, a UUID.
   * @throws {InternalServerError} when a synchronous booking failed or was not confirmed. Its `outcome` is `unknown`.
   * Do not book again after a 404 from `getPhlebotomyAppointment`: the booking may still be in progress. To track it,
   * use `bookAndWait` with `alreadySent`.
   * @throws {BadRequestError} when the booking key is unknown, used or expired, or the order already has an
   * appointment.
   * @example
   * const appointment = await client.orders.bookPhlebotomyAppointment(orderId, { booking_key })
   */
  bookPhlebotomyAppointment(
    orderId: string,
    booking: BookingInput,
    options?: RequestOptions,
  ): Call<Appointment> {
    return this.#transport.send(
      ({ orders }) => orders.bookPhlebotomyAppointment,
      { params: { order_id: orderId }, body: booking },
      options,
    )
  }

  /**
   * Creates a lab order (specification 4.12). Without an `idempotencyKey`, the call is retried only if the service did
   * not process the request. If the outcome is `unknown`, the specification offers no way to find out whether the order
   * exists.
   *
   * With an `idempotencyKey`, the call is retried like an idempotent call and is safe to make again after a crash. The
   * service must honour the `x-idempotency-key` header, which the specification does not mention. Otherwise, a retry
   * may create a second order.
   *
   * @throws {ConflictError} when you pass a key and the first request with that key is still in progress after all
   * retries. Its `outcome` is `unknown`: call again later with the same key.
   * @throws {InternalServerError} when the service fails. If its `outcome` is `unknown` and you passed a key, the
   * service returns the same failure for 24 hours (an assumption). Have someone check whether the order exists before
   * you use another key.
   * @example
   * const { order } = await client.orders.create(
   *   { user_id, patient_details, patient_address, order_set: { lab_test_ids: [labTestId] } },
   *   { idempotencyKey: idempotencyKeyOf('basket 17') },
   * )
   */
  create(order: OrderInput, options?: CreateOrderOptions): Call<CreatedOrder> {
    return this.#transport.send(({ orders }) => orders.createOrder, { body: order }, options)
  }

  /**
   * Returns an order's phlebotomy appointment, for example to track a pending booking. The path is an assumption. The
   * call only reads data, so it is retried after temporary failures.
   *
   * @param orderId The order's id, a UUID.
   * @throws {NotFoundError} when the order has no appointment. If a booking's outcome is unknown, the booking may still
   *   be in progress.
   * @example
   * const { status } = await client.orders.getPhlebotomyAppointment(orderId)
   */
  getPhlebotomyAppointment(orderId: string, options?: RequestOptions): Call<Appointment> {
    return this.#transport.send(
      ({ orders }) => orders.getPhlebotomyAppointment,
      { params: { order_id: orderId } },
      options,
    )
  }

  /**
   * Books a phlebotomy appointment and tracks the booking until its result is known or the `deadline` passes. This can
   * take 16 minutes or more, so call it from a background job. Never resends a booking that may have taken effect. If
   * the response is lost or not final, the call checks the order's appointment at intervals that grow from one second
   * to 30 seconds. With a mock's connection, the call waits in virtual time.
   *
   * The result is `booked`, `cancelled`, or `unresolved` if neither can be proven. If it is `unresolved`, the visit may
   * still be booked: have someone check. Prefer `async_confirmation: true`, so the service limits how long a booking
   * can stay open.
   *
   * Unless you pass `after`, the order's current appointment is read first, so it is not mistaken for the new one. The
   * path for these checks is an assumption, as in `getPhlebotomyAppointment`; if the service lacks it, pass `after: []`
   * and `received`.
   *
   * @param orderId The order's id, a UUID.
   * @throws {ServiceError} when the call booked nothing, for example a `BadRequestError` for a used booking key. Its
   * `outcome` is `not-sent` or `rejected`, and you may call again.
   * @throws {RequestValidationError} when an argument is invalid.
   * @throws {AbortError} when you abort the call. If its `outcome` is `unknown`, the visit may still be booked: call
   * again with `alreadySent`.
   * @example
   * const slot = { booking_key, async_confirmation: true }
   * const { result, appointment, error } = await client.orders.bookAndWait(orderId, slot)
   */
  async bookAndWait(
    orderId: string,
    booking: BookingInput,
    options?: BookAndWaitOptions,
  ): Promise<BookingResult> {
    const given = copyOptions(options)
    const copy = withCallSite({ ...given, after: copyJson(given.after) })
    const input = copyJson(booking)
    // Load the module on demand, because most programs do not book appointments.
    const { bookAndWait } = await import('../appointments/book-and-wait.ts')
    const requests = {
      orderId,
      booking: input,
      book: (call: RequestOptions) =>
        this.bookPhlebotomyAppointment(orderId, input, call).withResponse(),
      read: (call: RequestOptions) => this.getPhlebotomyAppointment(orderId, call),
    }
    return bookAndWait(requests, copy, this.#transport.clock)
  }

  /**
   * Checks an order's phlebotomy appointment until it has one of the given statuses, and returns it. To book, use
   * `bookAndWait`. The time between checks starts at 1 second and doubles up to 30 seconds. After a 404, 408, 429,
   * server error, failed connection or timeout, the method checks again. The path is an assumption, as in
   * `getPhlebotomyAppointment`.
   *
   * Pass `after` if the order may have had an earlier appointment; otherwise, the call may return that one.
   *
   * @param orderId The order's id, a UUID.
   * @throws {TimeoutError} when the appointment has none of the statuses by the `deadline`. The visit may still be
   * booked: have someone check, and do not book again.
   * @throws {RequestValidationError} when the id or an option is invalid.
   * @throws {ResponseValidationError} when a check receives a response that violates the specification.
   * @throws {ApiError} when a check fails with a permanent error, such as 401 or 403.
   * @throws {AbortError} when you abort the call.
   * @example
   * const { start_at } = await client.orders.waitForAppointment(orderId, { status: 'confirmed' })
   */
  async waitForAppointment(
    orderId: string,
    options?: AppointmentWaitOptions,
  ): Promise<Appointment> {
    const given = copyOptions(options)
    const { status, after, booking } = given
    const copies = { status: copyJson(status), after: copyJson(after), booking: copyJson(booking) }
    const copy = withCallSite({ ...given, ...copies })
    // Load the module on demand, because most programs do not wait for appointments.
    const { waitForAppointment } = await import('../appointments/wait-for-appointment.ts')
    const check = (call: RequestOptions) => this.getPhlebotomyAppointment(orderId, call)
    return waitForAppointment(check, copy, this.#transport)
  }

  /**
   * Downloads an order's requisition form as a PDF (specification 4.12; the path is an assumption). The call only reads
   * data, so it is retried after temporary failures until the response headers arrive.
   *
   * @param orderId The order's id, a UUID.
   * @example
   * const pdf = await client.orders.downloadRequisition(orderId)
   * await pdf.save('requisition.pdf')
   */
  downloadRequisition(orderId: string, options?: RequestOptions): Call<Download> {
    return this.#transport.download(
      ({ orders }) => orders.downloadRequisition,
      { params: { order_id: orderId } },
      options,
    )
  }
}
