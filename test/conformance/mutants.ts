import type { Mutant } from './mutant.ts'
import { aggregateMutants } from './mutants/aggregate.ts'
import { aggregateInputMutants } from './mutants/aggregate-input.ts'
import { appointmentsMutants } from './mutants/appointments.ts'
import { bookingInputMutants } from './mutants/booking-input.ts'
import { bookingsMutants } from './mutants/bookings.ts'
import { insuranceMutants } from './mutants/insurance.ts'
import { linkMutants } from './mutants/link.ts'
import { markerFieldsMutants } from './mutants/marker-fields.ts'
import { markersMutants } from './mutants/markers.ts'
import { ordersMutants } from './mutants/orders.ts'
import { serviceMutants } from './mutants/service.ts'
import { signInTokensMutants } from './mutants/sign-in-tokens.ts'
import { summariesMutants } from './mutants/summaries.ts'
import { usersMutants } from './mutants/users.ts'

/** The mock in many small ways other than the specification. */
export const mutants: Mutant[] = [
  ...usersMutants,
  ...signInTokensMutants,
  ...insuranceMutants,
  ...linkMutants,
  ...markerFieldsMutants,
  ...markersMutants,
  ...bookingsMutants,
  ...bookingInputMutants,
  ...appointmentsMutants,
  ...ordersMutants,
  ...aggregateMutants,
  ...aggregateInputMutants,
  ...summariesMutants,
  ...serviceMutants,
]
