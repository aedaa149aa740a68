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
  const lines = results.flatMap(({ id, title, outcome, reason }) => [
    `${marks[outcome].padEnd(6)}  ${id.padEnd(width)}  ${title}`,
    ...(reason ? [`${' '.repeat(8)}${reason}`] : []),
  ])
  return [...lines, '', `${passed} passed, ${failed} failed, ${skipped} skipped`, ''].join('\n')
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

function formatCase({ id, title, outcome, reason = '' }: CaseResult): string {
  const start = `    <testcase classname="${escapeXml(id)}" name="${escapeXml(title)}"`
  if (outcome === 'passed') return `${start}/>`
  const tag = outcome === 'failed' ? 'failure' : 'skipped'
  return `${start}><${tag} message="${escapeXml(reason)}"/></testcase>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => entities[letter] ?? letter)
}
