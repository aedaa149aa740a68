import type { Mutant } from './mutant.ts'
import { aggregateMutants } from './mutants/aggregate.ts'
import { bookingsMutants } from './mutants/bookings.ts'
import { controls } from './mutants/controls.ts'
import { eventsMutants } from './mutants/events.ts'
import { importsMutants } from './mutants/imports.ts'
import { insuranceMutants } from './mutants/insurance.ts'
import { linkMutants } from './mutants/link.ts'
import { markersMutants } from './mutants/markers.ts'
import { ordersMutants } from './mutants/orders.ts'
import { serviceMutants } from './mutants/service.ts'
import { signInTokensMutants } from './mutants/sign-in-tokens.ts'
import { usersMutants } from './mutants/users.ts'

/** The mock in many small ways other than the specification. */
export const mutants: Mutant[] = [
  ...usersMutants,
  ...signInTokensMutants,
  ...insuranceMutants,
  ...linkMutants,
  ...importsMutants,
  ...markersMutants,
  ...bookingsMutants,
  ...ordersMutants,
  ...aggregateMutants,
  ...serviceMutants,
  ...eventsMutants,
  ...controls,
]
