import type { Mutant } from '../mutant.ts'
import { bookings } from './bookings.ts'
import { oauth } from './credentials.ts'
import { events } from './events.ts'
import { lengths } from './lengths.ts'
import { letters } from './letters.ts'
import { quantities } from './numbers.ts'
import { payors } from './payors.ts'
import { refusals } from './refusals.ts'
import { stale } from './stale.ts'

const classes: Readonly<Record<string, readonly Mutant[]>> = {
  'letters, case and trimming': letters,
  'inference of payors': payors,
  'numbers and units': quantities,
  bookings,
  events,
  'refused requests': refusals,
  lengths,
  'stale results': stale,
  credentials: oauth,
}

/** Violations that no case finds yet; none of them is legal. */
const notFound = [
  'changes the insurances of a user with an update of the info',
  'deletes the connections of a user with an update of the info',
  'deletes the connections of a user with an insurance',
  'sends historical events only for the first connection of a user',
  'sends historical events of a resource only once for a user',
  'sends no historical events after a second connection',
  'sends no connections to phones',
  'sends updated data of each resource only once for a user',
  'sends data with the first source of the user',
]

/** Mutants of kinds that a suite easily overlooks, by class. */
export const subtleClasses: Readonly<Record<string, readonly Mutant[]>> = Object.fromEntries(
  Object.entries(classes).map(([name, mutants]) => [name, mutants.map(marked)]),
)

/** All of them, in the order of the classes. */
export const subtleMutants: readonly Mutant[] = Object.values(subtleClasses).flat()

function marked(mutant: Mutant): Mutant {
  if (!notFound.includes(mutant.name)) return mutant
  return { ...mutant, survives: 'No case looks for it yet.' }
}
