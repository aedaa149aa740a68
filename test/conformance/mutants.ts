import type { Mutant } from './mutant.ts'
import { aggregateControls } from './mutants/aggregate/controls.ts'
import { aggregateInputMutants } from './mutants/aggregate/input.ts'
import { aggregateMutants } from './mutants/aggregate/results.ts'
import { controls } from './mutants/controls.ts'
import { eventsMutants } from './mutants/events.ts'
import { importsMutants } from './mutants/imports.ts'
import { insuranceMutants } from './mutants/insurance.ts'
import { labControls } from './mutants/lab-tests/controls.ts'
import { markerFieldsMutants } from './mutants/lab-tests/marker-fields.ts'
import { markersMutants } from './mutants/lab-tests/markers.ts'
import { linkMutants } from './mutants/link.ts'
import { appointmentsMutants } from './mutants/orders/appointments.ts'
import { bookingInputMutants } from './mutants/orders/booking-input.ts'
import { bookingsMutants } from './mutants/orders/bookings.ts'
import { orderControls } from './mutants/orders/controls.ts'
import { ordersMutants } from './mutants/orders/orders.ts'
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
  ...importsMutants,
  ...markersMutants,
  ...bookingsMutants,
  ...bookingInputMutants,
  ...appointmentsMutants,
  ...ordersMutants,
  ...aggregateMutants,
  ...aggregateInputMutants,
  ...summariesMutants,
  ...serviceMutants,
  ...labControls,
  ...orderControls,
  ...aggregateControls,
  ...eventsMutants,
  ...controls,
]
