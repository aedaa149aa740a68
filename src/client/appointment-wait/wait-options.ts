import type { AppointmentStatus, Open } from '../../contract/values/known-values.ts'
import { type RequestOptions, requestOptionRules } from '../options/request-options.ts'
import { createRule, type OptionRules, timerInteger } from '../options/rules.ts'

/** Options of `orders.waitForAppointment`, in addition to those of each check. */
export interface AppointmentWaitOptions extends Omit<RequestOptions, 'deadline'> {
  /** The status to wait for, or several. Default: `confirmed`, `in_progress`, `completed` and `cancelled`. */
  status?: Open<AppointmentStatus> | readonly Open<AppointmentStatus>[] | undefined
  /**
   * Milliseconds for the whole wait, from 1 to 2,147,483,647. Default: 960,000, which is a minute longer than the service
   * tries to confirm a booking by default (specification 4.8).
   */
  deadline?: number | undefined
  /** Milliseconds between the first two checks; it doubles after every check. Default: 1,000. */
  pollInterval?: number | undefined
  /** The longest time between two checks, in milliseconds. Default: 30,000. */
  maxPollInterval?: number | undefined
  /** The id of an appointment that the order had before, which is ignored. Default: none. */
  earlier?: string | undefined
}

const statusRule = createRule(
  'a status or a list of at least one status',
  (value) => isName(value) || (Array.isArray(value) && value.length > 0 && value.every(isName)),
)

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** The rules of the options, one for each. */
export const waitOptionRules: Record<keyof AppointmentWaitOptions, OptionRules[string]> = {
  ...requestOptionRules,
  status: statusRule,
  pollInterval: timerInteger(1),
  maxPollInterval: timerInteger(1),
  earlier: createRule('the id of an appointment', isName),
}
