import type { AppointmentStatus } from '../../../src/contract/values/known-values.ts'

/** The statuses that an appointment can have next, by its status (specification 3.1). */
export const transitions: Record<AppointmentStatus, readonly AppointmentStatus[]> = {
  pending: ['reserved', 'confirmed', 'cancelled'],
  reserved: ['confirmed', 'cancelled'],
  confirmed: ['confirmed', 'in_progress', 'cancelled'],
  in_progress: ['completed', 'cancelled'],
  completed: [],
  cancelled: [],
}
