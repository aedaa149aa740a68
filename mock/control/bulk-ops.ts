import * as z from 'zod/mini'
import { MockError } from '../errors.ts'
import { type ControlOperation, operation } from './endpoint.ts'
import { BulkImportOp } from './records.ts'

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
