import * as z from 'zod/mini'
import { MockError } from '../errors.ts'
import type { BulkImportOp as Imported } from '../state/records/bulk-ops.ts'
import { BulkImportOp } from '../state/records/schemas.ts'
import { type ControlOperation, operation } from './endpoint.ts'

/** A bulk import without its users, who may be many. */
export interface BulkOpSummary extends Omit<Imported, 'user_ids_imported' | 'user_ids_failed'> {
  imported: number
  failed: number
}

const { user_ids_imported: _, user_ids_failed: __, ...summaryFields } = BulkImportOp.shape
const BulkOpSummary = z.object({ ...summaryFields, imported: z.int(), failed: z.int() })

/** Bulk imports, queued, running and ended. */
export const bulkOps: readonly ControlOperation[] = [
  operation(
    {
      id: 'bulkOps.list',
      method: 'GET',
      path: '/bulk_ops',
      summary: 'Lists the bulk imports, the oldest first',
      responses: { 200: z.array(BulkImportOp) },
    },
    ({ bulkOps }) => bulkOps.list(),
  ),
  operation(
    {
      id: 'bulkOps.summaries',
      method: 'GET',
      path: '/bulk_ops/summaries',
      summary: 'Lists the bulk imports without their users, the oldest first',
      responses: { 200: z.array(BulkOpSummary) },
    },
    ({ bulkOps }) => bulkOps.list().map(summaryOf),
  ),
  operation(
    {
      id: 'bulkOps.get',
      method: 'GET',
      path: '/bulk_ops/{id}',
      summary: 'Reads a bulk import',
      params: { id: z.string() },
      responses: { 200: BulkImportOp },
    },
    ({ bulkOps }, { params }) => {
      const found = bulkOps.get(params.id)
      if (!found) throw new MockError('unknown_record', 'There is no such bulk import.')
      return found
    },
  ),
  operation(
    {
      id: 'bulkOps.abort',
      method: 'POST',
      path: '/bulk_ops/{id}/abort',
      summary: 'Ends a bulk import early',
      params: { id: z.string() },
      responses: { 200: BulkImportOp },
    },
    ({ bulkOps }, { params }) => bulkOps.abort(params.id),
  ),
]

function summaryOf({ user_ids_imported, user_ids_failed, ...facts }: Imported): BulkOpSummary {
  return { ...facts, imported: user_ids_imported.length, failed: user_ids_failed.length }
}
