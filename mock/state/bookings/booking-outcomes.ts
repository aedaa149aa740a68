import type { TimeSpan } from '../clock/time.ts'

/** The outcomes of bookings; with `never` there is neither a confirmation nor a failure. */
export const bookingOutcomes = ['confirm', 'fail', 'never'] as const

/** The outcome of a booking. */
export interface BookingOutcome {
  /** `confirm`, `fail`, or `never` for a booking that times out. */
  outcome: (typeof bookingOutcomes)[number]
  /** Virtual time from the booking to its outcome. Default: none. */
  after?: TimeSpan | undefined
}
