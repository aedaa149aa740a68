import { execFileSync } from 'node:child_process'
import { type Figure, ratio } from './figure.ts'
import type { Way } from './way.ts'

/**
 * Of each of several ways the CPU time of its fastest round. Each runs in processes of its own, as in a program that does
 * nothing else; the processes take turns, so that all meet the same weather.
 */
function compared<Name extends Way>(...names: Name[]): Record<Name, number> {
  const best = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Record<
    Name,
    number
  >
  for (let turn = 0; turn < 3; turn += 1) {
    for (const name of names) {
      const found = execFileSync(process.execPath, ['bench/way.ts', name], {
        encoding: 'utf8',
      })
      best[name] = Math.min(best[name], Number(found))
    }
  }
  return best
}

export default async function (): Promise<Figure[]> {
  const call = compared('client', 'ky', 'fetch')
  const page = compared('clientPage', 'fetchPage')
  const check = compared('check', 'parse')
  return [
    { what: 'CPU of a call of 1 KB', found: `${call.client.toFixed(0)} us` },
    ratio('A call of 1 KB: the client against ky(url).json()', call.client / call.ky, 1.1),
    {
      what: 'A call of 1 KB: the client against a bare fetch',
      found: (call.client / call.fetch).toFixed(2),
    },
    ratio(
      'A page of 100 markers, checked: the client against fetch and json()',
      page.clientPage / page.fetchPage,
      1.35,
    ),
    ratio('Checking that page against parsing it', check.check / check.parse, 0.05),
  ]
}
