import { assertSuccess } from '../../assertions.ts'
import { bookPhlebotomyAppointment, getPhlebotomyAppointment } from '../../operations.ts'
import type { TestedService } from '../../service.ts'
import type { BookingScenario, Need } from '../../setup.ts'
import { fieldOf } from '../../shape.ts'

export const needsBooking: readonly Need[] = ['order', 'bookingKey']
export const needsTime: readonly Need[] = [...needsBooking, 'advance']
export const oneAppointment =
  'GET /v3/order/{order_id}/phlebotomy/appointment returns the appointment'

export const seconds = 1000
export const minutes = 60 * seconds

/** Books a new order whose booking ends as given. Returns the path parameters and the response. */
export async function book(
  service: TestedService,
  ending: BookingScenario,
  changes: Record<string, unknown> = {},
) {
  const params = { order_id: await service.order() }
  const body = { booking_key: await service.bookingKey(ending), ...changes }
  return { params, response: await service.call(bookPhlebotomyAppointment, { params, body }) }
}

/** Books a new order with `async_confirmation`. Returns the path parameters, the appointment and its status. */
export async function bookAsync(
  service: TestedService,
  ending: BookingScenario,
  changes: Record<string, unknown> = {},
) {
  const { params, response } = await book(service, ending, { async_confirmation: true, ...changes })
  const status = fieldOf(assertSuccess(response).json, 'status')
  return { params, status, appointment: response.json }
}

/** Returns the current status of an order's appointment. */
export async function getStatus(
  service: TestedService,
  params: { order_id: string },
): Promise<unknown> {
  return fieldOf(
    assertSuccess(await service.call(getPhlebotomyAppointment, { params })).json,
    'status',
  )
}
