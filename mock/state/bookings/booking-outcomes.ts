import type { TimeSpan } from '../clock/time.ts'

/** How a booking can end; with `never` neither a confirmation nor a failure comes. */
export const bookingOutcomes = ['confirm', 'fail', 'never'] as const

/** The outcome of a booking. */
export interface BookingOutcome {
  /** `confirm`, `fail`, or `never` for a booking that runs into its timeout. */
  outcome: (typeof bookingOutcomes)[number]
  /** Virtual time from the booking to its outcome. Default: none. */
  after?: TimeSpan | undefined
}
