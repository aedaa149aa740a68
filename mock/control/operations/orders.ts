import * as z from 'zod/mini'
import { Appointment } from '../../../src/contract/appointments.ts'
import { appointmentStatuses } from '../../../src/contract/values/known-values.ts'
import { timeSpanSchema } from '../../state/clock/time.ts'
import { BulkImportOp } from '../../state/records/bulk-ops.ts'
import { LabOrder } from '../../state/records/orders.ts'
import { bookingOutcomeSchema } from '../../state/settings.ts'
import type { ControlOperation } from '../operation.ts'

export const bookings = {
  'bookings.next': {
    summary: 'Sets the outcome of the next booking that has no magic key',
    body: bookingOutcomeSchema,
  },
  'bookings.key': {
    summary: 'Creates a single-use booking key',
    body: z.object({ expires_in: z.optional(timeSpanSchema) }),
    output: z.object({ booking_key: z.string() }),
  },
} satisfies Record<string, ControlOperation>

const { user_ids_imported: _, user_ids_failed: __, ...summaryFields } = BulkImportOp.shape

export const bulkOps = {
  'bulkOps.list': {
    summary: 'Lists the bulk imports, oldest first',
    output: z.array(BulkImportOp),
  },
  'bulkOps.summaries': {
    summary: 'Lists the bulk imports without user ids, oldest first',
    output: z.array(z.object({ ...summaryFields, imported: z.int(), failed: z.int() })),
  },
  'bulkOps.get': { summary: 'Returns a bulk import', output: BulkImportOp },
  'bulkOps.abort': { summary: 'Aborts a bulk import', output: BulkImportOp },
} satisfies Record<string, ControlOperation>

export const orders = {
  'orders.complete': {
    summary: 'Completes an order with all expected results for its markers',
    body: z.optional(z.object({ critical: z.optional(z.boolean()) })),
    output: LabOrder,
  },
  'appointments.transition': {
    summary: "Changes an appointment's status",
    body: z.object({
      status: z.enum(appointmentStatuses),
      changes: z.optional(z.partial(Appointment)),
    }),
    output: Appointment,
  },
} satisfies Record<string, ControlOperation>
