import { runMutant } from './mutant.ts'
import { mutants } from './mutants.ts'

/** Prints every mutant with the cases that find it; ends with an error when one lives. */
let survivors = 0
for (const mutant of mutants) {
  const { results } = await runMutant(mutant)
  const killers = results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)
  if (killers.length === 0) survivors += 1
  console.log(`${killers.length > 0 ? 'killed' : 'LIVES '}  a mock that ${mutant.name}`)
  if (killers.length > 0) console.log(`        by ${killers.join(', ')}`)
}
console.log(`\n${mutants.length} mutants, ${mutants.length - survivors} killed`)
process.exitCode = survivors === 0 ? 0 : 1
