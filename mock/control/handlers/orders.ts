import { MockError } from '../../errors.ts'
import type { BulkImportOp } from '../../state/records/bulk-ops.ts'
import type { Handlers } from '../handler.ts'
import type { bookings, bulkOps, orders } from '../operations/orders.ts'

export const ordersHandlers: Handlers<typeof bookings & typeof bulkOps & typeof orders> = {
  'bookings.next': ({ bookings }, { body }) => bookings.next(body),
  'bookings.key': ({ bookings }, { body: { expires_in } }) => ({
    booking_key: bookings.key(expires_in === undefined ? {} : { expiresIn: expires_in }),
  }),
  'bulkOps.list': ({ bulkOps }) => bulkOps.list(),
  'bulkOps.summaries': ({ bulkOps }) => bulkOps.list().map(summarizeBulkOp),
  'bulkOps.get': ({ bulkOps }, { params }) => {
    const found = bulkOps.get(params.id)
    if (!found) throw new MockError('unknown_record', 'No bulk import has this id.')
    return found
  },
  'bulkOps.abort': ({ bulkOps }, { params }) => bulkOps.abort(params.id),
  'orders.complete': ({ orders }, { params, body }) =>
    orders.complete(params.id, { critical: body?.critical === true }),
  'appointments.transition': ({ appointments }, { params, body }) =>
    appointments.transition(params.id, body.status, body.changes),
}

function summarizeBulkOp({ user_ids_imported, user_ids_failed, ...facts }: BulkImportOp) {
  return { ...facts, imported: user_ids_imported.length, failed: user_ids_failed.length }
}
