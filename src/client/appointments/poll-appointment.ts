import type { Appointment } from '../../contract/appointments.ts'
import { appointmentStatuses, isKnown } from '../../contract/values/known-values.ts'
import { isMockError } from '../../shared/mock-errors.ts'
import { ownFields } from '../../shared/own-fields.ts'
import type { Clock } from '../clock.ts'
import { AbortError } from '../errors/abort-error.ts'
import { ApiError } from '../errors/api-error.ts'
import { ConnectionError } from '../errors/connection-errors.ts'
import { type ErrorFacts, ServiceError } from '../errors/service-error.ts'
import type { RequestOptions } from '../options/request-options.ts'

/** Sends one request for the appointment of an order. */
export type ReadAppointment = (options: RequestOptions) => PromiseLike<Appointment>

/** What one look at an order shows. */
export interface Look<Found> {
  /** The appointment that ends the wait. */
  found?: Found | undefined
  /** The status of an appointment that does not end the wait. */
  status?: string | undefined
  /** Milliseconds until the service allows the next request. */
  retryIn: number
  /** Why the look failed. */
  failure?: unknown
}

/** How to poll, and what its errors say. */
export interface Poll {
  /** Milliseconds for the whole wait. */
  limit: number
  /** When the wait ends, in monotonic time of the clock. */
  end: number
  pollInterval?: number | undefined
  maxPollInterval?: number | undefined
  signal?: AbortSignal | undefined
  facts: ErrorFacts
}

/** How a wait ended: with an appointment, or with its last status and the reason why the last look failed. */
export interface PollResult<Found> extends Pick<Look<Found>, 'found' | 'status' | 'failure'> {
  /** The number of looks. */
  looks: number
  /** Whether the wait ended early, because the service allows the next look only after the deadline. */
  isTooSoon: boolean
}

const defaults = { pollInterval: 1_000, maxPollInterval: 30_000 }

/** The last look starts at most this long before the end, so that it can still end. */
const reserve = { longest: 5_000, share: 0.1 }

/** Checks an order, less and less often, until an appointment is found or the time is over. */
export async function pollAppointment<Found>(
  look: (remaining: number) => Promise<Look<Found>>,
  poll: Poll,
  clock: Clock,
): Promise<PollResult<Found>> {
  const { end, limit, pollInterval, maxPollInterval } = poll
  const lastStart = end - Math.min(reserve.longest, limit * reserve.share)
  let interval = pollInterval ?? defaults.pollInterval
  let last: string | undefined
  for (let looks = 1; ; looks += 1) {
    const remaining = Math.max(1, Math.ceil(end - clock.monotonic()))
    const { found, status = last, retryIn, failure } = ownFields(await look(remaining))
    const untilLast = lastStart - clock.monotonic()
    const isTooSoon = untilLast >= 1 && retryIn > untilLast
    if (found !== undefined || isTooSoon || untilLast < 1) {
      return ownFields({ found, status, failure, looks, isTooSoon })
    }
    last = status
    await sleepUntilAborted(clock, Math.min(Math.max(interval, retryIn), untilLast), poll)
    interval = Math.min(interval * 2, maxPollInterval ?? defaults.maxPollInterval)
  }
}

async function sleepUntilAborted(
  clock: Clock,
  milliseconds: number,
  { signal, facts }: Poll,
): Promise<void> {
  try {
    await clock.sleep(milliseconds, signal)
  } catch (error) {
    if (!signal?.aborted) throw error
    throw new AbortError(ownFields({ ...facts, cause: signal.reason }))
  }
}

/** Returns the milliseconds until the service allows another request after a failed one. */
export function retryDelayOf(failure: unknown, clock: Clock): number {
  const retryAt = failure instanceof ApiError ? failure.retryAt : undefined
  return retryAt ? retryAt.getTime() - clock.now() : 0
}

/**
 * Returns the error for a failure elsewhere in the program, such as in its clock. A mock's own errors are returned
 * unchanged.
 */
export function programError(cause: unknown, facts: ErrorFacts): unknown {
  const isKnown = cause instanceof ServiceError || isMockError(cause)
  return isKnown ? cause : new ConnectionError(ownFields({ ...facts, cause }))
}

/** Returns whether an id is one of several. UUIDs are case-insensitive. */
export function isOneOf(id: string, ids: readonly string[]): boolean {
  return ids.some((other) => other.toLowerCase() === id.toLowerCase())
}

/** Describes the last status, unless it is one that this version does not know: that may be data. */
export function describeStatus(status: string | undefined): string {
  return isKnown(appointmentStatuses, status) ? ` (last status: ${status})` : ''
}

/** Describes why the last look failed, and why the wait ended before its deadline. */
export function describeEnd({
  failure,
  isTooSoon,
}: Pick<PollResult<unknown>, 'failure' | 'isTooSoon'>): string {
  const wait = isTooSoon
    ? '; the wait ended early, because the service allows the next check only after the deadline'
    : ''
  return describeFailure('last check', failure) + wait
}

/** Describes what a request failed with, if it failed. */
export function describeFailure(request: string, failure: unknown): string {
  if (!(failure instanceof ServiceError)) return ''
  const kind = failure instanceof ApiError ? `status ${failure.status}` : `a ${failure.name}`
  return `; the ${request} failed with ${kind}`
}
