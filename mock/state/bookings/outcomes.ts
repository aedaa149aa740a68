import type { AppointmentStatus } from '../../../src/contract/values/known-values.ts'
import type { TimeSpan } from '../clock/time.ts'

/** The statuses that can follow each appointment status. Specification 3.1 defines only some of these transitions. */
export const transitions: Record<AppointmentStatus, readonly AppointmentStatus[]> = {
  pending: ['reserved', 'confirmed', 'cancelled'],
  reserved: ['confirmed', 'cancelled'],
  confirmed: ['confirmed', 'in_progress', 'cancelled'],
  in_progress: ['completed', 'cancelled'],
  completed: [],
  cancelled: [],
}

export const bookingOutcomes = ['confirm', 'fail', 'never'] as const

/** How and when a booking ends. */
export interface BookingOutcome {
  /** The result: `confirm`, `fail`, or `never` for a booking that times out. */
  outcome: (typeof bookingOutcomes)[number]
  /** The virtual time from the booking to its outcome. Default: no delay. */
  after?: TimeSpan | undefined
}
