import { bookingKeySchema } from '../control/responses.ts'
import type { ControlClient } from './control-client.ts'
import type { RemoteBookings } from './remote-team.ts'

/** Returns the keys and outcomes of bookings of a team. */
export function remoteBookings(client: ControlClient): RemoteBookings {
  return {
    next: async (outcome) => void (await client.run('POST /bookings/next', { ...outcome })),
    key: async (options) => {
      const body = { expires_in: options?.expiresIn }
      const { booking_key } = await client.read<{ booking_key: string }>(
        'POST /bookings/key',
        bookingKeySchema,
        body,
      )
      return booking_key
    },
  }
}
