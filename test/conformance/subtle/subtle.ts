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

/** Mutants of kinds that a suite easily overlooks, by class. */
export const subtleClasses: Readonly<Record<string, readonly Mutant[]>> = {
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

/** All of them, in the order of the classes. */
export const subtleMutants: readonly Mutant[] = Object.values(subtleClasses).flat()
