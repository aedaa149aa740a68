import { after, changeResponses, type Json, type Mutant } from '../../mutant.ts'
import { extend, reorder } from '../lab-tests/controls.ts'
import { appointment, booking } from '../targets.ts'

const only = ['2.6', '3.1', '4.8', '4.12', '7', '8', '9']
const orders = /^(?:GET|POST) \/v3\/order/
const appointments = /\/phlebotomy\/appointment/

/** A legal variation of the answers about orders and appointments. */
function legal(name: string, between: NonNullable<Mutant['between']>): Mutant {
  return { name, only, between }
}

function eachAppointment(change: (body: Json) => void) {
  return changeResponses(appointments, change)
}

function rewriteTimes(change: (time: string) => string) {
  return eachAppointment((body) => {
    body.start_at &&= change(body.start_at)
    body.end_at &&= change(body.end_at)
  })
}

export const orderControls: Mutant[] = [
  legal(
    'returns further fields of orders and appointments',
    after(orders, ({ body }) => ({ body: extend(body) })),
  ),
  legal(
    'returns the fields of appointments in another order',
    after(orders, ({ body }) => ({ body: reorder(body) })),
  ),
  legal(
    'omits the optional fields of appointments',
    eachAppointment((body) => {
      for (const name of ['order_transaction_id', 'iana_timezone', 'external_id', 'event_data']) {
        delete body[name]
      }
      if (body.appointment_notes === null) delete body.appointment_notes
      delete body.address.second_line
      delete body.address.unit
      delete body.address.access_notes
    }),
  ),
  legal(
    'returns null for the optional fields of appointments',
    eachAppointment((body) => {
      Object.assign(body, {
        order_transaction_id: null,
        iana_timezone: null,
        external_id: null,
        event_data: null,
      })
    }),
  ),
  legal(
    'returns appointments without times',
    eachAppointment((body) => {
      Object.assign(body, { start_at: null, end_at: null })
    }),
  ),
  legal(
    'returns appointments without a history',
    eachAppointment((body) => {
      body.events = []
    }),
  ),
  legal(
    'returns other fields in the history of an appointment',
    eachAppointment((body) => {
      body.events = body.events.map((_: Json, step: number) => ({ step, by: 'system' }))
    }),
  ),
  legal(
    'returns appointments of an unknown type, provider and event_status',
    eachAppointment((body) => {
      Object.assign(body, {
        type: 'video_call',
        provider: 'new_company',
        event_status: 'on_the_way',
      })
    }),
  ),
  legal(
    'never lets an appointment be moved',
    eachAppointment((body) => {
      body.can_reschedule = false
    }),
  ),
  legal(
    'returns times with Z and a fraction',
    rewriteTimes((time) => time.replace(/(?:\.\d+)?(?:Z|\+00:00)$/, '.000Z')),
  ),
  legal(
    'returns times without a zone',
    rewriteTimes((time) => time.replace(/(?:Z|\+00:00)$/, '')),
  ),
  legal(
    'returns time zones of three segments',
    eachAppointment((body) => {
      body.iana_timezone = 'America/Indiana/Indianapolis'
    }),
  ),
  legal(
    'returns time zones of Etc',
    eachAppointment((body) => {
      body.iana_timezone = 'Etc/GMT+7'
    }),
  ),
  legal(
    'returns UUIDs in upper case',
    eachAppointment((body) => {
      for (const name of ['id', 'user_id', 'order_id']) body[name] &&= body[name].toUpperCase()
    }),
  ),
  legal(
    'returns whole degrees as the location',
    eachAppointment((body) => {
      body.location = { lng: -112, lat: 33 }
    }),
  ),
  {
    name: 'returns the error of a failed booking as text',
    only,
    options: { bookingFailure: 'text' },
  },
  legal(
    'returns nothing but a status for a failed booking',
    after(booking, ({ status }) => (status === 500 ? { body: null } : {})),
  ),
  legal(
    'rejects bookings with status 409 and a code',
    after(booking, ({ status }) =>
      status >= 400 && status < 500 ? { status: 409, body: { code: 17 } } : {},
    ),
  ),
  legal(
    'has no call that returns an appointment',
    after(appointment, () => ({ status: 404, body: { detail: 'Not found' } })),
  ),
  legal(
    'returns orders without their user, order_set and requisition_form_url',
    changeResponses('POST /v3/order', ({ order }) => {
      for (const name of ['user_id', 'order_set', 'requisition_form_url']) delete order[name]
    }),
  ),
  {
    name: 'returns results without the deprecated value',
    only,
    setup: (setup) => ({
      ...setup,
      completedOrder: async () => {
        const completed: Json = await setup.completedOrder?.()
        const results = completed.results.map(({ value: _, ...result }: Json) => result)
        return { ...completed, results }
      },
    }),
  },
]
