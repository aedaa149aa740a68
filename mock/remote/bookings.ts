import { bookingKeySchema } from '../control/responses.ts'
import { type BookingKeyOptions, checkKeyOptions } from '../state/bookings/booking-keys.ts'
import type { BookingOutcome } from '../state/bookings/booking-outcomes.ts'
import type { ControlClient } from './control-client.ts'

/** The keys and outcomes of bookings of a team in another process. */
export interface RemoteBookings {
  /** Sets the outcome of the next booking without a magic key. */
  next(outcome: BookingOutcome): Promise<void>
  /** Creates a booking key for one booking. */
  key(options?: BookingKeyOptions): Promise<string>
}

/** Returns the keys and outcomes of bookings of a team. */
export function remoteBookings(client: ControlClient): RemoteBookings {
  return {
    next: async (outcome) => void (await client.run('POST /bookings/next', { ...outcome })),
    key: async (options = {}) => {
      checkKeyOptions(options)
      const body = { expires_in: options.expiresIn }
      const { booking_key } = await client.read<{ booking_key: string }>(
        'POST /bookings/key',
        bookingKeySchema,
        body,
      )
      return booking_key
    },
  }
}
