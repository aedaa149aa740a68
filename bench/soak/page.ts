import { measuredOn } from '../machine.ts'
import type { Endings, Soaked } from './soak.ts'

const introduction = `# Soak

The soak test makes a million calls of every kind to one mock, some of them over sockets, while all faults below are
enabled. \`npm run soak -- --write\` generates this page. After each round the test checks the team's records and journal:

- A call that succeeded took effect exactly once.
- A call with the outcome \`not-sent\` or \`rejected\` had no effect.
- A call with the outcome \`unknown\` took effect at most once.
- No two requests of an unsafe call took effect.

The mock also fails some bookings with status 500; their outcome is \`unknown\`. One call in five has no retries, so that
every outcome occurs. The seed determines the calls and the probability of each fault, but not the order in which
concurrent calls are affected.`

/** The page \`docs/soak.md\`. */
export function pageOf(found: Soaked): string {
  return `${introduction}\n\nLast run: ${measuredOn()}.\n\n${tablesOf(found)}\n`
}

/** What a soak found, as it is printed. */
export function tablesOf(found: Soaked): string {
  return [totals(found), endings(found), faults(found), memory(found)].join('\n\n')
}

function totals({ calls, seed, served, requests, seconds, wrongs }: Soaked): string {
  const rows = [
    ['Calls', count(calls)],
    ['of them over sockets', count(served)],
    ['Requests that reached the mock', count(requests)],
    ['Calls in a second', count(Math.round(calls / seconds))],
    ['Seed', String(seed)],
    ['Writes lost or doubled, and other wrongs', count(wrongs.length)],
  ]
  return table(['', ''], rows)
}

function endings({ endings }: Soaked): string {
  const columns: (keyof Endings)[] = [
    'calls',
    'success',
    'not-sent',
    'rejected',
    'unknown',
    'succeeded',
  ]
  const rows = [...endings].map(([kind, ends]) => [
    kind,
    ...columns.map((name) => count(ends[name])),
  ])
  return table(['Call', ...columns], rows)
}

function faults({ faults }: Soaked): string {
  const rows = faults.map(({ effect, met }) => [`\`${effect}\``, count(met)])
  return table(['Fault', 'Requests that met it'], rows)
}

/** About ten moments of the run. */
function memory({ heaps, round }: Soaked): string {
  const step = Math.max(1, Math.round(heaps.length / 10))
  const rows = heaps.flatMap((heap, at) =>
    (at + 1) % step === 0 || at === 0 ? [[count((at + 1) * round), heap.toFixed(1)]] : [],
  )
  return table(['Calls so far', 'Heap after collection, MB'], rows)
}

function table(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}
