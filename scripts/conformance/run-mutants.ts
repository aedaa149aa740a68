import { casesFor, type Mutant, runMutant } from '../../test/conformance/mutant.ts'
import { mutants } from '../../test/conformance/mutants.ts'

/**
 * Prints each mutant with the cases that fail for it: `npm run lab mutants`, or `npm run lab mutants page` for those with such a
 * name or rule. Exits with 1 if a mutant survives without a stated reason, or a control is found.
 */
const [wanted = ''] = process.argv.slice(2)
const selected = mutants.filter(({ name, rule = '' }) => `${rule} ${name}`.includes(wanted))
if (selected.length === 0) {
  console.error(
    `No mutant has '${wanted}' in its name. Without a name, all ${mutants.length} mutants run.`,
  )
}
const counts = { killed: 0, survived: 0, known: 0, control: 0, flagged: 0 }
for (const mutant of selected) {
  const only = casesFor(mutant)
  const { results } = await runMutant(mutant, { only, assumptions: mutant.assumes ?? false })
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  const outcome = outcomeOf(mutant, failed.length > 0)
  counts[outcome] += 1
  console.log(`${outcome.padEnd(8)}  ${mutant.rule ?? '-'}  a mock that ${mutant.name}`)
  for (const { id, reason } of failed.slice(0, 3)) console.log(`          ${id}: ${reason}`)
  if (outcome === 'known') console.log(`          ${mutant.survives}`)
}
const { killed, survived, known, control, flagged } = counts
const rate = ((100 * killed) / Math.max(1, killed + survived + known)).toFixed(1)
console.log(`\n${killed + survived + known} mutants, ${killed} killed (${rate} %)`)
console.log(`${control + flagged} controls, ${flagged} flagged`)
process.exitCode = selected.length > 0 && survived + flagged === 0 ? 0 : 1

function outcomeOf({ rule, survives }: Mutant, isFound: boolean): keyof typeof counts {
  if (rule === undefined) return isFound ? 'flagged' : 'control'
  if (isFound) return 'killed'
  return survives === undefined ? 'survived' : 'known'
}
