import type { Effect } from '../../contract/schema/endpoint.ts'
import type { Outcome } from '../errors.ts'

/** How an attempt failed: with a status, or without a usable answer. */
export interface Failure {
  status?: number | undefined
  /** Whether the request provably never left. */
  neverSent: boolean
  /** What the answer's Retry-After asks for, in milliseconds. */
  retryAfter?: number | undefined
}

/** What is left to a call for another attempt. */
export interface Allowance {
  /** Attempts that may still follow. */
  retries: number
  /** Milliseconds until the deadline. */
  remaining: number
}

const transient = new Set([408, 429, 500, 502, 503, 504])
const backoff = { first: 500, greatest: 8000 }

/**
 * The milliseconds to wait before the next attempt, or undefined when there must be none. A call that may act twice
 * is repeated only when the request never left or was refused unprocessed.
 */
export function retryDelay(
  failure: Failure,
  effect: Effect,
  allowance: Allowance,
  attempt: number,
  random: number,
): number | undefined {
  if (allowance.retries <= 0) return undefined
  const mayRepeat = effect === 'unsafe' ? hadNoEffect(failure) : isTransient(failure)
  if (!mayRepeat) return undefined
  const delay = failure.retryAfter ?? backoffDelay(attempt, random)
  return delay < allowance.remaining ? delay : undefined
}

function isTransient({ status }: Failure): boolean {
  return status === undefined || transient.has(status)
}

function hadNoEffect(failure: Failure): boolean {
  return failure.neverSent || isRefusal(failure)
}

/** A refusal before any processing: 429, or 503 that says when to come back. */
function isRefusal({ status, retryAfter }: Failure): boolean {
  return status === 429 || (status === 503 && retryAfter !== undefined)
}

/** Exponential backoff; `random` (0 to 1, exclusive) spreads it over its upper half. */
function backoffDelay(attempt: number, random: number): number {
  const full = Math.min(backoff.greatest, backoff.first * 2 ** (attempt - 1))
  return full * (0.5 + random / 2)
}

/** What one failed attempt tells of the call's effect. */
export function outcomeOf(failure: Failure): Outcome {
  if (failure.neverSent) return 'not-sent'
  const { status } = failure
  if (status === undefined || status === 408) return 'unknown'
  if (status === 307 || status === 308 || (status >= 400 && status < 500)) return 'rejected'
  return isRefusal(failure) ? 'rejected' : 'unknown'
}

/** What several attempts tell together: one unknown makes the whole unknown. */
export function combined(outcomes: readonly Outcome[]): Outcome {
  if (outcomes.includes('unknown')) return 'unknown'
  return outcomes.includes('rejected') ? 'rejected' : 'not-sent'
}

/** The milliseconds that a Retry-After header asks for, in seconds or as a date; undefined when it is neither. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  const value = header?.trim() ?? ''
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1000
  if (!/^[A-Z][a-z]+,? .*\d{2}:\d{2}:\d{2}/.test(value)) return undefined
  // A date without a zone is in UTC (RFC 9110, asctime form); Date.parse would take it as local time.
  const date = Date.parse(/(?:GMT|UTC|Z|[+-]\d{4})$/.test(value) ? value : `${value} GMT`)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
