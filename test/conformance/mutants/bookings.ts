import { after, before, changeResponses, type Json, type Mutant, rejectCalls } from '../mutant.ts'
import { booking } from './targets.ts'

const appointment = /^GET .*\/phlebotomy\/appointment$/
const sync = 'sync_confirmation_timeout_millisecond'
const asyncTimeout = 'async_confirmation_timeout_millisecond'
/** Puts the nearest bound in the place of a value that is beyond it. */
function clamp(body: Json, field: string, minimum: number, maximum: number): void {
  const value = body[field]
  if (Number.isInteger(value)) body[field] = Math.min(maximum, Math.max(minimum, value))
}

export const bookingsMutants: Mutant[] = [
  {
    name: 'never cancels a pending appointment',
    only: ['3.1', '8'],
    between: changeResponses(appointment, (body) => {
      if (body.status === 'cancelled') body.status = 'pending'
    }),
  },
  {
    name: 'stops booking once the appointment is pending',
    only: ['3.1'],
    between: changeResponses(appointment, (body) => {
      if (body.status === 'confirmed') body.status = 'pending'
    }),
  },
  {
    name: 'confirms a cancelled appointment',
    only: ['3.1'],
    between: changeResponses(appointment, (body) => {
      if (body.status === 'cancelled') body.status = 'confirmed'
    }),
  },
  {
    name: 'responds 400 to a failed booking',
    only: ['7'],
    between: after(booking, ({ status }) => (status === 500 ? { status: 400 } : {})),
  },
  {
    name: 'responds 200 to a failed booking',
    only: ['7'],
    between: after(booking, ({ status }) => (status === 500 ? { status: 200 } : {})),
  },
  {
    name: 'returns a pending appointment as reserved',
    only: ['3.1'],
    between: changeResponses(booking, (body) => {
      if (body.status === 'pending') body.status = 'reserved'
    }),
  },
  {
    name: 'books in the background by default',
    only: ['4.8'],
    between: before(booking, ({ body }) => {
      body.async_confirmation ??= true
    }),
  },
  {
    name: 'returns every background booking as pending',
    only: ['3.1'],
    between: changeResponses(booking, (body, call) => {
      if (call.body.async_confirmation) body.status = 'pending'
    }),
  },
  {
    name: 'uses the async timeout of a synchronous booking',
    only: ['4.8'],
    between: rejectCalls(
      booking,
      ({ body }) => body[asyncTimeout] && !body.async_confirmation,
      500,
    ),
  },
  {
    name: 'uses the sync timeout of a synchronous booking',
    only: ['4.8'],
    between: before(booking, ({ body }) => {
      if (body[sync] && !body.async_confirmation) body.async_confirmation = true
    }),
  },
  {
    name: 'never returns a pending appointment',
    only: ['3.1'],
    between: before(booking, ({ body }) => {
      if (body.async_confirmation === true) body.async_confirmation = false
    }),
  },
  {
    name: 'waits 5,000 milliseconds by default',
    only: ['8'],
    between: before(booking, ({ body }) => {
      body[sync] ??= 5000
    }),
  },
  {
    name: 'waits 1,000 milliseconds by default',
    only: ['8'],
    between: before(booking, ({ body }) => {
      body[sync] ??= 1000
    }),
  },
  {
    name: 'cancels after 10 minutes by default',
    only: ['8'],
    between: before(booking, ({ body }) => {
      body[asyncTimeout] ??= 600_000
    }),
  },
  {
    name: 'cancels after an hour by default',
    only: ['8'],
    between: before(booking, ({ body }) => {
      body[asyncTimeout] ??= 3_600_000
    }),
  },
  {
    name: 'accepts a sync timeout of 999 milliseconds',
    only: ['8'],
    between: before(booking, ({ body }) => clamp(body, sync, 1000, 1e9)),
  },
  {
    name: 'accepts a sync timeout of 10,001 milliseconds',
    only: ['8'],
    between: before(booking, ({ body }) => clamp(body, sync, 0, 10_000)),
  },
  {
    name: 'rejects a sync timeout of 10,000 milliseconds',
    only: ['8'],
    between: rejectCalls(booking, ({ body }) => body[sync] === 10_000),
  },
  {
    name: 'accepts an async timeout of 59,999 milliseconds',
    only: ['8'],
    between: before(booking, ({ body }) => clamp(body, asyncTimeout, 60_000, 1e9)),
  },
  {
    name: 'accepts an async timeout of more than 48 hours',
    only: ['8'],
    between: before(booking, ({ body }) => clamp(body, asyncTimeout, 0, 172_800_000)),
  },
  {
    name: 'rejects null for a timeout',
    only: ['8'],
    between: rejectCalls(booking, ({ body }) => body[asyncTimeout] === null),
  },
  {
    name: 'accepts notes of any length',
    only: ['8'],
    between: before(booking, ({ body }) => {
      if (typeof body.appointment_notes === 'string') {
        body.appointment_notes = body.appointment_notes.slice(0, 1000)
      }
    }),
  },
  {
    name: 'drops the notes of an appointment',
    only: ['2.6', '8'],
    between: changeResponses(booking, (body) => {
      body.appointment_notes = null
    }),
  },
  {
    name: 'accepts a booking without a key',
    only: ['4.8'],
    between: before(booking, ({ body }) => {
      body.booking_key ??= 'bk_confirm'
    }),
  },
  {
    name: 'returns local times instead of UTC',
    only: ['2.6'],
    between: changeResponses(booking, (body) => {
      body.start_at &&= body.start_at.replace(/(?:Z|\+00:00)$/, '-07:00')
    }),
  },
  {
    name: 'returns an appointment that ends before it starts',
    only: ['3.1'],
    between: changeResponses(booking, (body) => {
      const { start_at, end_at } = body
      Object.assign(body, { start_at: end_at, end_at: start_at })
    }),
  },
  {
    name: 'returns the latitude as a string',
    only: ['2.6'],
    between: changeResponses(booking, ({ location }) => {
      location.lat = String(location.lat)
    }),
  },
  {
    name: 'returns an appointment without events',
    only: ['2.6'],
    between: changeResponses(booking, (body) => {
      delete body.events
    }),
  },
  {
    name: 'returns a time zone by its abbreviation',
    only: ['2.6'],
    between: changeResponses(booking, (body) => {
      body.iana_timezone = 'Pacific Time'
    }),
  },
  {
    name: 'returns the appointment of another order',
    only: ['2.6'],
    between: changeResponses(booking, (body) => {
      body.order_id = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'
    }),
  },
  {
    name: 'books orders whose ids are not UUIDs',
    only: ['4.8'],
    between: rejectCalls(/not-a-uuid.*book$/, () => true, 200),
  },
]
