import type { Appointment } from '../../contract/appointments.ts'
import { ownFields } from '../../shared/own-fields.ts'
import type { Clock } from '../clock.ts'
import { ApiError } from '../errors/api-error.ts'
import { callSiteOf } from '../errors/call-site.ts'
import { ConnectionError, TimeoutError } from '../errors/connection-errors.ts'
import type { ErrorFacts } from '../errors/service-error.ts'
import { RequestValidationError } from '../errors/validation-errors.ts'
import type { Log } from '../logger.ts'
import { findOptionIssues } from '../options/check-options.ts'
import {
  describeEnd,
  describeStatus,
  isOneOf,
  type Look,
  pollAppointment,
  programError,
  type ReadAppointment,
  retryDelayOf,
} from './poll-appointment.ts'
import { type AppointmentWaitOptions, longestBooking, waitOptionRules } from './wait-options.ts'

const waitCall = {
  operation: 'orders.waitForAppointment',
  route: 'GET /v3/order/{order_id}/phlebotomy/appointment',
}

const defaultStatuses = ['confirmed', 'in_progress', 'completed', 'cancelled']

export async function waitForAppointment(
  read: ReadAppointment,
  options: AppointmentWaitOptions,
  { clock, log }: { clock: Clock; log: Log },
): Promise<Appointment> {
  const callSite = callSiteOf(options)
  const issues = findOptionIssues(options, waitOptionRules)
  if (issues.length > 0) throw new RequestValidationError(issues, { ...waitCall, callSite })
  const { status, after = [], booking, pollInterval, maxPollInterval, deadline, ...call } = options
  const wanted: readonly string[] = [status ?? defaultStatuses].flat()
  const earlier = [after].flat()
  const limit = deadline ?? longestBooking(booking)
  const facts: ErrorFacts = ownFields({
    ...waitCall,
    outcome: 'unknown',
    attempts: [],
    callSite,
  })
  const poll = async () => {
    try {
      const end = clock.monotonic() + limit
      return await pollAppointment(look, ownFields({ ...options, limit, end, facts }), clock)
    } catch (error) {
      throw programError(error, facts)
    }
  }
  const look = async (remaining: () => number): Promise<Look<Appointment>> => {
    const look = await readOnce(() => read({ ...call, deadline: remaining() }), clock)
    const { found } = look
    if (!found) return look
    // An unchecked response may have no id.
    if (typeof found.id === 'string' && isOneOf(found.id, earlier)) return { retryIn: 0 }
    return wanted.includes(found.status) ? look : { status: found.status, retryIn: 0 }
  }
  const { found, status: last, looks, ...end } = await poll()
  if (found) {
    if (looks === 1 && options.after === undefined) warnIfFinished(found, log)
    return found
  }
  const seen = last === undefined ? 'no appointment' : 'no appointment with the expected status'
  throw new TimeoutError(
    `deadline (${limit} ms)${describeEnd(end)}`,
    ownFields({ ...facts, cause: end.failure }),
    seen + describeStatus(last),
  )
}

/** Logs a warning if the appointment had ended before the wait began, because it may be an earlier appointment. */
function warnIfFinished({ status }: Appointment, log: Log): void {
  if (status !== 'cancelled' && status !== 'completed') return
  const { operation } = waitCall
  const advice = 'If it is an earlier one, pass its id as the after option'
  log.write(
    'warn',
    `${operation}: the appointment was ${status} at the first check. ${advice}`,
    waitCall,
  )
}

/** Returns a 404 or a temporary failure instead of throwing it, because the next check may find the appointment. */
async function readOnce(
  read: () => PromiseLike<Appointment>,
  clock: Clock,
): Promise<Look<Appointment>> {
  try {
    return { found: await read(), retryIn: 0 }
  } catch (failure) {
    if (!isTemporary(failure)) throw failure
    return { found: undefined, retryIn: retryDelayOf(failure, clock), failure }
  }
}

function isTemporary(error: unknown): boolean {
  if (!(error instanceof ApiError))
    return error instanceof ConnectionError || error instanceof TimeoutError
  return temporaryStatuses.has(error.status) || error.status >= 500
}

/** Statuses below 500 after which another check may succeed. After a 404, the appointment may still be created. */
const temporaryStatuses = new Set([404, 408, 429])
