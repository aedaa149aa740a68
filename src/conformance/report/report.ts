import { formatJunit, formatTable } from '../../reports.ts'
import type { CaseFailure } from './failure.ts'

/** The result of one case. */
export interface CaseResult {
  /** The section and a name, such as `4.8/pending-in-time`. */
  id: string
  /** The section of the specification. */
  section: string
  /** What the service must do. */
  title: string
  /** Whether the case changes nothing in the service. */
  readOnly: boolean
  /** The case's assumption about what the specification leaves open. */
  assumption?: string
  /** Whether the service conforms; `skipped` when the case did not run. */
  outcome: 'passed' | 'failed' | 'skipped'
  /** Why the case failed or was skipped, without bodies, ids and keys. */
  reason?: string
  /** What the case expected and found; only of a failed case. */
  failure?: CaseFailure
}

/** The results of a run, as plain JSON. */
export interface ConformanceReport {
  /** The address of the service. */
  baseUrl: string
  /** The number of cases that passed. */
  passed: number
  /** The number of cases that failed. */
  failed: number
  /** The number of cases that were skipped. */
  skipped: number
  /** The result of each selected case, in the order of the specification. */
  results: CaseResult[]
}

/** Formats a report as a table for a terminal, with each reason below its case. */
export function toTable({ results }: ConformanceReport): string {
  return formatTable(results.map((result) => ({ ...result, notes: notesOf(result) })))
}

/** Formats a report as JUnit XML, with a test suite for each part of the specification. */
export function toJunit({ results }: ConformanceReport): string {
  const printed = results.map((result) => ({ ...result, notes: notesOf(result) }))
  const suites = Map.groupBy(printed, ({ section }) => `part ${section.split('.')[0] ?? section}`)
  return formatJunit('conformance', suites)
}

/** The differences that a report shows for a failure. */
const maxDifferences = 20

/** Returns the lines below the reason of a case: the differences, and the sentences of the specification. */
function notesOf({ failure }: CaseResult): string[] {
  if (!failure) return []
  const diff = failure.diff.slice(0, 2 * maxDifferences)
  const hidden = (failure.diff.length - diff.length) / 2
  return [
    ...diff,
    ...(hidden > 0 ? [`… and ${hidden} more`] : []),
    ...failure.sentences.map(({ section, text }) => `Specification ${section}: ${text}`),
  ]
}
