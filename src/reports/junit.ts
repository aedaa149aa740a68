import { countOutcome, type PrintedResult } from './outcome.ts'

/** Formats results as JUnit XML, with the test suites in the order of the map. */
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
