import { seeError } from '../../shared/error-links.ts'
import { isObject } from '../../shared/narrow.ts'
import { ownFields } from '../../shared/own-fields.ts'
import type { ApiErrorCode } from './error-codes.ts'
import { describeOutcome, describeRequest, joinSentences } from './message.ts'
import { type ErrorFacts, ServiceError } from './service-error.ts'
import { serviceExplanation } from './service-explanation.ts'

/** A response with an error status. */
export interface ErrorResponse {
  /** The HTTP status, 300 or more, or 0 for a redirect in a browser. */
  status: number
  /** The response headers. */
  headers: Headers
  /** Parsed JSON, a string when the body is not JSON, or undefined when it is empty. */
  body: unknown
  /** The printable part of a 422 response: the paths and types of up to 20 details. */
  details: readonly string[]
  /** The time in the response's Retry-After header. */
  retryAt: Date | undefined
  /** Whether `retryAt` is after the call's deadline, in which case the client did not wait. Default: false. */
  exceedsDeadline?: boolean
  /** Whether the message contains the service's own explanation. Default: false. */
  exposeDetail?: boolean
}

/**
 * Thrown when the service responds with an error status. The message contains the service's own explanation only if the
 * `exposeDetail` client option is set.
 */
export class ApiError extends ServiceError {
  static override readonly kind: string = 'ApiError'
  override readonly code: ApiErrorCode = 'api_error'
  /** The HTTP status, 300 or more, or 0 for a redirect in a browser. */
  readonly status: number
  /** The earliest time for a retry, from the Retry-After header, or undefined if the service sent none. */
  readonly retryAt: Date | undefined
  readonly #response: ErrorResponse

  /** Creates the error for a response. Printing omits the body and headers. */
  constructor(response: ErrorResponse, facts: ErrorFacts) {
    super(apiMessage(response, facts) + seeError(codeOf(response.status)), facts)
    this.status = response.status
    this.retryAt = response.retryAt
    this.#response = response
  }

  /**
   * The response body: parsed JSON, a string when it is not JSON, or undefined when it is empty, unreadable or too
   * large. It may contain health data.
   */
  get body(): unknown {
    return this.#response.body
  }

  /**
   * The `detail` of the response body: a string, or an array of `{ type, loc, msg, input }` for a 422. It may contain
   * health data.
   */
  get detail(): unknown {
    const { body } = this.#response
    return isObject(body) && Object.hasOwn(body, 'detail') ? body['detail'] : undefined
  }

  /** The response headers. They are omitted when the error is printed. */
  get headers(): Headers {
    return this.#response.headers
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), status: this.status, retryAt: this.retryAt?.toISOString() }
  }
}

function codeOf(status: number): ApiErrorCode {
  return codes[status] ?? (status >= 500 ? 'internal_server_error' : 'api_error')
}

const codes: Record<number, ApiErrorCode> = ownFields({
  400: 'bad_request',
  401: 'authentication_failed',
  403: 'permission_denied',
  404: 'not_found',
  409: 'conflict',
  422: 'unprocessable_entity',
  429: 'rate_limited',
})

function apiMessage(response: ErrorResponse, facts: ErrorFacts): string {
  const { status, details, body, exposeDetail = false } = response
  const { reason, advice } = explain(response)
  const hidden = details.length > 0 ? `invalid values in ${details.join('; ')}` : reason
  const explanation = serviceExplanation(body)
  const isHidden = explanation !== undefined && !exposeDetail
  const shown = exposeDetail ? (explanation ?? hidden) : hidden
  return joinSentences(
    `${facts.operation} failed with status ${status}: ${shown}`,
    describeOutcome(facts),
    // With an idempotency key, a 409 means that the first request is still in progress.
    advice,
    isHidden && explainHidden(body),
    describeRequest(facts),
  )
}

interface Explanation {
  reason: string
  advice?: string | undefined
}

const explanations: Record<number, Explanation> = ownFields({
  400: {
    reason: 'the service rejected the request',
    advice: 'Correct the request before you retry',
  },
  401: { reason: 'the service does not accept the API key', advice: 'Check apiKey and baseUrl' },
  403: {
    reason: 'the API key lacks permission, or the feature is not enabled for the team',
    advice: "Contact the service's support team",
  },
  404: {
    reason: 'the record or the path does not exist',
    advice: 'Check baseUrl and the ids in the request',
  },
  409: { reason: 'the request conflicts with the current state' },
  422: { reason: 'the service rejected a value', advice: 'Correct the request before you retry' },
})

function explain(response: ErrorResponse): Explanation {
  const { status } = response
  // Browsers show a redirect that was not followed as status 0.
  if (status < 400) {
    return {
      reason: 'redirects are not followed, to protect the API key',
      advice: 'Check baseUrl',
    }
  }
  if (status === 429) {
    return {
      reason: 'too many requests',
      advice: describeWait(response) ?? 'Wait before you retry',
    }
  }
  if (status >= 500) {
    return { reason: 'the service reported a server error', advice: describeWait(response) }
  }
  return explanations[status] ?? { reason: 'the service reported an error' }
}

function describeWait({ retryAt, exceedsDeadline }: ErrorResponse): string | undefined {
  if (!retryAt) return undefined
  return exceedsDeadline
    ? "Increase the deadline option, or retry after error.retryAt, which is past the call's deadline"
    : 'Retry after error.retryAt'
}

/** Says where to read the service's explanation, which is hidden because it may contain health data. */
function explainHidden(body: unknown): string {
  const field = typeof body === 'string' ? 'error.body' : 'error.detail'
  return `Read ${field} for the service's explanation, or set exposeDetail: true to include it here`
}
