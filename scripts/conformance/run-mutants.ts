import { casesFor, type Mutant, runMutant } from '../../test/conformance/mutant.ts'
import { mutants } from '../../test/conformance/mutants.ts'
import { subtleClasses } from '../../test/conformance/subtle/subtle.ts'
import { variations } from '../../test/conformance/subtle/variations.ts'

/**
 * Runs the mutants until a case finds them, and prints counts by class: `npm run lab mutants`, or `npm run lab mutants page`
 * for those with such a name, rule or class, with the cases that fail. Exits with 1 if a mutant survives without a stated
 * reason, a control is found, or a run takes longer than its limit.
 */
const wanted = process.argv.slice(2).join(' ')
const classes: Readonly<Record<string, readonly Mutant[]>> = {
  rules: mutants.filter(({ rule }) => rule !== undefined),
  ...subtleClasses,
  'legal variations': mutants.filter(({ rule }) => rule === undefined),
  'further legal variations': variations,
}
/** In seconds of CPU: all cases against the mock, and the whole run of the mutants. */
const limits = { suite: 15, mutants: 240 }
let isSlow = false
if (wanted === '') {
  const start = process.cpuUsage()
  const { results } = await runMutant({}, { assumptions: true })
  report(`${results.length} cases against the mock`, start, limits.suite)
}
let unexpected = 0
let count = 0
const before = process.cpuUsage()
for (const [name, all] of Object.entries(classes)) {
  const selected = all.filter((one) => `${name} ${one.rule ?? ''} ${one.name}`.includes(wanted))
  let found = 0
  for (const mutant of selected) {
    const outcome = await outcomeOf(mutant)
    if (outcome.isFound) found += 1
    const isExpected = outcome.isFound === (mutant.rule !== undefined)
    if (!isExpected && mutant.survives === undefined) unexpected += 1
    if (wanted !== '' || !isExpected) print(mutant, outcome.reasons)
  }
  count += selected.length
  if (selected.length > 0) console.log(`${name}: ${selected.length}, ${found} found`)
}
report(`${count} mutants and controls`, before, limits.mutants)
process.exitCode = count > 0 && unexpected === 0 && !isSlow ? 0 : 1

function report(what: string, start: NodeJS.CpuUsage, limit: number): void {
  const { user, system } = process.cpuUsage(start)
  const seconds = (user + system) / 1e6
  if (seconds > limit) isSlow = true
  console.log(`${what}: ${seconds.toFixed(1)} s of CPU (limit: ${limit} s)`)
}

async function outcomeOf(mutant: Mutant): Promise<{ isFound: boolean; reasons: string[] }> {
  const { results } = await runMutant(mutant, {
    only: casesFor(mutant),
    assumptions: mutant.assumes ?? false,
    bail: wanted === '',
  })
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  return { isFound: failed.length > 0, reasons: failed.map(({ id, reason }) => `${id}: ${reason}`) }
}

function print({ rule = '-', name, survives }: Mutant, reasons: readonly string[]): void {
  console.log(`${rule}  a mock that ${name}`)
  for (const reason of reasons.slice(0, 3)) console.log(`          ${reason}`)
  if (reasons.length === 0 && survives !== undefined) console.log(`          ${survives}`)
}
