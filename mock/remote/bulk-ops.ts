import * as z from 'zod/mini'
import type { BulkImportOp } from '../state/imports.ts'
import { BulkImportOp as bulkImportOpSchema } from '../state/records/schemas.ts'
import type { ControlClient } from './control-client.ts'
import { orUndefined, recordPath } from './records.ts'
import type { RemoteBulkOps } from './remote-team.ts'

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
