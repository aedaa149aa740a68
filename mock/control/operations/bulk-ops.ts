import * as z from 'zod/mini'
import { MockError } from '../../errors.ts'
import type { BulkImportOp } from '../../state/records/bulk-ops.ts'
import { BulkImportOp as bulkImportOpSchema } from '../../state/records/schemas.ts'
import { type ControlOperation, operation } from '../endpoint.ts'

/** A bulk import with the numbers of its users instead of their ids. */
export interface BulkOpSummary extends Omit<BulkImportOp, 'user_ids_imported' | 'user_ids_failed'> {
  /** The number of imported users. */
  imported: number
  /** The number of users whose import failed. */
  failed: number
}

const { user_ids_imported: _, user_ids_failed: __, ...summaryFields } = bulkImportOpSchema.shape
const summarySchema = z.object({ ...summaryFields, imported: z.int(), failed: z.int() })

/** The bulk imports: queued, in progress and ended. */
export const bulkOps: readonly ControlOperation[] = [
  operation(
    {
      id: 'bulkOps.list',
      method: 'GET',
      path: '/bulk_ops',
      summary: 'Lists the bulk imports, the oldest first',
      responses: { 200: z.array(bulkImportOpSchema) },
    },
    ({ bulkOps }) => bulkOps.list(),
  ),
  operation(
    {
      id: 'bulkOps.summaries',
      method: 'GET',
      path: '/bulk_ops/summaries',
      summary: 'Lists the bulk imports without the ids of their users, the oldest first',
      responses: { 200: z.array(summarySchema) },
    },
    ({ bulkOps }) => bulkOps.list().map(summarizeBulkOp),
  ),
  operation(
    {
      id: 'bulkOps.get',
      method: 'GET',
      path: '/bulk_ops/{id}',
      summary: 'Returns a bulk import',
      params: { id: z.string() },
      responses: { 200: bulkImportOpSchema },
    },
    ({ bulkOps }, { params }) => {
      const found = bulkOps.get(params.id)
      if (!found) throw new MockError('unknown_record', 'No bulk import has this id.')
      return found
    },
  ),
  operation(
    {
      id: 'bulkOps.abort',
      method: 'POST',
      path: '/bulk_ops/{id}/abort',
      summary: 'Aborts a bulk import',
      params: { id: z.string() },
      responses: { 200: bulkImportOpSchema },
    },
    ({ bulkOps }, { params }) => bulkOps.abort(params.id),
  ),
]

function summarizeBulkOp({
  user_ids_imported,
  user_ids_failed,
  ...facts
}: BulkImportOp): BulkOpSummary {
  return { ...facts, imported: user_ids_imported.length, failed: user_ids_failed.length }
}
