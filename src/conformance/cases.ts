import type { ConformanceCase, RunnableCase } from './case.ts'
import { aggregateAcceptCases } from './cases/aggregate/accept.ts'
import { aggregateAssumptionCases } from './cases/aggregate/assumptions.ts'
import { aggregateGroupCases } from './cases/aggregate/groups.ts'
import { aggregateInputCases } from './cases/aggregate/input.ts'
import { aggregateResultCases } from './cases/aggregate/results.ts'
import { connectionEventCases } from './cases/events/connections.ts'
import { dataEventCases } from './cases/events/data.ts'
import { deprecatedFieldCases } from './cases/events/deprecated.ts'
import { insuranceCases } from './cases/insurance/insurance.ts'
import { insuranceInputCases } from './cases/insurance/insurance-input.ts'
import { regionalPlanCases } from './cases/insurance/regional-plans.ts'
import { labTestMarkerCases } from './cases/lab-tests/lab-test-markers.ts'
import { labTestCases } from './cases/lab-tests/lab-tests.ts'
import { markerCases } from './cases/lab-tests/markers.ts'
import { orderSetMarkerCases } from './cases/lab-tests/order-set-markers.ts'
import { bulkImportCases } from './cases/link/bulk-import.ts'
import { bulkOpCases } from './cases/link/bulk-ops.ts'
import { connectionCases } from './cases/link/connections.ts'
import { importInputCases } from './cases/link/import-input.ts'
import { importTimeCases } from './cases/link/import-time.ts'
import { providerCases } from './cases/link/providers.ts'
import { appointmentCases } from './cases/orders/appointments.ts'
import { bookingInputCases } from './cases/orders/booking-input.ts'
import { bookingCases } from './cases/orders/bookings.ts'
import { orderCases } from './cases/orders/orders.ts'
import { pendingAppointmentCases } from './cases/orders/pending-appointments.ts'
import { authenticationCases } from './cases/service/authentication.ts'
import { bodyCases } from './cases/service/bodies.ts'
import { isolationCases } from './cases/service/isolation.ts'
import { summaryCases } from './cases/summaries/summaries.ts'
import { infoCases } from './cases/users/info.ts'
import { infoInputCases } from './cases/users/info-input.ts'
import { signInTokenCases } from './cases/users/sign-in-tokens.ts'

export const runnableCases: readonly RunnableCase[] = [
  ...infoCases,
  ...infoInputCases,
  ...signInTokenCases,
  ...insuranceCases,
  ...insuranceInputCases,
  ...regionalPlanCases,
  ...providerCases,
  ...connectionCases,
  ...bulkImportCases,
  ...importInputCases,
  ...importTimeCases,
  ...bulkOpCases,
  ...markerCases,
  ...labTestMarkerCases,
  ...orderSetMarkerCases,
  ...labTestCases,
  ...appointmentCases,
  ...bookingCases,
  ...pendingAppointmentCases,
  ...bookingInputCases,
  ...orderCases,
  ...aggregateResultCases,
  ...aggregateGroupCases,
  ...aggregateAcceptCases,
  ...aggregateInputCases,
  ...aggregateAssumptionCases,
  ...summaryCases,
  ...authenticationCases,
  ...bodyCases,
  ...isolationCases,
  ...connectionEventCases,
  ...dataEventCases,
  ...deprecatedFieldCases,
].toSorted((one, other) => one.id.localeCompare(other.id, 'en', { numeric: true }))

/** Every case, in specification order. */
export const conformanceCases: readonly ConformanceCase[] = runnableCases
