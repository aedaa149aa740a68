import type { Appointment } from '../../contract/appointments.ts'
import { appointmentStatuses, isKnown } from '../../contract/values/known-values.ts'
import type { Clock } from '../clock.ts'
import { AbortError } from '../errors/abort-error.ts'
import { ApiError } from '../errors/api-error.ts'
import { callSiteOf } from '../errors/call-site.ts'
import { ConnectionError, TimeoutError } from '../errors/connection-errors.ts'
import { type ErrorFacts, ServiceError } from '../errors/service-error.ts'
import { InternalServerError, NotFoundError, RateLimitError } from '../errors/status-errors.ts'
import { RequestValidationError } from '../errors/validation-errors.ts'
import { findOptionIssues } from '../options/check-options.ts'
import type { RequestOptions } from '../options/request-options.ts'
import { type AppointmentWaitOptions, waitOptionRules } from './wait-options.ts'

const waitCall = {
  operation: 'orders.waitForAppointment',
  route: 'GET /v3/order/{order_id}/phlebotomy/appointment',
}

const waitFacts = { ...waitCall, outcome: 'unknown', effect: 'read', attempts: [] } as const

const defaults = {
  status: ['confirmed', 'in_progress', 'completed', 'cancelled'],
  deadline: 960_000,
  pollInterval: 1_000,
  maxPollInterval: 30_000,
}

/** The last check starts at most this long before the deadline, so that it can still end. */
const reserve = { longest: 5_000, share: 0.1 }

/** Sends one request for the appointment. */
type Check = (options: RequestOptions) => PromiseLike<Appointment>

/**
 * Checks an appointment until it has one of some statuses.
 *
 * @throws {RequestValidationError} when an option is invalid.
 * @throws {TimeoutError} at the deadline.
 */
export async function waitForAppointment(
  check: Check,
  options: AppointmentWaitOptions,
  clock: Clock,
): Promise<Appointment> {
  const callSite = callSiteOf(options)
  const issues = findOptionIssues(options, waitOptionRules)
  if (issues.length > 0) throw new RequestValidationError(issues, { ...waitCall, callSite })
  const { status, earlier, pollInterval, maxPollInterval, deadline, ...call } = options
  const wanted: readonly string[] = [status ?? defaults.status].flat()
  const limit = deadline ?? defaults.deadline
  const end = clock.monotonic() + limit
  const lastStart = end - Math.min(reserve.longest, limit * reserve.share)
  let interval = pollInterval ?? defaults.pollInterval
  let last: string | undefined
  for (;;) {
    const remaining = Math.max(1, Math.ceil(end - clock.monotonic()))
    const { appointment, retryIn, failure } = await checkOnce(
      () => check({ ...call, deadline: remaining }),
      clock,
    )
    if (appointment && appointment.id !== earlier) {
      if (wanted.includes(appointment.status)) return appointment
      last = appointment.status
    }
    const untilLast = lastStart - clock.monotonic()
    if (untilLast < 1 || retryIn > untilLast) {
      throw createTimeoutError({ limit, last, failure, callSite })
    }
    await sleepUntilAborted(clock, Math.min(Math.max(interval, retryIn), untilLast), {
      signal: call.signal,
      callSite,
    })
    interval = Math.min(interval * 2, maxPollInterval ?? defaults.maxPollInterval)
  }
}

async function sleepUntilAborted(
  clock: Clock,
  milliseconds: number,
  { signal, callSite }: Pick<RequestOptions, 'signal'> & Pick<ErrorFacts, 'callSite'>,
): Promise<void> {
  try {
    await clock.sleep(milliseconds, signal)
  } catch (error) {
    if (!signal?.aborted) throw error
    throw new AbortError({ ...waitFacts, callSite, cause: signal.reason })
  }
}

/** A check that found an appointment, or none yet. */
interface CheckResult {
  appointment: Appointment | undefined
  /** Milliseconds until the service allows the next request. */
  retryIn: number
  /** Why the check failed. */
  failure?: unknown
}

/** A 404 and a temporary failure prove nothing: the next check may find the appointment. */
async function checkOnce(
  check: () => PromiseLike<Appointment>,
  clock: Clock,
): Promise<CheckResult> {
  try {
    return { appointment: await check(), retryIn: 0 }
  } catch (error) {
    if (!temporaryErrors.some((kind) => error instanceof kind)) throw error
    const retryAt = error instanceof ApiError ? error.retryAt : undefined
    return {
      appointment: undefined,
      retryIn: retryAt ? retryAt.getTime() - clock.now() : 0,
      failure: error,
    }
  }
}

const temporaryErrors = [
  NotFoundError,
  RateLimitError,
  InternalServerError,
  ConnectionError,
  TimeoutError,
]

interface WaitResult extends Pick<ErrorFacts, 'callSite'> {
  /** The deadline in milliseconds. */
  limit: number
  /** The status of the appointment. */
  last: string | undefined
  /** Why the last check failed. */
  failure: unknown
}

/** A status that this version does not know may be data, so the message does not contain it. */
function createTimeoutError({ limit, last, failure, callSite }: WaitResult): TimeoutError {
  const seen = last === undefined ? 'no appointment' : 'no appointment with the expected status'
  const known = isKnown(appointmentStatuses, last) ? ` (last status: ${last})` : ''
  const facts: ErrorFacts = { ...waitFacts, callSite, cause: failure }
  return new TimeoutError(`deadline (${limit} ms)${describeFailure(failure)}`, facts, seen + known)
}

function describeFailure(failure: unknown): string {
  if (!(failure instanceof ServiceError)) return ''
  const kind = failure instanceof ApiError ? `status ${failure.status}` : `a ${failure.name}`
  return `; the last check failed with ${kind}`
}
