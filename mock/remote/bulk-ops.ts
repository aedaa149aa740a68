import * as z from 'zod/mini'
import type { BulkImportOp } from '../state/records/bulk-ops.ts'
import { BulkImportOp as bulkImportOpSchema } from '../state/records/schemas.ts'
import { orUndefined, recordPath } from './collection.ts'
import type { ControlClient } from './control-client.ts'

/** The bulk imports of a team in another process. */
export interface RemoteBulkOps {
  /** Returns a bulk import by its id; undefined if it is unknown. */
  get(id: string): Promise<BulkImportOp | undefined>
  /** Returns the bulk imports, the oldest first. */
  list(): Promise<BulkImportOp[]>
  /** Aborts a bulk import, and returns it. */
  abort(id: string): Promise<BulkImportOp>
}

/** Returns the bulk imports of a team. */
export function remoteBulkOps(client: ControlClient): RemoteBulkOps {
  const pathOf = (id: string) => recordPath('/bulk_ops', [id])
  return {
    get: (id) =>
      orUndefined(async () => client.read<BulkImportOp>(`GET ${pathOf(id)}`, bulkImportOpSchema)),
    list: () => client.read('GET /bulk_ops', z.array(bulkImportOpSchema)),
    abort: async (id) => client.read(`POST ${pathOf(id)}/abort`, bulkImportOpSchema),
  }
}
