import type { BulkOp } from '../../../src/contract/link.ts'
import { deepFreeze } from '../../shared/freeze.ts'
import { dateTime } from '../clock/time.ts'
import type { BulkImportOp, ImportRun } from '../records/bulk-ops.ts'

/** A bulk import in memory. Users whose connection is deleted before the import ends are removed from `connected`. */
export interface CurrentImport extends Omit<ImportRun, 'connected'> {
  /** The ids of the imported users whose events are sent when the import ends. */
  connected: Set<string>
}

export function importState(run: CurrentImport): ImportRun {
  return structuredClone({ ...run, connected: [...run.connected] })
}

export function bulkOpOf(run: CurrentImport): BulkImportOp {
  const { id, provider, status, total, processed, imported, failed } = run
  const isRunning = status === 'in_progress'
  return {
    id,
    provider,
    status,
    total,
    processed,
    // Do not copy an ended operation's lists: they never change and can be long.
    user_ids_imported: isRunning ? [...imported] : deepFreeze(imported),
    user_ids_failed: isRunning ? [...failed] : deepFreeze(failed),
    started_at: dateTime(run.submitted),
    ended_at: isRunning ? null : dateTime(run.ends),
  }
}

/**
 * Moves an operation's start to `free`, the time at which the previous operation ends, or to its submission if that is
 * later.
 */
export function moveTo(free: number, run: CurrentImport): void {
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
