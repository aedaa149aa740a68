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

const marks = { passed: 'ok', failed: 'FAILED', skipped: '-' }

/** Formats a report as a table for a terminal, with each reason below its case. */
export function toTable({ results, passed, failed, skipped }: ConformanceReport): string {
  const width = Math.max(4, ...results.map(({ id }) => id.length))
  const lines = results.flatMap((result) => [
    `${marks[result.outcome].padEnd(6)}  ${result.id.padEnd(width)}  ${result.title}`,
    ...detailsOf(result).map((line) => `${' '.repeat(8)}${line}`),
  ])
  return [...lines, '', `${passed} passed, ${failed} failed, ${skipped} skipped`, ''].join('\n')
}

/** The differences that a report shows for a failure. */
const maxDifferences = 20

/** Returns the lines below a case: the reason, the differences, and the sentences of the specification. */
function detailsOf({ reason, failure }: CaseResult): string[] {
  if (!reason) return []
  if (!failure) return [reason]
  const diff = failure.diff.slice(0, 2 * maxDifferences)
  const hidden = (failure.diff.length - diff.length) / 2
  return [
    reason,
    ...diff,
    ...(hidden > 0 ? [`… and ${hidden} more`] : []),
    ...failure.sentences.map(({ section, text }) => `Specification ${section}: ${text}`),
  ]
}

/** Formats a report as JUnit XML, with a test suite for each part of the specification. */
export function toJunit({ results, failed, skipped }: ConformanceReport): string {
  const parts = Map.groupBy(results, ({ section }) => section.split('.')[0] ?? section)
  const suites = [...parts].map(([part, of]) => formatSuite(part, of))
  const counts = `tests="${results.length}" failures="${failed}" skipped="${skipped}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="conformance" ${counts}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}

function formatSuite(part: string, results: CaseResult[]): string {
  const count = (outcome: CaseResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length
  const counts = `tests="${results.length}" failures="${count('failed')}" skipped="${count('skipped')}"`
  return [
    `  <testsuite name="part ${part}" ${counts}>`,
    ...results.map(formatCase),
    '  </testsuite>',
  ].join('\n')
}

function formatCase(result: CaseResult): string {
  const { id, title, outcome, reason = '' } = result
  const start = `    <testcase classname="${escapeXml(id)}" name="${escapeXml(title)}"`
  if (outcome === 'passed') return `${start}/>`
  if (outcome === 'skipped') return `${start}><skipped message="${escapeXml(reason)}"/></testcase>`
  const details = escapeXml(detailsOf(result).slice(1).join('\n'))
  return `${start}><failure message="${escapeXml(reason)}">${details}</failure></testcase>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => entities[letter] ?? letter)
}
