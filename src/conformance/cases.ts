import type { ConformanceCase, RunnableCase } from './case.ts'
import { aggregateAcceptCases } from './cases/aggregate/accept.ts'
import { aggregateAssumptionCases } from './cases/aggregate/assumptions.ts'
import { aggregateInputCases } from './cases/aggregate/input.ts'
import { aggregateResultCases } from './cases/aggregate/results.ts'
import { bulkImportCases } from './cases/bulk-import.ts'
import { connectionCases } from './cases/connections.ts'
import { eventCases } from './cases/events.ts'
import { insuranceCases } from './cases/insurance.ts'
import { existingMarkerCases } from './cases/lab-tests/existing-markers.ts'
import { labTestMarkerCases } from './cases/lab-tests/lab-test-markers.ts'
import { labTestCases } from './cases/lab-tests/lab-tests.ts'
import { markerCases } from './cases/lab-tests/markers.ts'
import { orderSetMarkerCases } from './cases/lab-tests/order-set-markers.ts'
import { appointmentCases } from './cases/orders/appointments.ts'
import { backgroundBookingCases } from './cases/orders/background-booking.ts'
import { bookingInputCases } from './cases/orders/booking-input.ts'
import { bookingCases } from './cases/orders/bookings.ts'
import { orderCases } from './cases/orders/orders.ts'
import { pendingAppointmentCases } from './cases/orders/pending-appointments.ts'
import { requisitionCases } from './cases/orders/requisitions.ts'
import { providerCases } from './cases/providers.ts'
import { authenticationCases } from './cases/service/authentication.ts'
import { serviceCases } from './cases/service/service.ts'
import { summaryCases } from './cases/summaries.ts'
import { userCases } from './cases/users.ts'

/** Every case with what it does, in the order of the specification. */
export const runnableCases: readonly RunnableCase[] = [
  ...userCases,
  ...insuranceCases,
  ...providerCases,
  ...bulkImportCases,
  ...connectionCases,
  ...markerCases,
  ...labTestMarkerCases,
  ...existingMarkerCases,
  ...orderSetMarkerCases,
  ...labTestCases,
  ...appointmentCases,
  ...bookingCases,
  ...backgroundBookingCases,
  ...pendingAppointmentCases,
  ...bookingInputCases,
  ...orderCases,
  ...requisitionCases,
  ...aggregateResultCases,
  ...aggregateAcceptCases,
  ...aggregateInputCases,
  ...aggregateAssumptionCases,
  ...summaryCases,
  ...serviceCases,
  ...authenticationCases,
  ...eventCases,
].toSorted((one, other) => one.id.localeCompare(other.id, 'en', { numeric: true }))

/** Every case, in the order of the specification. */
export const conformanceCases: readonly ConformanceCase[] = runnableCases
