import { assertEqual, assertSuccess, assertThat } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import { assertShape, fieldOf, type ObjectForm } from '../../shape.ts'
import { book, bookAsync, needsBooking, needsTime, seconds } from './book.ts'

const appointment: ObjectForm = {
  id: 'uuid',
  user_id: 'uuid',
  order_id: 'uuid',
  address: {
    'first_line?': 'string',
    'second_line?': 'string',
    'city?': 'string',
    'state?': 'string',
    'zip_code?': 'string',
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

export const bookingCases = defineCases({
  '2.6/appointment': {
    title: 'Returns an appointment with all fields',
    rules: ['2.6/fields', '2.6/address', '2.6/location', '2.6/utc', '2.6/zone', '4.8/response'],
    needs: needsBooking,
    async run(service) {
      const { params, response } = await book(
        service,
        { outcome: 'confirm' },
        { appointment_notes: 'Ring' },
      )
      assertShape(assertSuccess(response).json, appointment, 'the appointment')
      assertEqual(fieldOf(response.json, 'order_id'), params.order_id, 'order_id')
      assertEqual(fieldOf(response.json, 'type'), 'phlebotomy', 'type')
      assertEqual(fieldOf(response.json, 'appointment_notes'), 'Ring', 'appointment_notes')
    },
  },
  '2.6/pending': {
    title: 'Returns a pending appointment with all fields',
    rules: ['2.6/fields', '3.1/pending'],
    needs: needsBooking,
    async run(service) {
      const { appointment: pending } = await bookAsync(service, { outcome: 'never' })
      assertShape(pending, appointment, 'the appointment')
    },
  },
  '3.1/order': {
    title: 'Returns a start before the end',
    rules: ['2.6/utc'],
    needs: needsBooking,
    async run(service) {
      const { json } = assertSuccess((await book(service, { outcome: 'confirm' })).response)
      const [start, end] = [fieldOf(json, 'start_at'), fieldOf(json, 'end_at')]
      const known = typeof start === 'string' && typeof end === 'string'
      assertThat(!known || Date.parse(start) < Date.parse(end), 'Expected start_at before end_at.')
    },
  },
  '4.8/confirmed': {
    title: 'Returns a confirmed appointment after waiting for the confirmation',
    rules: ['3.1/synchronous', '4.8/rule-1', '3.1/statuses', '4.8/path'],
    needs: needsBooking,
    async run(service) {
      const { response } = await book(service, { outcome: 'confirm', after: 3 * seconds })
      assertEqual(fieldOf(assertSuccess(response).json, 'status'), 'confirmed', 'status')
    },
  },
  '4.8/synchronous-by-default': {
    title: 'Waits for the confirmation unless async_confirmation is true',
    rules: ['4.8/body', '4.8/rule-1', '4.8/rule-4'],
    needs: needsBooking,
    async run(service) {
      for (const changes of [{}, { async_confirmation: false }]) {
        const timeouts = { sync_confirmation_timeout_millisecond: 1000 }
        const { response } = await book(
          service,
          { outcome: 'confirm', after: 4 * seconds },
          {
            ...changes,
            ...timeouts,
          },
        )
        assertEqual(fieldOf(assertSuccess(response).json, 'status'), 'confirmed', 'status')
      }
    },
  },
  '4.8/no-limit-of-the-background': {
    title: 'Ignores async_confirmation_timeout_millisecond unless async_confirmation is true',
    rules: ['4.8/rule-4'],
    needs: needsBooking,
    async run(service) {
      const changes = {
        async_confirmation: false,
        async_confirmation_timeout_millisecond: 60_000,
      }
      const { response } = await book(service, { outcome: 'confirm', after: 4 * seconds }, changes)
      assertEqual(fieldOf(assertSuccess(response).json, 'status'), 'confirmed', 'status')
    },
  },
  '7/failed': {
    title: 'Returns 500 when a synchronous booking fails',
    rules: ['7/booking', '4.8/rule-1'],
    needs: needsBooking,
    async run(service) {
      const { response } = await book(service, { outcome: 'fail' })
      assertEqual(response.status, 500, 'the status of a failed booking')
    },
  },
  '7/failed-later': {
    title: 'Returns 500 when a synchronous booking fails later',
    rules: ['7/booking', '4.8/rule-1'],
    needs: needsBooking,
    async run(service) {
      const { response } = await book(
        service,
        { outcome: 'fail', after: 3 * seconds },
        { async_confirmation: false },
      )
      assertEqual(response.status, 500, 'the status of a failed booking')
    },
  },
  '7/unconfirmed': {
    title: 'Returns 500 when no confirmation comes',
    rules: ['7/booking'],
    needs: needsTime,
    async run(service) {
      const { response } = await book(service, { outcome: 'never' })
      assertEqual(response.status, 500, 'the status of an unconfirmed booking')
    },
  },
})
