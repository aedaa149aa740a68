import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { pageOf, tablesOf } from './page.ts'
import { heapGrowth, soak } from './soak.ts'

/**
 * Sends many calls through the client to the mock, with faults, and prints their results: `npm run lab soak`, or
 * `npm run lab soak -- --calls 10000 --seed 7`. With `--write` it also writes docs/trust/measurements/soak.md. Exits with 1 if
 * a write was lost or duplicated, or if memory grew.
 */
const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
})

/** The limit for the growth of the heap, in megabytes. */
const maxGrowth = 8

const report = await soak(wholeNumber('calls', 4), wholeNumber('seed', 0), (line) =>
  process.stderr.write(`${line}\n`),
)
if (values.write) writeFileSync('docs/trust/measurements/soak.md', pageOf(report))
console.log(tablesOf(report))
const growth = heapGrowth(report.heaps)
console.log(`\nThe heap grew by ${growth.toFixed(1)} MB. The limit is ${maxGrowth} MB.`)
for (const problem of report.problems.slice(0, 50)) console.error(`PROBLEM: ${problem}`)
if (report.problems.length > 0)
  console.error(
    `To run it again: npm run lab soak -- --calls ${report.calls} --seed ${report.seed}`,
  )
process.exitCode = report.problems.length > 0 || growth > maxGrowth ? 1 : 0

function wholeNumber(name: 'calls' | 'seed', least: number): number {
  const number = Number(values[name])
  if (Number.isInteger(number) && number >= least) return number
  console.error(
    `Expected --${name} to be an integer of at least ${least}, but got ${values[name]}.`,
  )
  process.exit(1)
}
