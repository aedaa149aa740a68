import {
  assertEqual,
  assertRejected,
  assertSameId,
  assertSuccess,
  assertThat,
} from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import { assertShape, fieldOf } from '../../shape.ts'
import {
  appointment,
  assertSame,
  book,
  bookAsync,
  bookConfirmed,
  bookOrder,
  confirm,
  lastingFields,
  needsBooking,
  needsTime,
  readAppointment,
  seconds,
} from './book.ts'

const fieldRules = [
  '2.6/fields',
  '2.6/address',
  '2.6/location',
  '2.6/utc',
  '2.6/zone',
  '4.8/response',
]

export const appointmentCases = defineCases(needsBooking, {
  '2.6/appointment': {
    title: 'Returns an appointment with all required fields',
    rules: fieldRules,
    async run(service) {
      const changes = { appointment_notes: 'Ring' }
      const { params, response } = await book(service, confirm, changes)
      assertShape(assertSuccess(response).json, appointment, 'the appointment')
      assertSameId(fieldOf(response.json, 'order_id'), params.order_id, 'order_id')
      assertType(response.json)
      assertEqual(fieldOf(response.json, 'appointment_notes'), 'Ring', 'appointment_notes')
    },
  },
  '2.6/confirmed-later': {
    title: 'Returns all required fields of an appointment that is confirmed after two seconds',
    rules: fieldRules,
    async run(service) {
      const after = 2 * seconds
      for (const changes of [{}, { async_confirmation: true }]) {
        const { response, params } = await book(service, { outcome: 'confirm', after }, changes)
        assertShape(assertSuccess(response).json, appointment, 'the appointment')
        assertSameId(fieldOf(response.json, 'order_id'), params.order_id, 'order_id')
      }
    },
  },
  '2.6/pending': {
    title: 'Returns a pending appointment with all required fields',
    rules: ['2.6/fields', '3.1/pending'],
    async run(service) {
      const changes = { appointment_notes: 'Ring' }
      const found = await bookAsync(service, { outcome: 'never' }, changes)
      assertShape(found.appointment, appointment, 'the appointment')
      assertSameId(fieldOf(found.appointment, 'order_id'), found.params.order_id, 'order_id')
      assertEqual(fieldOf(found.appointment, 'appointment_notes'), 'Ring', 'appointment_notes')
      assertType(found.appointment)
    },
  },
  '2.6/own': {
    title: 'Returns a separate appointment for every order',
    rules: ['2.6/fields', '4.8/path', '4.8/response'],
    async run(service) {
      const ids = new Set<unknown>()
      for (const number of [1, 2, 3]) {
        const changes = { appointment_notes: `Visit ${number}` }
        const { params, response } = await book(service, confirm, changes)
        const { json } = assertSuccess(response)
        assertSameId(fieldOf(json, 'order_id'), params.order_id, 'order_id')
        const notes = fieldOf(json, 'appointment_notes')
        assertEqual(notes, `Visit ${number}`, 'appointment_notes')
        ids.add(fieldOf(json, 'id'))
      }
      assertEqual(ids.size, 3, 'the number of different appointment ids')
    },
  },
  '2.6/users': {
    title: "Returns the id of the order's user in each appointment",
    rules: ['2.6/fields', '4.8/response'],
    needs: [...needsBooking, 'user'],
    async run(service) {
      for (let number = 1; number <= 2; number += 1) {
        const user = await service.user()
        const order_id = await service.setup.order(user)
        const changes = { async_confirmation: number === 1 }
        const response = await bookOrder(service, order_id, confirm, changes)
        const { json } = assertSuccess(response)
        assertSameId(fieldOf(json, 'user_id'), user, 'user_id')
        assertSameId(fieldOf(json, 'order_id'), order_id, 'order_id')
      }
    },
  },
  '2.6/location': {
    title: 'Returns an appointment with a longitude from -180 to 180 and a latitude from -90 to 90',
    rules: ['2.6/location'],
    async run(service) {
      const json = await bookConfirmed(service)
      const { lng, lat } = Object(fieldOf(json, 'location'))
      assertThat(Math.abs(lng) <= 180, 'Expected a longitude from -180 to 180.')
      assertThat(Math.abs(lat) <= 90, 'Expected a latitude from -90 to 90.')
    },
  },
  '2.6/no-notes': {
    title: 'Returns no appointment_notes when none are sent',
    rules: ['2.6/notes', '4.8/body'],
    async run(service) {
      await book(service, confirm, { appointment_notes: 'Of another order' })
      for (const changes of [{}, { appointment_notes: null }]) {
        const json = await bookConfirmed(service, changes)
        assertEqual(fieldOf(json, 'appointment_notes') ?? null, null, 'appointment_notes')
      }
    },
  },
  '2.6/read-again': {
    title: 'Returns a booked appointment unchanged when it is read after other bookings',
    rules: ['2.6/fields', '4.8/response'],
    async run(service) {
      const first = await book(service, confirm, { appointment_notes: 'One' })
      const second = await book(service, confirm, { appointment_notes: 'Two' })
      const third = await bookAsync(service, { outcome: 'never' }, { appointment_notes: 'Three' })
      const all = [
        [first.params, assertSuccess(first.response).json],
        [second.params, assertSuccess(second.response).json],
        [third.params, third.appointment],
      ] as const
      for (const [params, booked] of all) {
        const read = await readAppointment(service, params)
        assertShape(read, appointment, 'the appointment')
        const fields = ['start_at', 'end_at', 'status', 'event_status', 'can_reschedule', 'events']
        assertSame(read, booked, [...lastingFields, ...fields, 'event_data'])
      }
    },
  },
  '2.6/lasting': {
    title: "Keeps a pending appointment's id, address and notes when it is confirmed or cancelled",
    rules: ['2.6/fields', '3.1/pending', '3.1/cancelled'],
    needs: needsTime,
    async run(service) {
      const notes = { appointment_notes: 'Second door' }
      const confirmed = await bookAsync(service, { outcome: 'confirm', after: 5 * seconds }, notes)
      const timeout = { ...notes, async_confirmation_timeout_millisecond: 60 * seconds }
      const cancelled = await bookAsync(service, { outcome: 'never' }, timeout)
      await service.setup.advance(61 * seconds)
      for (const [{ params, appointment: before }, status] of [
        [confirmed, 'confirmed'],
        [cancelled, 'cancelled'],
      ] as const) {
        const read = await readAppointment(service, params)
        assertShape(read, appointment, 'the appointment')
        assertEqual(fieldOf(read, 'status'), status, 'status')
        assertSame(read, before, lastingFields)
      }
    },
  },
  '3.1/order': {
    title: 'Returns an appointment whose start_at is before end_at',
    rules: ['2.6/utc'],
    async run(service) {
      for (const after of [0, 1 * seconds]) {
        const json = await bookConfirmed(service, {}, after)
        const [start, end] = [fieldOf(json, 'start_at'), fieldOf(json, 'end_at')]
        const known = typeof start === 'string' && typeof end === 'string'
        const isBefore = !known || Date.parse(start) < Date.parse(end)
        assertThat(isBefore, 'Expected start_at to be before end_at.')
      }
    },
  },
  '2.6/another-team': {
    title: "Rejects another team's requests to book an order or read its appointment",
    rules: ['4.8/path', '5/team-key'],
    needs: [...needsBooking, 'team'],
    async run(service) {
      const order_id = await service.setup.order()
      const team = await service.team({})
      const response = await bookOrder(team, order_id, confirm)
      assertRejected(response, "another team's order")
      assertSuccess(await bookOrder(service, order_id, confirm))
      await team.reject(
        'orders.getPhlebotomyAppointment',
        { params: { order_id } },
        "another team's appointment",
      )
    },
  },
})

/** Asserts that the type is not `patient_service_center`. Types that the specification does not name are allowed. */
function assertType(found: unknown): void {
  const isOther = fieldOf(found, 'type') === 'patient_service_center'
  assertThat(!isOther, "Expected type to be 'phlebotomy', found 'patient_service_center'.")
}
