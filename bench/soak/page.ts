import { describeRun } from '../machine.ts'
import type { ResultCounts, SoakReport } from './soak.ts'

const introduction = `# Soak

A million calls of every kind go through the client to one mock, a few of them over sockets, while every fault below is
on. \`npm run soak -- --write\` writes this page. After each round the team's records and its journal are the judge:

- a call that succeeded was done exactly once;
- one whose error says \`not-sent\` or \`rejected\` was not done;
- one whose error says \`unknown\` was done once at most;
- of the requests of an unsafe call no two ever wrote.

Bookings also end with a failure that the mock plans, which the service answers with 500: their outcome is \`unknown\`.
One call in five may not be repeated, so that every outcome is seen. The seed fixes the calls and the chance of each
fault, not the order in which calls that run together meet them.`

/** The page \`docs/soak.md\`. */
export function pageOf(report: SoakReport): string {
  return `${introduction}\n\nLast run: ${describeRun()}.\n\n${tablesOf(report)}\n`
}

/** Formats a report as Markdown tables. */
export function tablesOf(report: SoakReport): string {
  return [totals(report), results(report), faults(report), memory(report)].join('\n\n')
}

function totals({ calls, seed, served, requests, seconds, problems }: SoakReport): string {
  const rows = [
    ['Calls', count(calls)],
    ['Calls over sockets', count(served)],
    ['Requests that reached the mock', count(requests)],
    ['Calls per second', count(Math.round(calls / seconds))],
    ['Seed', String(seed)],
    ['Lost or duplicate writes, and other problems', count(problems.length)],
  ]
  return table(['', ''], rows)
}

function results({ results }: SoakReport): string {
  const columns: (keyof ResultCounts)[] = [
    'calls',
    'success',
    'not-sent',
    'rejected',
    'unknown',
    'succeeded',
  ]
  const rows = [...results].map(([kind, counts]) => [
    kind,
    ...columns.map((name) => count(counts[name])),
  ])
  return table(['Call', ...columns], rows)
}

function faults({ faults }: SoakReport): string {
  const rows = faults.map(({ effect, used }) => [`\`${effect}\``, count(used)])
  return table(['Fault', 'Affected requests'], rows)
}

/** Returns about ten samples of the run. */
function memory({ heaps, round }: SoakReport): string {
  const step = Math.max(1, Math.round(heaps.length / 10))
  const rows = heaps.flatMap((heap, at) =>
    (at + 1) % step === 0 || at === 0 ? [[count((at + 1) * round), heap.toFixed(1)]] : [],
  )
  return table(['Calls so far', 'Heap after garbage collection, MB'], rows)
}

function table(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}
