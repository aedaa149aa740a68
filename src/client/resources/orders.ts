import type { Appointment, BookingInput } from '../../contract/appointments.ts'
import type { CreatedOrder, OrderInput } from '../../contract/orders.ts'
import type { Call } from '../call.ts'
import type { Download } from '../download.ts'
import type { RequestOptions } from '../options.ts'
import type { Transport } from '../transport/transport.ts'

/** Lab orders and their phlebotomy appointments. */
export class Orders {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Books a phlebotomy appointment (specification 4.8). Without `async_confirmation` the call waits for confirmation;
   * the client then grants the service four minutes more than its timeout. With it, a pending appointment is answered
   * when no confirmation comes within `sync_confirmation_timeout_millisecond`, and booking continues in the background.
   * Unsafe: it is repeated only where the service did nothing with it, so that nobody is booked twice.
   *
   * @param orderId A UUID.
   * @throws {InternalServerError} when a synchronous booking failed or was not confirmed. Its `outcome` is `unknown`. Do
   * not book again because `getPhlebotomyAppointment` responds with 404: the booking may still be in progress. The guide
   * "Errors and retries" has a recipe that finds out.
   * @throws {BadRequestError} when the booking key is used or expired, or the order is booked already.
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
   * Creates a lab order (specification 4.12). `lab_test_id` is deprecated; give an `order_set`. Unsafe: it is repeated
   * only where the service did nothing with it. After the outcome `unknown` the specification has no call that finds the
   * order. The guide "Errors and retries" says what to do.
   *
   * @example
   * const { order } = await client.orders.create({
   *   user_id, patient_details, patient_address, order_set: { lab_test_ids: [labTestId] },
   * })
   */
  create(order: OrderInput, options?: RequestOptions): Call<CreatedOrder> {
    return this.#transport.send(({ orders }) => orders.createOrder, { body: order }, options)
  }

  /**
   * Answers an order's phlebotomy appointment, to follow a pending one (path as presumed).
   *
   * @param orderId A UUID.
   * @throws {NotFoundError} when the order has no appointment, which may still be in progress after a booking with an
   * unknown outcome.
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
   * Downloads an order's requisition form as PDF (specification 4.12, path as presumed).
   *
   * @param orderId A UUID.
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
