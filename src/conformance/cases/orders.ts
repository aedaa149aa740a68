import {
  bookPhlebotomyAppointment,
  createOrder,
  downloadRequisition,
  getPhlebotomyAppointment,
} from '../../contract/orders.ts'
import { confirmationTimeouts, notesLength } from '../../contract/values/bounds.ts'
import { orderBody } from '../bodies.ts'
import { cases } from '../case.ts'
import { refused, same, succeeded, that } from '../expect.ts'
import type { Service } from '../service.ts'
import type { Need } from '../setup.ts'
import { fieldOf, hasShape, type Shape } from '../shape.ts'

const appointment: Shape = {
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

const needsBooking: readonly Need[] = ['order', 'bookingKey']
const needsTime: readonly Need[] = [...needsBooking, 'advance']
const oneAppointment = 'GET /v3/order/{order_id}/phlebotomy/appointment answers the appointment'

const seconds = 1000
const minutes = 60 * seconds
const { sync, async } = confirmationTimeouts

type Ending = readonly [outcome: 'confirm' | 'fail' | 'never', after?: number]

/** Books an order whose booking ends so, and gives the order and the answer. */
async function book(service: Service, ending: Ending, changes: Record<string, unknown> = {}) {
  const params = { order_id: await service.order() }
  const body = { booking_key: await service.bookingKey(...ending), ...changes }
  return { params, answer: await service.call(bookPhlebotomyAppointment, { params, body }) }
}

/** Books an order in the background, and gives the order and the appointment's status. */
async function bookAsync(service: Service, ending: Ending, changes: Record<string, unknown> = {}) {
  const { params, answer } = await book(service, ending, { async_confirmation: true, ...changes })
  const status = fieldOf(succeeded(answer).json, 'status')
  return { params, status, appointment: answer.json }
}

/** The status of an order's appointment, now. */
async function statusOf(service: Service, params: { order_id: string }): Promise<unknown> {
  return fieldOf(succeeded(await service.call(getPhlebotomyAppointment, { params })).json, 'status')
}

async function refusesBooking(service: Service, changes: Record<string, unknown>, what: string) {
  refused((await book(service, ['confirm'], changes)).answer, what)
}

async function takesBooking(service: Service, changes: Record<string, unknown>) {
  return succeeded((await book(service, ['confirm'], changes)).answer).json
}

export const orderCases = cases({
  '2.6/appointment': {
    title: 'Answers an appointment with its fields',
    rules: ['2.6/fields', '2.6/address', '2.6/location', '2.6/utc', '2.6/zone', '4.8/response'],
    needs: needsBooking,
    async run(service) {
      const { params, answer } = await book(service, ['confirm'], { appointment_notes: 'Ring' })
      hasShape(succeeded(answer).json, appointment, 'the appointment')
      same(fieldOf(answer.json, 'order_id'), params.order_id, 'order_id')
      same(fieldOf(answer.json, 'type'), 'phlebotomy', 'type')
      same(fieldOf(answer.json, 'appointment_notes'), 'Ring', 'appointment_notes')
    },
  },
  '2.6/pending': {
    title: 'Answers a pending appointment with the same fields',
    rules: ['2.6/fields', '3.1/pending'],
    needs: needsBooking,
    async run(service) {
      const { appointment: pending } = await bookAsync(service, ['never'])
      hasShape(pending, appointment, 'the appointment')
    },
  },
  '3.1/order': {
    title: 'Answers a start that comes before its end',
    rules: ['2.6/utc'],
    needs: needsBooking,
    async run(service) {
      const { json } = succeeded((await book(service, ['confirm'])).answer)
      const [start, end] = [fieldOf(json, 'start_at'), fieldOf(json, 'end_at')]
      const known = typeof start === 'string' && typeof end === 'string'
      that(!known || Date.parse(start) < Date.parse(end), 'Expected start_at before end_at.')
    },
  },
  '4.8/confirmed': {
    title: 'Answers a confirmed appointment after waiting for the confirmation',
    rules: ['3.1/synchronous', '4.8/rule-1', '3.1/statuses', '4.8/path'],
    needs: needsBooking,
    async run(service) {
      const { answer } = await book(service, ['confirm', 3 * seconds])
      same(fieldOf(succeeded(answer).json, 'status'), 'confirmed', 'status')
    },
  },
  '4.8/synchronous-by-default': {
    title: 'Waits for the confirmation unless async_confirmation is true',
    rules: ['4.8/body', '4.8/rule-1', '4.8/rule-4'],
    needs: needsBooking,
    async run(service) {
      for (const changes of [{}, { async_confirmation: false }]) {
        const timeouts = { sync_confirmation_timeout_millisecond: sync.minimum }
        const { answer } = await book(service, ['confirm', 4 * seconds], {
          ...changes,
          ...timeouts,
        })
        same(fieldOf(succeeded(answer).json, 'status'), 'confirmed', 'status')
      }
    },
  },
  '4.8/no-limit-of-the-background': {
    title: 'Heeds the timeout of the background with async_confirmation only',
    rules: ['4.8/rule-4'],
    needs: needsBooking,
    async run(service) {
      const changes = {
        async_confirmation: false,
        async_confirmation_timeout_millisecond: async.minimum,
      }
      const { answer } = await book(service, ['confirm', 4 * seconds], changes)
      same(fieldOf(succeeded(answer).json, 'status'), 'confirmed', 'status')
    },
  },
  '7/failed': {
    title: 'Answers 500 when a synchronous booking fails',
    rules: ['7/booking', '4.8/rule-1'],
    needs: needsBooking,
    async run(service) {
      const { answer } = await book(service, ['fail'])
      same(answer.status, 500, 'the status of a failed booking')
    },
  },
  '7/failed-later': {
    title: 'Answers 500 when a synchronous booking fails after a while',
    rules: ['7/booking', '4.8/rule-1'],
    needs: needsBooking,
    async run(service) {
      const { answer } = await book(service, ['fail', 3 * seconds], { async_confirmation: false })
      same(answer.status, 500, 'the status of a failed booking')
    },
  },
  '7/unconfirmed': {
    title: 'Answers 500 when no confirmation comes at all',
    rules: ['7/booking'],
    needs: needsTime,
    async run(service) {
      const { answer } = await book(service, ['never'])
      same(answer.status, 500, 'the status of an unconfirmed booking')
    },
  },
  '3.1/confirmed-in-time': {
    title: 'Answers a confirmed appointment when the confirmation comes within the window',
    rules: ['3.1/in-window', '4.8/rule-2'],
    needs: needsBooking,
    async run(service) {
      const within = { sync_confirmation_timeout_millisecond: 6 * seconds }
      const { status } = await bookAsync(service, ['confirm', 4 * seconds], within)
      same(status, 'confirmed', 'status')
    },
  },
  '3.1/pending-in-time': {
    title: 'Answers a pending appointment when no confirmation comes within the window',
    rules: ['3.1/pending', '4.8/rule-2', '3.1/statuses'],
    needs: needsBooking,
    async run(service) {
      const within = { sync_confirmation_timeout_millisecond: 3 * seconds }
      const { status } = await bookAsync(service, ['confirm', 5 * seconds], within)
      same(status, 'pending', 'status')
    },
  },
  '8/sync-default': {
    title: 'Waits 2,500 milliseconds unless told otherwise',
    rules: ['8/sync-timeout', '4.8/body'],
    needs: needsBooking,
    async run(service) {
      same((await bookAsync(service, ['confirm', 2000])).status, 'confirmed', 'status after 2 s')
      same((await bookAsync(service, ['confirm', 3000])).status, 'pending', 'status after 3 s')
      const none = { sync_confirmation_timeout_millisecond: null }
      const { status } = await bookAsync(service, ['confirm', 3000], none)
      same(status, 'pending', 'status with null')
    },
  },
  '3.1/background': {
    title: 'Goes on booking in the background, and confirms the pending appointment',
    rules: ['3.1/pending', '4.8/rule-2'],
    needs: needsTime,
    presumes: oneAppointment,
    async run(service) {
      const { params, status } = await bookAsync(service, ['confirm', 5 * minutes])
      same(status, 'pending', 'status')
      await service.advance(6 * minutes)
      same(await statusOf(service, params), 'confirmed', 'status after the confirmation')
    },
  },
  '3.1/cancelled': {
    title: 'Cancels a pending appointment that is not confirmed in time',
    rules: ['3.1/cancelled', '4.8/rule-3'],
    needs: needsTime,
    presumes: oneAppointment,
    async run(service) {
      const within = { async_confirmation_timeout_millisecond: 2 * minutes }
      const { params } = await bookAsync(service, ['never'], within)
      await service.advance(1 * minutes)
      same(await statusOf(service, params), 'pending', 'status after 1 minute')
      await service.advance(1 * minutes + 5 * seconds)
      same(await statusOf(service, params), 'cancelled', 'status after 2 minutes')
    },
  },
  '3.1/abandoned': {
    title: 'Abandons the booking with its appointment, however late a confirmation comes',
    rules: ['4.8/rule-3', '3.1/cancelled'],
    needs: needsTime,
    presumes: oneAppointment,
    async run(service) {
      const within = { async_confirmation_timeout_millisecond: 1 * minutes }
      const { params } = await bookAsync(service, ['confirm', 2 * minutes], within)
      await service.advance(3 * minutes)
      same(await statusOf(service, params), 'cancelled', 'status')
    },
  },
  '8/async-default': {
    title: 'Cancels a pending appointment after 15 minutes unless told otherwise',
    rules: ['8/async-timeout', '4.8/body'],
    needs: needsTime,
    presumes: oneAppointment,
    async run(service) {
      const { params } = await bookAsync(service, ['never'])
      await service.advance(14 * minutes)
      same(await statusOf(service, params), 'pending', 'status after 14 minutes')
      await service.advance(1 * minutes + 5 * seconds)
      same(await statusOf(service, params), 'cancelled', 'status after 15 minutes')
    },
  },
  '8/sync-bounds': {
    title: 'Takes a sync timeout of 1,000 to 10,000 milliseconds',
    rules: ['8/sync-timeout', '4.8/body'],
    needs: needsBooking,
    async run(service) {
      const timeout = (value: unknown) => ({
        async_confirmation: true,
        sync_confirmation_timeout_millisecond: value,
      })
      for (const value of [sync.minimum - 1, sync.maximum + 1, 1500.5, 'long']) {
        await refusesBooking(service, timeout(value), 'a sync timeout out of bounds')
      }
      for (const value of [sync.minimum, sync.maximum, null]) {
        await takesBooking(service, timeout(value))
      }
    },
  },
  '8/async-bounds': {
    title: 'Takes an async timeout of 60,000 to 172,800,000 milliseconds',
    rules: ['8/async-timeout', '4.8/body'],
    needs: needsBooking,
    async run(service) {
      const timeout = (value: unknown) => ({
        async_confirmation: true,
        async_confirmation_timeout_millisecond: value,
      })
      for (const value of [async.minimum - 1, async.maximum + 1, 60_000.5, 'long']) {
        await refusesBooking(service, timeout(value), 'an async timeout out of bounds')
      }
      for (const value of [async.minimum, async.maximum, null]) {
        await takesBooking(service, timeout(value))
      }
    },
  },
  '8/notes': {
    title: 'Takes appointment_notes of at most 1,000 characters, and keeps them',
    rules: ['8/notes', '4.8/body', '2.6/notes'],
    needs: needsBooking,
    async run(service) {
      const notes = 'x'.repeat(notesLength)
      const longer = { appointment_notes: `${notes}x` }
      await refusesBooking(service, longer, '1,001 characters of appointment_notes')
      const kept = fieldOf(
        await takesBooking(service, { appointment_notes: notes }),
        'appointment_notes',
      )
      that(kept === notes, 'Expected appointment_notes to be those of the booking.')
      await takesBooking(service, { appointment_notes: null })
    },
  },
  '4.8/required': {
    title: 'Refuses a booking without booking_key, and other types',
    rules: ['4.8/body'],
    needs: needsBooking,
    async run(service) {
      await refusesBooking(service, { booking_key: undefined }, 'a booking without booking_key')
      await refusesBooking(service, { booking_key: 7 }, 'a number for booking_key')
      await refusesBooking(service, { async_confirmation: 'soon' }, 'text for async_confirmation')
      await refusesBooking(service, { appointment_notes: 7 }, 'a number for appointment_notes')
    },
  },
  '4.8/uuid': {
    title: 'Refuses an order whose id is no UUID',
    rules: ['4.8/path'],
    readOnly: true,
    async run(service) {
      const said = { params: { order_id: 'not-a-uuid' }, body: { booking_key: 'none' } }
      refused(await service.call(bookPhlebotomyAppointment, said), 'an order_id that is no UUID')
    },
  },
  '4.12/order-set': {
    title: 'Creates an order from an order_set',
    rules: ['4.12/order', '9/lab-test-id'],
    needs: ['user'],
    presumes: 'the other fields of an order, and the list of lab tests',
    async run(service) {
      const order_set = { lab_test_ids: [await service.labTest()] }
      const body = orderBody(await service.user(), { order_set })
      const { json } = succeeded(await service.call(createOrder, { body }))
      hasShape(fieldOf(json, 'order'), { id: 'uuid' }, 'order')
    },
  },
  '9/lab-test-id': {
    title: 'Still creates an order from the deprecated lab_test_id',
    rules: ['9/lab-test-id'],
    needs: ['user'],
    presumes: 'the other fields of an order; which day it goes is not shown',
    async run(service) {
      const lab_test_id = await service.labTest()
      const body = orderBody(await service.user(), { lab_test_id })
      succeeded(await service.call(createOrder, { body }))
    },
  },
  '4.12/requisition': {
    title: 'Gives the requisition form of an order as PDF',
    rules: ['4.12/requisition', '9/requisition-url'],
    needs: ['order'],
    presumes: 'GET /v3/order/{order_id}/requisition/pdf',
    async run(service) {
      const params = { order_id: await service.order() }
      const { bytes } = succeeded(await service.call(downloadRequisition, { params }))
      same(new TextDecoder().decode(bytes.slice(0, 4)), '%PDF', 'the first bytes')
    },
  },
  '8/requisition-url': {
    title: 'Keeps the signed requisition URL of an order valid for 7 days',
    rules: ['8/requisition-url', '9/requisition-url'],
    needs: ['user', 'advance'],
    presumes: 'the validity counts from the creation of the order',
    async run(service) {
      const order_set = { lab_test_ids: [await service.labTest()] }
      const body = orderBody(await service.user(), { order_set })
      const { json } = succeeded(await service.call(createOrder, { body }))
      const url = fieldOf(fieldOf(json, 'order'), 'requisition_form_url')
      that(typeof url === 'string', 'Expected the order to have requisition_form_url.')
      await service.advance(7 * 24 * 60 * minutes - 5 * minutes)
      succeeded(await service.open(url, 'the signed requisition URL'))
      await service.advance(10 * minutes)
      refused(await service.open(url, 'the signed requisition URL'), 'a download after 7 days')
    },
  },
  '9/value': {
    title: 'Answers results with result and result_type beside the deprecated value',
    rules: ['9/value'],
    needs: ['completedOrder'],
    presumes: 'the results of an order',
    async run(service) {
      const results = fieldOf(await service.completedOrder(), 'results')
      const result: Shape = { result: 'string', result_type: 'string' }
      that(Array.isArray(results) && results.length > 0, 'Expected the order to have results.')
      hasShape(results, [result], 'results')
    },
  },
})
