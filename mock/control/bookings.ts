import * as z from 'zod/mini'
import type { TimeSpan } from '../state/clock/time.ts'
import { type ControlOperation, operation } from './endpoint.ts'
import { span } from './values.ts'

/** How bookings end, and the keys they need. */
export const bookings: readonly ControlOperation[] = [
  operation(
    {
      id: 'bookings.next',
      method: 'POST',
      path: '/bookings/next',
      summary: 'Says how the next booking ends that is made without a magic key',
      body: z.object({ outcome: z.enum(['confirm', 'fail', 'never']), after: z.optional(span) }),
      responses: { 204: z.undefined() },
    },
    ({ bookings }, { body: { outcome, after } }) => {
      bookings.next({ outcome, after: after as TimeSpan | undefined })
    },
  ),
  operation(
    {
      id: 'bookings.key',
      method: 'POST',
      path: '/bookings/key',
      summary: 'Makes a booking key, good for one booking',
      body: z.object({ expires_in: z.optional(span) }),
      responses: { 200: z.object({ booking_key: z.string() }) },
    },
    ({ bookings }, { body: { expires_in } }) => ({
      booking_key: bookings.key(
        expires_in === undefined ? {} : { expiresIn: expires_in as TimeSpan },
      ),
    }),
  ),
]
