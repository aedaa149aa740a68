import type { Attempt } from '../errors/service-error.ts'
import type {
  DeprecationEvent,
  DriftEvent,
  HookEvent,
  ResponseEvent,
  RetryEvent,
} from '../hooks.ts'

/** Describes the end of an attempt: `orders.create: attempt 1 ended with status 201 after 132 ms (request req_1_7)`. */
export function attemptMessage({ operation, attempt, requestId, ...end }: ResponseEvent): string {
  const request = requestId === undefined ? '' : ` (request ${requestId})`
  return `${operation}: attempt ${attempt} ${describeEnd(end)}${request}`
}

/** Describes a retry: `orders.create: attempt 1 ended with status 503 after 12 ms, retry in 500 ms`. */
export function retryMessage({ operation, attempt, delay }: RetryEvent, end: Attempt): string {
  return `${operation}: attempt ${attempt} ${describeEnd(end)}, retry in ${Math.round(delay)} ms`
}

/** Describes a call that failed: `orders.create failed: attempt 3 ended with status 500 after 12 ms`. */
export function failureMessage({ operation }: HookEvent, attempt: number, end: Attempt): string {
  return `${operation} failed: attempt ${attempt} ${describeEnd(end)}`
}

function describeEnd({ status, code, duration }: Pick<Attempt, 'status' | 'code' | 'duration'>) {
  const results = [status === undefined ? [] : `status ${status}`, code ?? []].flat()
  return `ended with ${results.join(' and ')} after ${Math.round(duration)} ms`
}

/** Describes a difference between a response and the specification. */
export function driftMessage({ operation, kind, path, expected }: DriftEvent): string {
  return `${operation}: the response does not match the specification (${kind}) at ${path}: expected ${expected}`
}

/** Describes the use of a deprecated field. */
export function deprecationMessage({ operation, field, replacement }: DeprecationEvent): string {
  return `${operation}: ${field} is deprecated, use ${replacement}`
}
