import { runMutant } from '../../test/conformance/mutant.ts'
import { mutants } from '../../test/conformance/mutants.ts'

/**
 * Prints each mutant with the cases that fail for it: `npm run mutants`, or `npm run mutants page` for those with such a
 * name. Exits with 1 if a mutant survives.
 */
const [wanted = ''] = process.argv.slice(2)
const selected = mutants.filter(({ name }) => name.includes(wanted))
if (selected.length === 0) {
  console.error(
    `No mutant has '${wanted}' in its name. Without a name, all ${mutants.length} mutants run.`,
  )
}
let survivors = 0
for (const mutant of selected) {
  const { results } = await runMutant(mutant)
  const killers = results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)
  if (killers.length === 0) survivors += 1
  console.log(`${killers.length > 0 ? 'killed  ' : 'SURVIVED'}  a mock that ${mutant.name}`)
  if (killers.length > 0) console.log(`          by ${killers.join(', ')}`)
}
console.log(`\n${selected.length} mutants, ${selected.length - survivors} killed`)
process.exitCode = selected.length > 0 && survivors === 0 ? 0 : 1
