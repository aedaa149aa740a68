import { bookPhlebotomyAppointment, getPhlebotomyAppointment } from '../../contract/orders.ts'
import { assertSuccess } from '../assertions.ts'
import type { Service } from '../service.ts'
import type { BookingEnding, Need } from '../setup.ts'
import { fieldOf } from '../shape.ts'

export const needsBooking: readonly Need[] = ['order', 'bookingKey']
export const needsTime: readonly Need[] = [...needsBooking, 'advance']
export const oneAppointment =
  'GET /v3/order/{order_id}/phlebotomy/appointment answers the appointment'

export const seconds = 1000
export const minutes = 60 * seconds

/** Books an order whose booking ends so, and gives the order and the response. */
export async function book(
  service: Service,
  ending: BookingEnding,
  changes: Record<string, unknown> = {},
) {
  const params = { order_id: await service.order() }
  const body = { booking_key: await service.bookingKey(ending), ...changes }
  return { params, response: await service.call(bookPhlebotomyAppointment, { params, body }) }
}

/** Books an order in the background, and gives the order and the appointment's status. */
export async function bookAsync(
  service: Service,
  ending: BookingEnding,
  changes: Record<string, unknown> = {},
) {
  const { params, response } = await book(service, ending, { async_confirmation: true, ...changes })
  const status = fieldOf(assertSuccess(response).json, 'status')
  return { params, status, appointment: response.json }
}

/** The status of an order's appointment, now. */
export async function statusOf(service: Service, params: { order_id: string }): Promise<unknown> {
  return fieldOf(
    assertSuccess(await service.call(getPhlebotomyAppointment, { params })).json,
    'status',
  )
}
