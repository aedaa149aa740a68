import { headers as wireHeaders } from '../../../contract/wire.ts'
import { isMockError } from '../../../shared/mock-errors.ts'
import { ownFields, readField, withoutAddedFields } from '../../../shared/own-fields.ts'
import { BodyTooLargeError } from '../../../shared/response-limits.ts'
import { ConnectionError } from '../../errors/connection-errors.ts'
import { classOf, unknownCode } from '../../errors/safe-cause.ts'
import type { ServiceError } from '../../errors/service-error.ts'
import { createApiError } from '../../errors/status-errors.ts'
import { RequestValidationError, ResponseValidationError } from '../../errors/validation-errors.ts'
import { detailLines } from '../../redaction.ts'
import { type Failure, parseRetryAfter } from '../../retries/retry.ts'
import { parseJson } from '../body.ts'
import type { RunningCall } from '../running-call.ts'
import { ApiKeyError } from './api-key.ts'
import { fetchFailure } from './fetch-failure.ts'
import {
  AttemptTimeoutError,
  type ReceivedResponse,
  type RunningAttempt,
} from './running-attempt.ts'

/** The failure of an attempt that received no usable response. */
export interface AttemptFailure extends Failure {
  /** A code such as `ECONNREFUSED`, `TIMEOUT`, `ABORTED` or `MOCK`. */
  code: string
}

export function classifyError(
  error: unknown,
  attempt: RunningAttempt,
  isAborted: boolean,
): AttemptFailure {
  const { code, neverSent } = isAborted ? { code: 'ABORTED', neverSent: false } : codeOf(error)
  // An error while reading a body may have any code, but the service has already received the request.
  const hasResponse = attempt.status !== undefined
  return ownFields({ code, neverSent: (neverSent && !hasResponse) || !attempt.isSent })
}

function codeOf(error: unknown): { code: string; neverSent: boolean } {
  if (error instanceof AttemptTimeoutError) return { code: 'TIMEOUT', neverSent: false }
  if (error instanceof ApiKeyError) return { code: 'NO_KEY', neverSent: true }
  if (error instanceof BodyTooLargeError) return { code: 'BODY_TOO_LARGE', neverSent: false }
  if (isMockError(error)) return { code: 'MOCK', neverSent: false }
  return fetchFailure(error)
}

export function permanentError(
  error: unknown,
  attempt: RunningAttempt,
  call: RunningCall,
): ServiceError | undefined {
  if (error instanceof ApiKeyError) {
    const issue = { path: 'apiKey', expected: describeKeyError(error) }
    return new RequestValidationError([issue], call.errorFacts(readField(error, 'cause')))
  }
  if (error instanceof BodyTooLargeError) {
    const issue = { path: 'response', expected: error.expected }
    const facts = call.errorFacts(undefined, 'unknown')
    return new ResponseValidationError([issue], undefined, attempt.status ?? 0, facts)
  }
  return undefined
}

function describeKeyError(error: ApiKeyError): string {
  if (!Object.hasOwn(error, 'cause'))
    return 'a function that returns the API key in visible ASCII characters'
  const cause = readField(error, 'cause')
  const { code } = fetchFailure(cause)
  const name = classOf(cause) ?? 'a value'
  const thrown = code === unknownCode ? name : `${name} (${code})`
  return `a function that returns the API key, but it threw ${thrown}. See error.originalCause`
}

export function transportError(
  error: unknown,
  attempt: RunningAttempt,
  call: RunningCall,
): ServiceError {
  if (!(error instanceof AttemptTimeoutError)) return new ConnectionError(call.errorFacts(error))
  const isTimeout = call.request.timeout <= attempt.timeout
  return call.timeoutError(isTimeout ? attempt.timeout : undefined)
}

export function responseFailure({ status, headers }: Response, now: number): Failure {
  const retryAfter = parseRetryAfter(headers.get(wireHeaders.retryAfter), now)
  return { status, neverSent: false, retryAfter }
}

export function responseError(
  { response, text = '' }: ReceivedResponse,
  { retryAfter }: Failure,
  call: RunningCall,
): ServiceError {
  const { status, headers } = response
  const { exposeDetail, clock } = call.settings
  const retryAt = dateAfter(clock.now(), retryAfter)
  const exceedsDeadline = (retryAfter ?? 0) >= call.remaining
  const rest = { status, headers, retryAt, exceedsDeadline, exposeDetail }
  try {
    const { value: body } = parseJson(text)
    const details = status === 422 ? withoutAddedFields(() => detailLines(call.endpoint, body)) : []
    return createApiError({ ...rest, body, details }, call.errorFacts())
  } catch {
    // A body in an unusual format must not change the error for the status.
    return createApiError({ ...rest, body: undefined, details: [] }, call.errorFacts())
  }
}

/** Returns the date `milliseconds` after `now`, or undefined if there is no delay or the date is out of range. */
function dateAfter(now: number, milliseconds: number | undefined): Date | undefined {
  const date = new Date(now + (milliseconds ?? Number.NaN))
  return Number.isNaN(date.getTime()) ? undefined : date
}
