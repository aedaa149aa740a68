import { countOutcome, marks, type PrintedResult } from './outcome.ts'

/** Formats results as a table for a terminal, with each reason below its case, and the counts at the end. */
export function formatTable(rows: readonly PrintedResult[]): string {
  const width = Math.max(4, ...rows.map(({ id }) => id.length))
  const lines = rows.flatMap(({ id, title, outcome, reason, notes = [] }) => [
    `${marks[outcome].padEnd(6)}  ${id.padEnd(width)}  ${title}`,
    ...[...(reason ? [reason] : []), ...notes].map((line) => `${' '.repeat(8)}${line}`),
  ])
  const counts = (['passed', 'failed', 'skipped'] as const).map(
    (outcome) => `${countOutcome(rows, outcome)} ${outcome}`,
  )
  return [...lines, '', counts.join(', '), ''].join('\n')
}
