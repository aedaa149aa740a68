import type { Send } from '../control/api.ts'
import { type BookingKeyOptions, checkKeyOptions } from '../state/bookings/booking-keys.ts'
import type { BookingOutcome } from '../state/bookings/outcomes.ts'
import type { BulkImportOp } from '../state/records/bulk-ops.ts'
import { orUndefined } from './collection.ts'

/** The booking keys and outcomes of a team in another process. */
export interface RemoteBookings {
  /** Sets the outcome of the next booking that has no magic key. */
  next(outcome: BookingOutcome): Promise<void>
  /** Creates a single-use booking key. */
  key(options?: BookingKeyOptions): Promise<string>
}

export function remoteBookings(send: Send): RemoteBookings {
  return {
    next: (outcome) => send('bookings.next', { body: { ...outcome } }),
    key: async (options = {}) => {
      checkKeyOptions(options)
      const body = { expires_in: options.expiresIn }
      return (await send('bookings.key', { body })).booking_key
    },
  }
}

/** The bulk imports of a team in another process. */
export interface RemoteBulkOps {
  /** Returns the bulk import with the given id, or undefined if there is none. */
  get(id: string): Promise<BulkImportOp | undefined>
  /** Returns the bulk imports, oldest first. */
  list(): Promise<BulkImportOp[]>
  /** Aborts a bulk import and returns it. */
  abort(id: string): Promise<BulkImportOp>
}

export function remoteBulkOps(send: Send): RemoteBulkOps {
  return {
    get: (id) => orUndefined(send('bulkOps.get', { params: { id } })),
    list: () => send('bulkOps.list'),
    abort: (id) => send('bulkOps.abort', { params: { id } }),
  }
}
