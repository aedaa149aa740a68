import {
  before,
  changeResponses,
  type Json,
  type Mutant,
  rejectCalls,
  stick,
} from '../../mutant.ts'
import { appointment, booking } from '../targets.ts'

const required = [
  'id',
  'user_id',
  'order_id',
  'address',
  'location',
  'start_at',
  'end_at',
  'type',
  'provider',
  'status',
  'provider_id',
  'can_reschedule',
  'event_status',
  'events',
]

/** Changes the appointment in the response of a booking. */
function booked(name: string, rule: string, change: (body: Json, call: Json) => void): Mutant {
  return { name, rule, only: ['2.6', '3.1'], between: changeResponses(booking, change) }
}

/** Keeps the value of a field of the first booking. */
function keepFirst(field: string): Mutant {
  let first: Json
  return {
    name: `returns ${field} of the first booking for all`,
    rule: '2.6/fields',
    between: (fetch, key) => {
      first = undefined
      const repeat = changeResponses(booking, (body) => {
        first ??= body[field]
        body[field] = first
      })
      return repeat(fetch, key)
    },
  }
}

export const appointmentsMutants: Mutant[] = [
  ...required.map((field) =>
    booked(`returns an appointment without ${field}`, '2.6/fields', (body) => {
      delete body[field]
    }),
  ),
  ...['id', 'user_id', 'order_id', 'type', 'status', 'location', 'address', 'events'].map((field) =>
    booked(`returns null for ${field} of a pending appointment`, '2.6/fields', (body) => {
      if (body.status === 'pending') body[field] = null
    }),
  ),
  keepFirst('id'),
  keepFirst('user_id'),
  keepFirst('order_id'),
  keepFirst('appointment_notes'),
  {
    name: 'returns the first booking of each kind for all',
    rule: '4.8/response',
    only: ['2.6'],
    between: stick(booking, ({ body }) => body?.async_confirmation),
  },
  {
    name: 'reads the first appointment for every order',
    rule: '4.8/response',
    only: ['2.6'],
    between: stick(appointment),
  },
  booked('drops the notes of an appointment', '2.6/notes', (body) => {
    body.appointment_notes = null
  }),
  booked('drops the notes of a pending appointment', '2.6/notes', (body) => {
    if (body.status === 'pending') body.appointment_notes = null
  }),
  {
    name: 'drops the notes when an appointment is read',
    rule: '2.6/notes',
    between: changeResponses(appointment, (body) => {
      body.appointment_notes = null
    }),
  },
  booked('returns empty notes when none are sent', '2.6/notes', (body) => {
    body.appointment_notes ??= ''
  }),
  booked('returns local times instead of UTC', '2.6/utc', (body) => {
    body.start_at &&= body.start_at.replace(/(?:Z|\+00:00)$/, '-07:00')
  }),
  booked('returns the end in local time', '2.6/utc', (body) => {
    body.end_at &&= body.end_at.replace(/(?:Z|\+00:00)$/, '+02:00')
  }),
  booked('returns times as seconds', '2.6/utc', (body) => {
    body.start_at &&= Date.parse(body.start_at) / 1000
  }),
  booked('returns times without a T', '2.6/utc', (body) => {
    body.start_at &&= body.start_at.replace('T', ' ')
  }),
  booked('returns an appointment that ends before it starts', '2.6/utc', (body) => {
    const { start_at, end_at } = body
    Object.assign(body, { start_at: end_at, end_at: start_at })
  }),
  booked('returns an appointment that ends when it starts', '2.6/utc', (body) => {
    body.end_at = body.start_at
  }),
  booked('returns the latitude as a string', '2.6/location', ({ location }) => {
    location.lat = String(location.lat)
  }),
  booked('returns a location without a longitude', '2.6/location', ({ location }) => {
    delete location.lng
  }),
  booked('confuses longitude and latitude', '2.6/location', ({ location }) => {
    const { lng, lat } = location
    Object.assign(location, { lng: lat, lat: lng })
  }),
  booked('returns the zip code as a number', '2.6/address', ({ address }) => {
    address.zip_code = Number.parseInt(address.zip_code, 10)
  }),
  booked('returns the address as a string', '2.6/address', (body) => {
    body.address = Object.values(body.address).join(', ')
  }),
  booked('returns a time zone by its abbreviation', '2.6/zone', (body) => {
    body.iana_timezone = 'PST'
  }),
  booked('returns a time zone as an offset', '2.6/zone', (body) => {
    body.iana_timezone = '-07:00'
  }),
  booked('returns the appointment of another order', '2.6/fields', (body) => {
    body.order_id = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'
  }),
  booked('returns numbers for ids', '2.6/fields', (body) => {
    body.id = 7
  }),
  booked('returns the id without hyphens', '2.6/fields', (body) => {
    body.id = body.id.replaceAll('-', '')
  }),
  booked('returns events as an object', '2.6/fields', (body) => {
    body.events = { ...body.events }
  }),
  booked('returns can_reschedule as a string', '2.6/fields', (body) => {
    body.can_reschedule = String(body.can_reschedule)
  }),
  booked('returns the type of a walk-in appointment', '2.6/fields', (body) => {
    body.type = 'patient_service_center'
  }),
  booked('returns an order transaction that is not a UUID', '2.6/fields', (body) => {
    body.order_transaction_id = 'transaction'
  }),
  booked('returns event_data as a string', '2.6/fields', (body) => {
    body.event_data = '{}'
  }),
  {
    name: 'gives a confirmed appointment a new id',
    rule: '2.6/fields',
    between: changeResponses(appointment, (body) => {
      if (body.status === 'confirmed') body.id = crypto.randomUUID()
    }),
  },
  {
    name: 'moves an appointment when it is cancelled',
    rule: '2.6/fields',
    between: changeResponses(appointment, (body) => {
      if (body.status === 'cancelled') body.location.lat += 0.1
    }),
  },
  {
    name: "books another team's order",
    rule: '4.8/path',
    only: ['2.6'],
    between: before(booking, ({ headers }, key) => headers.set('x-service-api-key', key)),
  },
  {
    name: "reads another team's appointment",
    rule: '5/team-key',
    only: ['2.6'],
    between: before(appointment, ({ headers }, key) => headers.set('x-service-api-key', key)),
  },
  {
    name: 'books no order of a user after the first',
    rule: '4.8/path',
    only: ['2.6'],
    between: (fetch, key) => {
      let count = 0
      const reject = rejectCalls(booking, () => {
        count += 1
        return count > 2
      })
      return reject(fetch, key)
    },
  },
]
