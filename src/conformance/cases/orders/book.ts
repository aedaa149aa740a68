import { isObject } from '../../../shared/narrow.ts'
import {
  assertEqual,
  assertRejected,
  assertSameData,
  assertSameId,
  assertSuccess,
} from '../../assertions.ts'
import { completePerson } from '../../bodies/people.ts'
import type { TestedService } from '../../service.ts'
import type { BookingScenario, Need } from '../../setup.ts'
import { fieldOf, type ObjectForm } from '../../shape.ts'
import { makeMarkers } from '../lab-tests/offers.ts'

export const needsBooking: readonly Need[] = ['order', 'bookingKey']
export const needsTime: readonly Need[] = [...needsBooking, 'advance']
const oneAppointment = 'GET /v3/order/{order_id}/phlebotomy/appointment returns the appointment'

export const seconds = 1000
export const minutes = 60 * seconds
/** The time between a time limit and the checks just before and after it, in milliseconds. */
export const step = 50

type Changes = Record<string, unknown>

export type OrderParams = { order_id: string }

export async function book(service: TestedService, ending: BookingScenario, changes: Changes = {}) {
  const order_id = await service.setup.order()
  return { params: { order_id }, response: await bookOrder(service, order_id, ending, changes) }
}

/** Books an order's appointment. `changes` can replace the `booking_key`. */
export async function bookOrder(
  service: TestedService,
  order_id: string,
  ending: BookingScenario,
  changes: Changes = {},
) {
  const body = { booking_key: await service.setup.bookingKey(ending), ...changes }
  return service.call('orders.bookPhlebotomyAppointment', { params: { order_id }, body })
}

export const confirm = { outcome: 'confirm' } as const

export async function bookConfirmed(
  service: TestedService,
  changes: Changes = {},
  after = 0,
): Promise<unknown> {
  return assertSuccess((await book(service, { ...confirm, after }, changes)).response).json
}

export async function assertBookingRejected(
  service: TestedService,
  changes: Changes,
  input: string,
): Promise<void> {
  assertRejected((await book(service, confirm, changes)).response, input)
}

export async function assertNotesKept(
  service: TestedService,
  notes: readonly string[],
): Promise<void> {
  for (const appointment_notes of notes) {
    const found = await bookConfirmed(service, { appointment_notes })
    assertEqual(fieldOf(found, 'appointment_notes'), appointment_notes, 'appointment_notes')
  }
}

export async function bookAsync(
  service: TestedService,
  ending: BookingScenario,
  changes: Changes = {},
) {
  const { params, response } = await book(service, ending, { async_confirmation: true, ...changes })
  const status = fieldOf(assertSuccess(response).json, 'status')
  return { params, status, appointment: response.json }
}

export async function readAppointment(
  service: TestedService,
  params: OrderParams,
): Promise<unknown> {
  const { status, json } = await service.call('orders.getPhlebotomyAppointment', { params })
  service.presume(status >= 200 && status < 300, oneAppointment)
  return json
}

export async function getStatus(service: TestedService, params: OrderParams): Promise<unknown> {
  return fieldOf(await readAppointment(service, params), 'status')
}

/** Asserts an appointment's statuses. Before each assertion, advances the time by `wait` milliseconds. */
export async function assertStatuses(
  service: TestedService,
  params: OrderParams,
  steps: readonly (readonly [wait: number, status: string, when: string])[],
): Promise<void> {
  for (const [wait, status, when] of steps) {
    await service.setup.advance(wait)
    assertEqual(await getStatus(service, params), status, `the status ${when}`)
  }
}

/** Fields that a response may omit or return as null, even if another response contains them. */
const optional = [
  'order_transaction_id',
  'iana_timezone',
  'external_id',
  'event_data',
  'second_line',
  'unit',
  'access_notes',
]

/** The UUID fields. Their letter case is ignored. */
const uuids = ['id', 'user_id', 'order_id', 'order_transaction_id']

export function assertSame(found: unknown, expected: unknown, fields: readonly string[]): void {
  for (const field of fields) {
    const [one, other] = [fieldOf(found, field) ?? null, fieldOf(expected, field) ?? null]
    if (optional.includes(field) && (one === null || other === null)) continue
    if (isObject(one) && isObject(other)) {
      assertSame(one, other, [...new Set([...Object.keys(one), ...Object.keys(other)])])
    } else if (uuids.includes(field)) {
      assertSameId(one, String(other), field)
    } else {
      assertSameData(one, other, field)
    }
  }
}

export const orderShape = 'an order requires only the fields that the case sends'

/** Adds a lab with three markers, one of which belongs to no lab test. */
export async function addLab(service: TestedService) {
  const markers = makeMarkers('Ordered', 3)
  const lab = await service.setup.lab({
    markers,
    tests: markers.slice(0, 2).map((marker) => [marker]),
  })
  return { tests: lab.tests, codes: markers.map(({ provider_id }) => provider_id) }
}

export function orderBody(user_id: string, changes: Changes = {}): Changes {
  const { address: patient_address, ...patient_details } = completePerson('first')
  return { user_id, patient_details, patient_address, ...changes }
}

/** Creates an order. The names of the request's fields, other than `order_set` and `lab_test_id`, are assumptions. */
export async function order(
  service: TestedService,
  userId: string,
  changes: Changes,
): Promise<unknown> {
  const body = orderBody(userId, changes)
  const { status, json } = await service.call('orders.create', { body })
  const created = fieldOf(json, 'order')
  const isOrder = status < 300 && typeof fieldOf(created, 'id') === 'string'
  service.presume(
    isOrder,
    'POST /v3/order accepts user_id, patient_details and patient_address, and returns order',
  )
  return created
}

/** The form of an appointment (specification 2.6). */
export const appointment: ObjectForm = {
  id: 'uuid',
  user_id: 'uuid',
  order_id: 'uuid',
  address: {
    first_line: 'string | null',
    'second_line?': 'string',
    city: 'string | null',
    state: 'string | null',
    zip_code: 'string | null',
    'unit?': 'string',
    'access_notes?': 'string',
  },
  location: { lng: 'number', lat: 'number' },
  start_at: 'utc | null',
  end_at: 'utc | null',
  type: 'string',
  provider: 'string',
  status: 'string',
  provider_id: 'string',
  can_reschedule: 'boolean',
  event_status: 'string',
  events: ['object'],
  'order_transaction_id?': 'uuid',
  'iana_timezone?': 'zone',
  'external_id?': 'string',
  'appointment_notes?': 'note',
  'event_data?': 'object',
}

/** The appointment fields that do not change with the status. */
export const lastingFields = [
  'id',
  'user_id',
  'order_id',
  'address',
  'location',
  'type',
  'provider',
  'provider_id',
  'order_transaction_id',
  'iana_timezone',
  'external_id',
  'appointment_notes',
]
