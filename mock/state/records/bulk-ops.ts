import type { BulkOp, ConnectionRecipe } from '../../../src/contract/link.ts'
import type { BulkOpStatus } from '../../../src/contract/values/known-values.ts'
import { dateTime } from '../clock/time.ts'

/** A bulk import as a persistent background operation (specification 3.2, 4.3). */
export interface BulkImportOp {
  /** The id of the operation, a UUID. */
  id: string
  /** The provider's slug, such as `oura`. */
  provider: string
  /** `in_progress`, `success`, `failure` or `aborted`. */
  status: BulkOpStatus
  /** How many connections were submitted. */
  total: number
  /** How many of them were imported or failed. */
  processed: number
  /** The users whose connection was imported. */
  user_ids_imported: readonly string[]
  /** The users whose connection failed: those that the team does not have. */
  user_ids_failed: readonly string[]
  /** Virtual time of the submission, ISO 8601. */
  started_at: string
  /** Virtual time of the end, ISO 8601; null while it is in progress. */
  ended_at: string | null
}

/** A bulk import in a snapshot. */
export interface ImportRun
  extends Pick<BulkImportOp, 'id' | 'provider' | 'status' | 'total' | 'processed'> {
  /** The users whose connection was imported. */
  imported: string[]
  /** The users whose connection failed. */
  failed: string[]
  /** The imported users without a connection before; their events are sent when the import ends. */
  connected: string[]
  /** Milliseconds since 1970, virtual time. */
  submitted: number
  /** Milliseconds since 1970, virtual time: when the operations before it have ended. */
  begins: number
  /** Milliseconds since 1970, virtual time. */
  ends: number
  /** The connections; empty after the end, to save memory. */
  recipes: ConnectionRecipe[]
}

/** Returns the operation of a bulk import. */
export function bulkOpOf(run: ImportRun): BulkImportOp {
  const { id, provider, status, total, processed, imported, failed } = run
  const isRunning = status === 'in_progress'
  return {
    id,
    provider,
    status,
    total,
    processed,
    // The lists of an ended operation never change and may be long: no copy.
    user_ids_imported: isRunning ? [...imported] : imported,
    user_ids_failed: isRunning ? [...failed] : failed,
    started_at: dateTime(run.submitted),
    ended_at: isRunning ? null : dateTime(run.ends),
  }
}

/** Moves an operation to the time at which those before it have ended. */
export function moveTo(free: number, run: ImportRun): void {
  const length = run.ends - run.begins
  run.begins = Math.max(run.submitted, free)
  run.ends = run.begins + length
}

/** Returns an operation as the List Bulk Ops endpoint sends it (specification 4.3, rule 4). */
export function wireOp({ provider, status, total, processed, ...times }: BulkImportOp): BulkOp {
  return {
    type: 'link_bulk_import',
    status,
    provider,
    pending: total - processed,
    processed,
    started_at: times.started_at,
    ended_at: times.ended_at,
  }
}
