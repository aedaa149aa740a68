import * as z from 'zod/mini'
import type { BookingOutcome } from '../../state/bookings/booking-outcomes.ts'
import { type TimeSpan, timeSpanSchema } from '../../state/clock/time.ts'
import { bookingOutcomeSchema } from '../../state/settings.ts'
import { type ControlOperation, noContent, operation } from '../endpoint.ts'
import { bookingKeySchema } from '../responses.ts'

/** The keys and outcomes of bookings. */
export const bookings: readonly ControlOperation[] = [
  operation(
    {
      id: 'bookings.next',
      method: 'POST',
      path: '/bookings/next',
      summary: 'Sets the outcome of the next booking without a magic key',
      body: bookingOutcomeSchema,
      responses: noContent,
    },
    // The schema is that of the type; zod cannot express a string such as '15m'.
    ({ bookings }, { body }) => bookings.next(body as BookingOutcome),
  ),
  operation(
    {
      id: 'bookings.key',
      method: 'POST',
      path: '/bookings/key',
      summary: 'Creates a booking key for one booking',
      body: z.object({ expires_in: z.optional(timeSpanSchema) }),
      responses: { 200: bookingKeySchema },
    },
    ({ bookings }, { body: { expires_in } }) => ({
      booking_key: bookings.key(
        // As above.
        expires_in === undefined ? {} : { expiresIn: expires_in as TimeSpan },
      ),
    }),
  ),
]
