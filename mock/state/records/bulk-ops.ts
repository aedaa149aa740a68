import * as z from 'zod/mini'
import type { ConnectionRecipe } from '../../../src/contract/link.ts'
import { lenient } from '../../../src/contract/schema-tools/schema.ts'
import type { BulkOpStatus } from '../../../src/contract/values/known-values.ts'
import { typed } from './schemas.ts'

/** A bulk import as a persistent background operation (specification 3.2, 4.3). */
export interface BulkImportOp {
  /** The id of the operation, a UUID. */
  id: string
  /** The provider's slug, such as `oura`. */
  provider: string
  /** The status: `in_progress`, `success`, `failure` or `aborted`. */
  status: BulkOpStatus
  /** How many connections were submitted. */
  total: number
  /** How many connections were imported or failed. */
  processed: number
  /** The users whose connection was imported. */
  user_ids_imported: readonly string[]
  /** The users whose connection failed, because the team does not have them. */
  user_ids_failed: readonly string[]
  /** The virtual time of the submission, ISO 8601. */
  started_at: string
  /** The virtual time of the end, ISO 8601; null while the import is in progress. */
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
  /** The users whose connection was imported. */
  imported: string[]
  /** The users whose connection failed. */
  failed: string[]
  /** The imported users who were not connected before; their events are sent when the import ends. */
  connected: string[]
  /** The virtual time, in milliseconds since 1970. */
  submitted: number
  /** The virtual time at which it begins, after the operations before it have ended. */
  begins: number
  /** The virtual time, in milliseconds since 1970. */
  ends: number
  /** The connections; empty after the end, to save memory. */
  recipes: ConnectionRecipe[]
}
