import * as z from 'zod/mini'
import type { ConnectionRecipe } from '../../../src/contract/link.ts'
import { lenient } from '../../../src/contract/schema-tools/schema.ts'
import type { BulkOpStatus } from '../../../src/contract/values/known-values.ts'
import { typed } from './schemas.ts'

/** A bulk import as a persistent background operation (specification 3.2, 4.3). */
export interface BulkImportOp {
  /** The operation's id, a UUID. */
  id: string
  /** The provider's slug, such as `oura`. */
  provider: string
  /** The status: `in_progress`, `success`, `failure` or `aborted`. */
  status: BulkOpStatus
  /** The number of submitted connections. */
  total: number
  /** The number of connections processed so far, whether imported or failed. */
  processed: number
  /** The ids of the users whose connections were imported. */
  user_ids_imported: readonly string[]
  /** The submitted ids of unknown users, whose connections were not imported. */
  user_ids_failed: readonly string[]
  /** The virtual time of submission, in ISO 8601. */
  started_at: string
  /** The virtual time at which the import ended, in ISO 8601, or null while it is in progress. */
  ended_at: string | null
}
export const BulkImportOp = z.object({
  id: z.string(),
  provider: z.string(),
  status: typed<BulkOpStatus>(z.string()),
  total: z.int(),
  processed: z.int(),
  user_ids_imported: z.array(z.string()),
  user_ids_failed: z.array(z.string()),
  started_at: lenient.dateTime,
  ended_at: z.nullable(lenient.dateTime),
})

/** A bulk import in a snapshot. */
export interface ImportRun
  extends Pick<BulkImportOp, 'id' | 'provider' | 'status' | 'total' | 'processed'> {
  /** The ids of the users whose connections were imported. */
  imported: string[]
  /** The ids of the users whose imports failed. */
  failed: string[]
  /** The ids of the users with a new connection. Their connection events are sent when the import ends. */
  connected: string[]
  /** The virtual time of submission, as a Unix timestamp in milliseconds. */
  submitted: number
  /** The virtual time at which processing starts, as a Unix timestamp in milliseconds. */
  begins: number
  /** The virtual time at which the import ends, as a Unix timestamp in milliseconds. */
  ends: number
  /** The connections. Empty after the import has ended, to save memory. */
  recipes: ConnectionRecipe[]
}
