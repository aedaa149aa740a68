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

export type ReadAppointment = (options: RequestOptions) => PromiseLike<Appointment>

export interface Look<Found> {
  found?: Found | undefined
  status?: string | undefined
  /** Milliseconds until the service allows the next request. */
  retryIn: number
  failure?: unknown
}

export interface Poll {
  /** The time limit for the wait, in milliseconds. */
  limit: number
  /** When the wait ends, as a `clock.monotonic()` time. */
  end: number
  pollInterval?: number | undefined
  maxPollInterval?: number | undefined
  signal?: AbortSignal | undefined
  facts: ErrorFacts
}

export interface PollResult<Found> extends Pick<Look<Found>, 'found' | 'status' | 'failure'> {
  looks: number
  /** Whether the wait ended early, because the service does not allow another check in time. */
  isTooSoon: boolean
}

export async function pollAppointment<Found>(
  look: (remaining: () => number) => Promise<Look<Found>>,
  poll: Poll,
  clock: Clock,
): Promise<PollResult<Found>> {
  const { end, limit, pollInterval = 1_000, maxPollInterval = 30_000 } = poll
  // Start the last check early enough to complete before the deadline.
  const lastStart = end - Math.min(5_000, limit / 10)
  const remaining = () => Math.max(1, Math.ceil(end - clock.monotonic()))
  let interval = pollInterval
  let last: string | undefined
  for (let looks = 1; ; looks += 1) {
    const { found, status = last, retryIn, failure } = ownFields(await look(remaining))
    const untilLast = lastStart - clock.monotonic()
    const isTooSoon = untilLast >= 1 && retryIn > untilLast
    if (found !== undefined || isTooSoon || untilLast < 1) {
      return ownFields({ found, status, failure, looks, isTooSoon })
    }
    last = status
    await sleepUntilAborted(clock, Math.min(Math.max(interval, retryIn), untilLast), poll)
    interval = Math.min(interval * 2, maxPollInterval)
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

/** Returns the milliseconds until a failed response's Retry-After time, or 0 without the header. */
export function retryDelayOf(failure: unknown, clock: Clock): number {
  const retryAt = failure instanceof ApiError ? failure.retryAt : undefined
  return retryAt ? retryAt.getTime() - clock.now() : 0
}

/**
 * Returns a `ConnectionError` for an error from code outside the client, such as a custom clock. Returns a
 * `ServiceError` or a mock's own error unchanged.
 */
export function programError(cause: unknown, facts: ErrorFacts): unknown {
  const isKnown = cause instanceof ServiceError || isMockError(cause)
  return isKnown ? cause : new ConnectionError(ownFields({ ...facts, cause }))
}

/** Returns whether `ids` contains the id, ignoring case because UUIDs are case-insensitive. */
export function isOneOf(id: string, ids: readonly string[]): boolean {
  return ids.some((other) => other.toLowerCase() === id.toLowerCase())
}

/** Describes the last status. Omits an unknown status, because it may contain sensitive data. */
export function describeStatus(status: string | undefined): string {
  return isKnown(appointmentStatuses, status) ? ` (last status: ${status})` : ''
}

export function describeEnd({
  failure,
  isTooSoon,
}: Pick<PollResult<unknown>, 'failure' | 'isTooSoon'>): string {
  const wait = isTooSoon ? '; the service does not allow another check in time' : ''
  return describeFailure('last check', failure) + wait
}

export function describeFailure(request: string, failure: unknown): string {
  if (!(failure instanceof ServiceError)) return ''
  const kind = failure instanceof ApiError ? `status ${failure.status}` : `a ${failure.name}`
  return `; the ${request} failed with ${kind}`
}
