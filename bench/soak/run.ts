import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { pageOf, tablesOf } from './page.ts'
import { growth, soak } from './soak.ts'

/**
 * Sends many calls through client and mock while faults are on, and prints how they ended: `npm run soak`, or
 * `npm run soak -- --calls 10000 --seed 7`. With `--write` the tables go to docs/soak.md. Ends with 1 when a write was
 * lost or doubled, or when memory grew.
 */
const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
})

/** Megabytes by which the heap may grow from the second quarter of a run to its last one. */
const greatestGrowth = 8

const found = await soak(wholeNumber('calls', 4), wholeNumber('seed', 0), (line) =>
  process.stderr.write(`${line}\n`),
)
if (values.write) writeFileSync('docs/soak.md', pageOf(found))
console.log(tablesOf(found))
const grown = growth(found.heaps)
console.log(`\nThe heap grew by ${grown.toFixed(1)} MB; at most ${greatestGrowth} MB are allowed.`)
for (const wrong of found.wrongs.slice(0, 50)) console.error(`WRONG: ${wrong}`)
if (found.wrongs.length > 0)
  console.error(`Again: npm run soak -- --calls ${found.calls} --seed ${found.seed}`)
process.exitCode = found.wrongs.length > 0 || grown > greatestGrowth ? 1 : 0

function wholeNumber(name: 'calls' | 'seed', least: number): number {
  const number = Number(values[name])
  if (Number.isInteger(number) && number >= least) return number
  console.error(`Expected --${name} to be a whole number from ${least}, but got ${values[name]}.`)
  process.exit(1)
}
