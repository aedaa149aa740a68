import { describeOutcome, describeRequest } from './message.ts'
import { type ErrorFacts, ServiceError } from './service-error.ts'

/** A response with an error status. */
export interface ErrorResponse {
  /** The HTTP status. */
  status: number
  /** The headers of the response. */
  headers: Headers
  /** Parsed JSON, or a string when the body is not JSON; undefined when it is empty. */
  body: unknown
  /** The printable part of a 422: path and type of each detail. */
  details: readonly string[]
  /** The moment that the response's Retry-After names. */
  retryAt: Date | undefined
}

/** Thrown when the service responds with an error status. */
export class ApiError extends ServiceError {
  static override readonly kind: string = 'ApiError'
  override readonly code: string = 'api_error'
  /** The HTTP status. */
  readonly status: number
  /** The earliest moment for a retry: the service's Retry-After; undefined when it sent none. */
  readonly retryAt: Date | undefined
  readonly #response: ErrorResponse

  /** Creates the error of a response; body and headers are not printed. */
  constructor(response: ErrorResponse, facts: ErrorFacts) {
    super(apiMessage(response, facts), facts)
    this.status = response.status
    this.retryAt = response.retryAt
    this.#response = response
  }

  /** The response body: parsed JSON, a string when it is not JSON, or undefined when it is empty. It may contain health data. */
  get body(): unknown {
    return this.#response.body
  }

  /** The `detail` of the response body: a string, or for a 422 an array of `{ type, loc, msg, input }`. It may contain health data. */
  get detail(): unknown {
    const { body } = this.#response
    const hasDetail = typeof body === 'object' && body !== null && Object.hasOwn(body, 'detail')
    return hasDetail ? (body as { detail: unknown }).detail : undefined
  }

  /** The response headers. */
  get headers(): Headers {
    return this.#response.headers
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), status: this.status, retryAt: this.retryAt?.toISOString() }
  }
}

function apiMessage({ status, details }: ErrorResponse, facts: ErrorFacts): string {
  const { reason, advice } = explain(status)
  const explanation = details.length > 0 ? details.join('; ') : reason
  return [
    `${facts.operation} failed with status ${status}: ${explanation}.`,
    describeOutcome(facts),
    ...(advice ? [advice] : []),
    describeRequest(facts),
  ].join(' ')
}

interface Explanation {
  reason: string
  advice?: string
}

const readDetail = "Read error.detail for the service's explanation."

const explanations: Record<number, Explanation> = {
  400: { reason: 'the service refused the request', advice: readDetail },
  401: { reason: 'the API key is missing or unknown', advice: 'Check apiKey and baseUrl.' },
  403: {
    reason: 'the API key is not allowed to do this, or the feature is not enabled for the team',
    advice: readDetail,
  },
  404: { reason: 'not found', advice: `Check the ids and baseUrl. ${readDetail}` },
  409: { reason: 'the request conflicts with the current state', advice: readDetail },
  422: { reason: 'the service refused a value', advice: readDetail },
  429: { reason: 'too many requests', advice: 'Retry after error.retryAt.' },
}

function explain(status: number): Explanation {
  if (status >= 300 && status < 400) {
    return {
      reason: 'redirects are not followed, so that the API key stays at its origin',
      advice: 'Check baseUrl.',
    }
  }
  if (status >= 500) return { reason: 'the service reported a server error', advice: readDetail }
  return explanations[status] ?? { reason: 'the service refused the request', advice: readDetail }
}
