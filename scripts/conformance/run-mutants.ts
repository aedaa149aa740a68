import { runMutant } from '../../test/conformance/mutant.ts'
import { mutants } from '../../test/conformance/mutants.ts'

/**
 * Prints every mutant with the cases that find it: `npm run mutants`, or `npm run mutants page` for those of such a name.
 * Ends with an error when one lives.
 */
const [wanted = ''] = process.argv.slice(2)
const chosen = mutants.filter(({ name }) => name.includes(wanted))
if (chosen.length === 0) {
  console.error(
    `There is no mutant '${wanted}'. Without a name, all ${mutants.length} of them are tried.`,
  )
}
let survivors = 0
for (const mutant of chosen) {
  const { results } = await runMutant(mutant)
  const killers = results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)
  if (killers.length === 0) survivors += 1
  console.log(`${killers.length > 0 ? 'killed' : 'LIVES '}  a mock that ${mutant.name}`)
  if (killers.length > 0) console.log(`        by ${killers.join(', ')}`)
}
console.log(`\n${chosen.length} mutants, ${chosen.length - survivors} killed`)
process.exitCode = chosen.length > 0 && survivors === 0 ? 0 : 1
