import { describeRun } from '../machine.ts'
import type { ResultCounts, SoakReport } from './soak.ts'

const introduction = `# Soak

The soak test makes a million calls of different kinds to a single mock while all of the faults below are enabled.
Some calls use sockets; the others stay in the process. To run the test, use \`npm run lab soak\`. After each
round, it checks the team's records and journal:

- Calls that succeeded took effect exactly once.
- Calls with the outcome \`not-sent\` or \`rejected\` had no effect.
- Calls with the outcome \`unknown\` took effect at most once.
- For each non-idempotent call, at most one request took effect.

The mock also makes some bookings fail with status 500, so their outcome is \`unknown\`. Retries are
disabled for about one call in five, so more calls fail. The seed determines the calls and the random numbers that
select requests for faults, but not the order of concurrent requests.`

export function pageOf(report: SoakReport): string {
  return `${introduction}\n\nLast run: ${describeRun()}.\n\n${tablesOf(report)}\n`
}

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
