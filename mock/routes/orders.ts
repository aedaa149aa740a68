import type { BookingInput } from '../../src/contract/appointments.ts'
import {
  bookPhlebotomyAppointment,
  createOrder,
  downloadRequisition,
  getPhlebotomyAppointment,
  type OrderInput,
} from '../../src/contract/orders.ts'
import {
  badRequest,
  HttpError,
  notFound,
  unprocessable,
  type ValidationDetail,
} from '../http/http-error.ts'
import { ownValueAt } from '../http/request/validation.ts'
import { requisitionForm } from '../http/requisition.ts'
import { ServiceResponse } from '../http/response.ts'
import { route } from '../http/route.ts'
import { wireOrder } from '../state/collections/orders.ts'
import type { LabOrder } from '../state/records/orders.ts'
import type { World } from '../state/world.ts'
import { findOrderedItems } from './order-set.ts'
import { checkDate, checkPerson, checkZip } from './person-rules.ts'

const phlebotomy = 'at_home_phlebotomy'

export const orderRoutes = [
  route(bookPhlebotomyAppointment, async ({ params, body, signal }, world) => {
    const order = findOrder(params.order_id, world)
    checkBooking(order, body, world)
    const id = world.bookings.begin(order.id, body)
    await world.clock.wait(() => world.bookings.hasResponse(id), { signal, subject: id })
    const appointment = world.appointments.get(id)
    return appointment ?? bookingFailure(world)
  }),

  route(
    createOrder,
    ({ body }, world) => {
      // Report an unknown user before an invalid order set, but do not create a user for an invalid order set.
      if (!world.settings.autoCreateUsers) world.user(body.user_id)
      const ordered = toOrder(body, world)
      const { user_id } = world.user(body.user_id)
      const order = world.orders.create({
        user_id,
        ...ordered,
        patient_details: body.patient_details,
        patient_address: body.patient_address,
      })
      const received = world.orders.addRequisition(order.id)
      return { order: wireOrder(received, world), status: 'success', message: 'order created' }
    },
    ({ body }) => [
      ...checkPerson(body, ['patient_details']),
      ...checkDate(body, ['patient_details', 'dob']),
      ...(isVisit(body) ? checkVisit(body) : []),
    ],
  ),

  route(getPhlebotomyAppointment, ({ params }, world) => {
    const { appointment_id } = findOrder(params.order_id, world)
    const appointment = appointment_id && world.appointments.get(appointment_id)
    if (!appointment) throw notFound('Appointment')
    return appointment
  }),

  route(downloadRequisition, ({ params }, world) =>
    requisitionForm(findOrder(params.order_id, world)),
  ),
]

function findOrder(id: string, { orders }: World): LabOrder {
  const order = orders.get(id)
  if (!order) throw notFound('Order')
  return order
}

function checkBooking(order: LabOrder, { booking_key }: BookingInput, world: World): void {
  if (order.collection_method !== phlebotomy) throw notFound('Phlebotomy order')
  const appointment = order.appointment_id && world.appointments.get(order.appointment_id)
  const isBooked = appointment && appointment.status !== 'cancelled'
  if (isBooked || world.bookings.isOpen(order.id)) {
    throw badRequest('The order is already booked')
  }
  if (!world.bookings.accepts(booking_key)) throw badRequest('Invalid or expired booking key')
}

/** Responds with 500 to a synchronous booking that failed or was not confirmed (specification 4.8, 7). */
function bookingFailure({ settings }: World): ServiceResponse {
  const detail = 'The appointment could not be booked'
  if (settings.bookingFailure === 'text') return new ServiceResponse(500, detail, 'text/plain')
  throw new HttpError(500, detail)
}

function isVisit(body: unknown): boolean {
  return ownValueAt(body, ['collection_method']) === phlebotomy
}

/** Requires a US ZIP code, because the mock's phlebotomists visit patients only in the United States. */
function checkVisit(body: unknown): ValidationDetail[] {
  return checkZip(body, ['patient_address', 'zip'])
}

/**
 * Returns an order's collection method and order set. The deprecated `lab_test_id` replaces a missing order set
 * (specification part 9).
 */
function toOrder(body: OrderInput, { catalogue }: World) {
  const { order_set, lab_test_id } = body
  const set = order_set ?? { lab_test_ids: lab_test_id ? [lab_test_id] : [] }
  const { tests } = findOrderedItems(set, catalogue)
  const collection_method = body.collection_method ?? tests[0]?.method ?? phlebotomy
  const invalid = collection_method === phlebotomy ? checkVisit(body) : []
  if (invalid.length > 0) throw unprocessable(invalid)
  const lab_test_ids = tests.map(({ id }) => id)
  return { collection_method, order_set: { lab_test_ids, add_on: set.add_on ?? null } }
}
