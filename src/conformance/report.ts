/** What became of one case. */
export interface CaseResult {
  id: string
  /** The section of the specification. */
  section: string
  title: string
  readOnly: boolean
  /** What the specification leaves open and the case relies on. */
  presumes?: string
  outcome: 'passed' | 'failed' | 'skipped'
  /** Why it failed, or was skipped; no bodies, ids or keys. */
  reason?: string
}

/** What a run found; plain JSON. */
export interface ConformanceReport {
  baseUrl: string
  passed: number
  failed: number
  skipped: number
  results: CaseResult[]
}

const marks = { passed: 'ok', failed: 'FAILED', skipped: '-' }

/** A report as a table for a terminal; reasons stand below their case. */
export function toTable({ results, passed, failed, skipped }: ConformanceReport): string {
  const width = Math.max(4, ...results.map(({ id }) => id.length))
  const lines = results.flatMap(({ id, title, outcome, reason }) => [
    `${marks[outcome].padEnd(6)}  ${id.padEnd(width)}  ${title}`,
    ...(reason ? [`${' '.repeat(8)}${reason}`] : []),
  ])
  return [...lines, '', `${passed} passed, ${failed} failed, ${skipped} skipped`, ''].join('\n')
}

/** A report as JUnit XML, a test suite for each part of the specification. */
export function toJunit({ results, failed, skipped }: ConformanceReport): string {
  const parts = Map.groupBy(results, ({ section }) => section.split('.')[0] ?? section)
  const suites = [...parts].map(([part, of]) => suite(part, of))
  const counts = `tests="${results.length}" failures="${failed}" skipped="${skipped}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="conformance" ${counts}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}

function suite(part: string, results: CaseResult[]): string {
  const count = (outcome: CaseResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length
  const counts = `tests="${results.length}" failures="${count('failed')}" skipped="${count('skipped')}"`
  return [
    `  <testsuite name="part ${part}" ${counts}>`,
    ...results.map(testCase),
    '  </testsuite>',
  ].join('\n')
}

function testCase({ id, title, outcome, reason = '' }: CaseResult): string {
  const start = `    <testcase classname="${escaped(id)}" name="${escaped(title)}"`
  if (outcome === 'passed') return `${start}/>`
  const tag = outcome === 'failed' ? 'failure' : 'skipped'
  return `${start}><${tag} message="${escaped(reason)}"/></testcase>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => entities[letter] ?? letter)
}
