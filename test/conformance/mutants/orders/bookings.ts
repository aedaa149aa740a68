import {
  after,
  before,
  changeResponses,
  type Json,
  type Mutant,
  rejectCalls,
  withFirst,
} from '../../mutant.ts'
import { appointment, booking } from '../targets.ts'

const sync = 'sync_confirmation_timeout_millisecond'
const asyncTimeout = 'async_confirmation_timeout_millisecond'

/** Sends a booking with these fields if it is asynchronous, or if it is not. */
function bookings(isAsync: boolean, change: (body: Json) => void) {
  return before(booking, ({ body }) => {
    if (isAsync === (body.async_confirmation ?? false)) change(body)
  })
}

/** Changes a field that a request does not have, or that is null. */
function byDefault(field: string, value: Json) {
  return before(booking, ({ body }) => {
    body[field] ??= value
  })
}

/** Books with other keys. */
function keysLike(change: (key: string) => string): NonNullable<Mutant['setup']> {
  return (setup) => ({
    ...setup,
    bookingKey: async (ending) => change((await setup.bookingKey?.(ending)) ?? ''),
  })
}

export const bookingsMutants: Mutant[] = [
  // Synchronous bookings
  ...[400, 200, 202, 502, 503].map(
    (status): Mutant => ({
      name: `responds ${status} to a failed booking`,
      rule: '7/booking',
      between: after(booking, (reply) => (reply.status === 500 ? { status } : {})),
    }),
  ),
  {
    name: 'responds 422 to a booking that fails at once',
    rule: '7/booking',
    between: after(booking, ({ status }, { body }) =>
      status === 500 && body.booking_key === 'bk_fail' ? { status: 422 } : {},
    ),
  },
  {
    name: 'responds 504 to a booking without confirmation',
    rule: '7/booking',
    between: after(booking, ({ status }, { body }) =>
      status === 500 && body.booking_key === 'bk_never' ? { status: 504 } : {},
    ),
  },
  {
    name: 'returns a pending appointment when no confirmation comes',
    rule: '7/booking',
    between: before(booking, ({ body }) => {
      if (body.booking_key === 'bk_never') body.async_confirmation = true
    }),
  },
  {
    name: 'books in the background by default',
    rule: '4.8/rule-1',
    between: byDefault('async_confirmation', true),
  },
  {
    name: 'books in the background when async_confirmation is false',
    rule: '4.8/rule-1',
    between: before(booking, ({ body }) => {
      if (body.async_confirmation === false) body.async_confirmation = true
    }),
  },
  {
    name: 'waits at most 10 seconds for a confirmation',
    rule: '4.8/rule-1',
    options: { synchronousBookingTimeout: '10s' },
  },
  {
    name: 'returns every synchronous booking as pending',
    rule: '4.8/rule-1',
    between: changeResponses(booking, (body, call) => {
      if (!call.body.async_confirmation) body.status = 'pending'
    }),
  },
  {
    name: 'returns confirmed bookings as scheduled',
    rule: '3.1/synchronous',
    only: ['4.8'],
    between: changeResponses(booking, (body) => {
      if (body.status === 'confirmed') body.status = 'scheduled'
    }),
  },
  {
    name: 'uses the async timeout of a synchronous booking',
    rule: '4.8/rule-4',
    between: rejectCalls(
      booking,
      ({ body }) => body[asyncTimeout] && !body.async_confirmation,
      500,
    ),
  },
  {
    name: 'uses the sync timeout of a synchronous booking',
    rule: '4.8/rule-4',
    between: before(booking, ({ body }) => {
      if (body[sync] && !body.async_confirmation) body.async_confirmation = true
    }),
  },
  {
    name: 'fails a synchronous booking after the sync timeout',
    rule: '4.8/rule-4',
    between: rejectCalls(booking, ({ body }) => body[sync] && !body.async_confirmation, 500),
  },
  {
    name: 'rejects timeouts of a synchronous booking',
    rule: '4.8/rule-4',
    between: rejectCalls(booking, ({ body }) => body[sync] && body.async_confirmation === false),
  },
  // The window of asynchronous bookings
  {
    name: 'returns a pending appointment as reserved',
    rule: '3.1/pending',
    between: changeResponses(booking, (body) => {
      if (body.status === 'pending') body.status = 'reserved'
    }),
  },
  {
    name: 'returns every background booking as pending',
    rule: '3.1/in-window',
    between: changeResponses(booking, (body, call) => {
      if (call.body.async_confirmation) body.status = 'pending'
    }),
  },
  {
    name: 'never returns a pending appointment',
    rule: '3.1/pending',
    between: bookings(true, (body) => {
      body.async_confirmation = false
    }),
  },
  {
    name: 'responds 202 without an appointment while it is pending',
    rule: '3.1/pending',
    between: after(booking, ({ body }) =>
      body.status === 'pending' ? { status: 202, body: {} } : {},
    ),
  },
  {
    name: 'ignores the sync timeout',
    rule: '4.8/rule-2',
    only: ['3.1'],
    between: bookings(true, (body) => delete body[sync]),
  },
  {
    name: 'waits twice the sync timeout',
    rule: '4.8/rule-2',
    only: ['3.1'],
    between: bookings(true, (body) => {
      if (body[sync]) body[sync] = Math.min(10_000, body[sync] * 2)
    }),
  },
  {
    name: 'waits 100 milliseconds longer than the sync timeout',
    rule: '4.8/rule-2',
    only: ['3.1'],
    between: bookings(true, (body) => {
      if (body[sync] && body[sync] < 9000) body[sync] += 100
    }),
  },
  {
    name: 'waits at most 5 seconds',
    rule: '4.8/rule-2',
    only: ['3.1'],
    between: bookings(true, (body) => {
      if (body[sync]) body[sync] = Math.min(5000, body[sync])
    }),
  },
  ...[1000, 2000, 2400, 2600, 3000, 5000, 10_000].map(
    (time): Mutant => ({
      name: `waits ${time} milliseconds by default`,
      rule: '8/sync-timeout',
      between: byDefault(sync, time),
    }),
  ),
  {
    name: 'waits 1,000 milliseconds when the sync timeout is null',
    rule: '8/sync-timeout',
    between: before(booking, ({ body }) => {
      if (body[sync] === null) body[sync] = 1000
    }),
  },
  {
    name: 'uses the first sync timeout for all bookings',
    rule: '4.8/rule-2',
    only: ['3.1'],
    between: withFirst((first) =>
      bookings(true, (body) => {
        const known = first(body[sync])
        if (known) body[sync] = known
      }),
    ),
  },
  // The background
  {
    name: 'never cancels a pending appointment',
    rule: '4.8/rule-3',
    only: ['3.1'],
    between: changeResponses(appointment, (body) => {
      if (body.status === 'cancelled') body.status = 'pending'
    }),
  },
  {
    name: 'completes an appointment that is not confirmed in time',
    rule: '3.1/cancelled',
    between: changeResponses(appointment, (body) => {
      if (body.status === 'cancelled') body.status = 'completed'
    }),
  },
  {
    name: 'stops booking once the appointment is pending',
    rule: '4.8/rule-2',
    only: ['3.1'],
    between: changeResponses(appointment, (body) => {
      if (body.status === 'confirmed') body.status = 'pending'
    }),
  },
  {
    name: 'confirms a cancelled appointment',
    rule: '3.1/cancelled',
    between: changeResponses(appointment, (body) => {
      if (body.status === 'cancelled') body.status = 'confirmed'
    }),
  },
  {
    name: 'confirms every pending appointment at once',
    rule: '3.1/pending',
    between: changeResponses(appointment, (body) => {
      if (body.status === 'pending') body.status = 'confirmed'
    }),
  },
  {
    name: 'cancels every pending appointment at once',
    rule: '4.8/rule-3',
    only: ['3.1'],
    between: changeResponses(appointment, (body) => {
      if (body.status === 'pending') body.status = 'cancelled'
    }),
  },
  {
    name: 'ignores the async timeout',
    rule: '4.8/rule-3',
    only: ['3.1'],
    between: bookings(true, (body) => delete body[asyncTimeout]),
  },
  {
    name: 'uses the first async timeout for all bookings',
    rule: '4.8/rule-3',
    only: ['3.1'],
    between: withFirst((first) =>
      bookings(true, (body) => {
        const known = first(body[asyncTimeout])
        if (known) body[asyncTimeout] = known
      }),
    ),
  },
  {
    name: 'cancels after at most a day',
    rule: '4.8/rule-3',
    only: ['3.1'],
    between: bookings(true, (body) => {
      if (body[asyncTimeout]) body[asyncTimeout] = Math.min(86_400_000, body[asyncTimeout])
    }),
  },
  {
    name: 'cancels 10 % later than requested',
    rule: '4.8/rule-3',
    only: ['3.1'],
    between: bookings(true, (body) => {
      const time = body[asyncTimeout]
      if (time) body[asyncTimeout] = Math.min(172_800_000, time * 1.1)
    }),
  },
  ...[10, 14, 16, 60].map(
    (minutes): Mutant => ({
      name: `cancels after ${minutes} minutes by default`,
      rule: '8/async-timeout',
      between: byDefault(asyncTimeout, minutes * 60_000),
    }),
  ),
  {
    name: 'cancels after an hour when the async timeout is null',
    rule: '8/async-timeout',
    between: before(booking, ({ body }) => {
      if (body[asyncTimeout] === null) body[asyncTimeout] = 3_600_000
    }),
  },
  {
    name: 'keeps a pending appointment whose booking fails for an hour',
    rule: '4.8/rule-3',
    only: ['3.1'],
    between: before(booking, ({ body }) => {
      if (/^bk_fail_/.test(body.booking_key)) body[asyncTimeout] = 3_600_000
    }),
  },
  {
    name: 'confirms bookings a second late',
    rule: '3.1/in-window',
    setup: keysLike((key) =>
      key.replace(/_after_(\d+)ms/, (_, time) => `_after_${Number(time) + 1000}ms`),
    ),
  },
]
