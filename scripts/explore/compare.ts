import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { flawedBookings } from '../../test/explore/corpus/bookings.ts'
import { correct } from '../../test/explore/corpus/correct.ts'
import { flawedEvents } from '../../test/explore/corpus/events.ts'
import type { Integration } from '../../test/explore/corpus/kit.ts'
import { flawedOrders } from '../../test/explore/corpus/orders.ts'
import { flawedRecords } from '../../test/explore/corpus/records.ts'
import { search } from './harness.ts'

/**
 * Compares `explore` with a hand-written fast-check harness on the programs in the corpus: `npm run lab harness`, or
 * `npm run lab harness -- --runs 300`. Both get the same number of runs for each program.
 */
const { values } = parseArgs({ options: { runs: { type: 'string', default: '100' } } })
const runs = Number(values.runs)

const groups = {
  'orders with a bug': flawedOrders,
  'bookings with a bug': flawedBookings,
  'records with a bug': flawedRecords,
  'receivers with a bug': flawedEvents,
  'correct programs': correct,
}

const withExplore = ({ explore }: Integration): Promise<boolean> =>
  explore({ runs }).then(
    () => false,
    () => true,
  )

const withHarness = ({ options }: Integration): Promise<boolean> =>
  search(options, { runs, seed: 1 })

/** Returns the number of failing programs, and the CPU time in seconds. */
async function measure(
  programs: readonly Integration[],
  fails: (program: Integration) => Promise<boolean>,
): Promise<{ found: number; seconds: number }> {
  const start = process.cpuUsage()
  let found = 0
  for (const program of programs) if (await fails(program)) found += 1
  const { user, system } = process.cpuUsage(start)
  return { found, seconds: (user + system) / 1e6 }
}

const code = readFileSync(new URL('harness.ts', import.meta.url), 'utf8').split('\n')
const lines = code.filter(
  (line) => line.trim() !== '' && !/^\s*(?:\/\/|\/\*\*|\*)/.test(line),
).length
console.log(`The harness has ${lines} lines. ${runs} runs for each program.\n`)
console.log(
  '| Programs | Number | Found by `explore` | CPU seconds | Found by the harness | CPU seconds |',
)
console.log('|---|---|---|---|---|---|')
for (const [name, programs] of Object.entries(groups)) {
  const explored = await measure(programs, withExplore)
  const searched = await measure(programs, withHarness)
  const cells = [programs.length, explored.found, explored.seconds.toFixed(0)]
  console.log(`| ${[name, ...cells, searched.found, searched.seconds.toFixed(0)].join(' | ')} |`)
}
