import type { BookingInput } from '../../contract/appointments.ts'
import { confirmationTimeouts } from '../../contract/values/bounds.ts'
import type { AppointmentStatus, Open } from '../../contract/values/known-values.ts'
import { type RequestOptions, requestOptionRules } from '../options/request-options.ts'
import { createRule, type OptionRules, timerInteger } from '../options/rules.ts'

/** The fields of a booking that determine how long its confirmation may take. */
export type BookingTimes = Pick<
  BookingInput,
  'async_confirmation' | 'async_confirmation_timeout_millisecond'
>

/** Options for `orders.waitForAppointment`, in addition to the options for each check. */
export interface AppointmentWaitOptions extends Omit<RequestOptions, 'deadline'> {
  /** One or more statuses that end the wait. Default: `confirmed`, `in_progress`, `completed` and `cancelled`. */
  status?: Open<AppointmentStatus> | readonly Open<AppointmentStatus>[] | undefined
  /**
   * The ids of the order's earlier appointments, which are ignored. Without them, the call may return an earlier
   * appointment; if that one is cancelled or completed, the client logs a warning. Default: none.
   */
  after?: string | readonly string[] | undefined
  /** The booking that you are waiting for. It determines the default `deadline`. Default: a synchronous booking. */
  booking?: BookingTimes | undefined
  /**
   * The time limit for the wait in milliseconds, from 1 to 2,147,483,647. Default: one minute more than an asynchronous
   * booking's `async_confirmation_timeout_millisecond` (specification 4.8); otherwise 16 minutes.
   */
  deadline?: number | undefined
  /**
   * The time between the first two checks, in milliseconds. It doubles after every check, up to `maxPollInterval`.
   * Default: 1,000.
   */
  pollInterval?: number | undefined
  /** The maximum time between two checks, in milliseconds. Default: 30,000. */
  maxPollInterval?: number | undefined
}

const statusRule = createRule(
  'a status or a list of at least one status',
  (value) => isName(value) || (Array.isArray(value) && value.length > 0 && value.every(isName)),
)

const afterRule = createRule(
  'the id of an appointment or a list of ids',
  (value) => isName(value) || (Array.isArray(value) && value.every(isName)),
)

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

const bookingRule = createRule('a booking', (value) => typeof value === 'object' && value !== null)

export const pollOptionRules = {
  ...requestOptionRules,
  after: afterRule,
  pollInterval: timerInteger(1),
  maxPollInterval: timerInteger(1),
} satisfies OptionRules

export const waitOptionRules: Record<keyof AppointmentWaitOptions, OptionRules[string]> = {
  ...pollOptionRules,
  status: statusRule,
  booking: bookingRule,
}

/** How long the client waits beyond the service's own limit, in milliseconds. */
const margin = 60_000

/**
 * Returns the default time limit for a booking, in milliseconds. The specification limits only asynchronous bookings;
 * we chose the same default for synchronous ones.
 */
export function longestBooking(booking: BookingTimes = {}): number {
  const { async_confirmation, async_confirmation_timeout_millisecond: given } = booking
  const { default: usual, maximum } = confirmationTimeouts.async
  const isGiven = async_confirmation === true && typeof given === 'number' && given <= maximum
  return margin + (isGiven ? given : usual)
}
