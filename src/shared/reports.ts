export const marks = { passed: 'ok', failed: 'FAILED', skipped: '-' }

export type CaseOutcome = keyof typeof marks

export interface PrintedResult {
  id: string
  title: string
  outcome: CaseOutcome
  reason?: string
  /** Additional lines below the reason. */
  notes?: readonly string[]
}

export function countOutcome(
  results: readonly { outcome: CaseOutcome }[],
  outcome: CaseOutcome,
): number {
  return results.filter((result) => result.outcome === outcome).length
}

/** The results that a table lists. Default: all results, each on a line of its own. */
export interface TableContent {
  shown?: readonly PrintedResult[]
  /** Groups of skipped results with the same reason. Each group shares a line. */
  folded?: readonly (readonly PrintedResult[])[]
}

export function formatTable(
  rows: readonly PrintedResult[],
  { shown = rows, folded = [] }: TableContent = {},
): string {
  const width = Math.max(4, ...shown.map(({ id }) => id.length))
  const lines = shown.flatMap(({ id, title, outcome, reason, notes = [] }) => [
    `${marks[outcome].padEnd(6)}  ${id.padEnd(width)}  ${title}`,
    ...[...(reason ? [reason] : []), ...notes].map((line) => `${' '.repeat(8)}${line}`),
  ])
  const groups = folded.map(
    (group) => `${marks.skipped.padEnd(6)}  ${group.length} cases: ${group[0]?.reason}`,
  )
  const listed = [...lines, ...groups]
  const counts = (['passed', 'failed', 'skipped'] as const).map(
    (outcome) => `${countOutcome(rows, outcome)} ${outcome}`,
  )
  return [...listed, ...(listed.length > 0 ? [''] : []), counts.join(', '), ''].join('\n')
}

export function formatJunit(
  name: string,
  suites: ReadonlyMap<string, readonly PrintedResult[]>,
): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(name)}" ${countsOf([...suites.values()].flat())}>`,
    ...[...suites].map(([suite, results]) => formatSuite(suite, results)),
    '</testsuites>',
    '',
  ].join('\n')
}

function formatSuite(name: string, results: readonly PrintedResult[]): string {
  return [
    `  <testsuite name="${escapeXml(name)}" ${countsOf(results)}>`,
    ...results.map(formatCase),
    '  </testsuite>',
  ].join('\n')
}

function countsOf(results: readonly PrintedResult[]): string {
  const [failures, skipped] = (['failed', 'skipped'] as const).map((outcome) =>
    countOutcome(results, outcome),
  )
  return `tests="${results.length}" failures="${failures}" skipped="${skipped}"`
}

function formatCase({ id, title, outcome, reason = '', notes = [] }: PrintedResult): string {
  const start = `    <testcase classname="${escapeXml(id)}" name="${escapeXml(title)}"`
  const message = `message="${escapeXml(reason)}"`
  if (outcome === 'passed') return `${start}/>`
  if (outcome === 'skipped') return `${start}><skipped ${message}/></testcase>`
  return `${start}><failure ${message}>${escapeXml(notes.join('\n'))}</failure></testcase>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => entities[letter] ?? letter)
}
