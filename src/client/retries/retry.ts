import type { CallEffect, Outcome } from '../errors/service-error.ts'

export interface Failure {
  status?: number | undefined
  /** Whether the request was provably never sent. */
  neverSent: boolean
  /** The response's Retry-After in milliseconds. */
  retryAfter?: number | undefined
}

export interface Allowance {
  retries: number
  /** Milliseconds until the deadline. */
  remaining: number
}

export interface FailedAttempt {
  /** The attempt number, starting at 1. */
  number: number
  /** A random value from 0 to 1 (exclusive) that spreads the retries of many clients. */
  jitter: number
}

const transientStatuses = new Set([408, 429, 500, 502, 503, 504])
const backoff = { first: 500, max: 8000 }

/**
 * Returns the milliseconds to wait before the next attempt, or undefined if the call must not be retried. A
 * non-idempotent call is retried only if its request was never sent, or was rejected before it was processed.
 */
export function retryDelay(
  failure: Failure,
  effect: CallEffect,
  allowance: Allowance,
  attempt: FailedAttempt,
): number | undefined {
  if (allowance.retries <= 0) return undefined
  const isRetryable =
    effect === 'non-idempotent' ? hadNoEffect(failure) : isTransient(failure, effect)
  if (!isRetryable) return undefined
  const delay = failure.retryAfter ?? backoffDelay(attempt)
  return delay < allowance.remaining ? delay : undefined
}

function isTransient(failure: Failure, effect: CallEffect): boolean {
  const { status } = failure
  return status === undefined || transientStatuses.has(status) || isInProgress(failure, effect)
}

/** Assumes that a 409 means an earlier request with the same idempotency key is still in progress. */
function isInProgress({ status }: Failure, effect: CallEffect): boolean {
  return effect === 'keyed' && status === 409
}

function hadNoEffect(failure: Failure): boolean {
  return failure.neverSent || isRejectedUnprocessed(failure)
}

function isRejectedUnprocessed({ status, retryAfter }: Failure): boolean {
  return status === 429 || (status === 503 && retryAfter !== undefined)
}

function backoffDelay({ number, jitter }: FailedAttempt): number {
  const full = Math.min(backoff.max, backoff.first * 2 ** (number - 1))
  return full * (0.5 + jitter / 2)
}

export function outcomeOf(failure: Failure, effect: CallEffect): Outcome {
  if (failure.neverSent) return 'not-sent'
  if (isInProgress(failure, effect)) return 'unknown'
  const { status } = failure
  // Gateways return 499 for a request that was cancelled while it was running.
  if (status === undefined || status === 408 || status === 499) return 'unknown'
  if (status === 307 || status === 308 || (status >= 400 && status < 500)) return 'rejected'
  return isRejectedUnprocessed(failure) ? 'rejected' : 'unknown'
}

export function combineOutcomes(outcomes: readonly Outcome[]): Outcome {
  if (outcomes.includes('unknown')) return 'unknown'
  return outcomes.includes('rejected') ? 'rejected' : 'not-sent'
}

/**
 * Converts a Retry-After header (seconds or a date) to milliseconds from `now`. Returns undefined for any other value.
 */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  const value = header?.trim() ?? ''
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1000
  if (!/^[A-Z][a-z]+,? .*\d{2}:\d{2}:\d{2}/.test(value)) return undefined
  // A date without a zone is in UTC (RFC 9110, asctime form), but Date.parse would interpret it as local time.
  const date = Date.parse(/(?:GMT|UTC|Z|[+-]\d{4})$/.test(value) ? value : `${value} GMT`)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
