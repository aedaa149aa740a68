import { formatJunit, formatTable } from '../shared/reports.ts'
import { type CertifyCase, topicOf } from './case.ts'

/** The result of one case. */
export interface CertifyResult extends Pick<CertifyCase, 'id' | 'title' | 'basis'> {
  /** Whether the receiver passed. `skipped`: the case did not run or had no clear result. */
  outcome: 'passed' | 'failed' | 'skipped'
  /** Why the case failed or was skipped. Never contains secrets, signatures or bodies. */
  reason?: string
  /** How to fix the receiver. Present only if the case failed. */
  remedy?: string
}

/** The results of a run, as plain JSON. */
export interface CertifyReport {
  /** The number of passed cases. */
  passed: number
  /** The number of failed cases. */
  failed: number
  /** The number of skipped cases. */
  skipped: number
  /** The result of each selected case. */
  results: CertifyResult[]
}

/** Options for {@link toTable}. */
export interface CertifyTableOptions {
  /** Whether to list only failed cases. Default: false. */
  quiet?: boolean
}

/**
 * Formats a report as a table for a terminal. A failed case shows its reason, rule and fix. Cases that were skipped for
 * the same reason share a line.
 */
export function toTable(
  { results }: CertifyReport,
  { quiet = false }: CertifyTableOptions = {},
): string {
  const rows = results.map(withNotes)
  if (quiet) return formatTable(rows, { shown: rows.filter(({ outcome }) => outcome === 'failed') })
  const skipped = rows.filter(({ outcome }) => outcome === 'skipped')
  const folded = [...Map.groupBy(skipped, ({ reason }) => reason).values()].filter(
    ({ length }) => length > 1,
  )
  return formatTable(rows, { shown: rows.filter((row) => !folded.flat().includes(row)), folded })
}

/** Formats a report as JUnit XML, with one test suite per topic. */
export function toJunit({ results }: CertifyReport): string {
  return formatJunit('certify', Map.groupBy(results.map(withNotes), topicOf))
}

function withNotes(result: CertifyResult) {
  const { remedy, basis } = result
  return { ...result, notes: remedy === undefined ? [] : [`Rule: ${basis}`, `Fix: ${remedy}`] }
}
