import type { Issue } from '../contract/schema/check.ts'
import type { HookEvent } from './options.ts'

/**
 * What is known of a call's effect on the service.
 * - `not-sent`: the request never left, so it had no effect.
 * - `rejected`: the service refused it, so it had no effect.
 * - `unknown`: it may or may not have taken effect, or may still take effect. Find out before you send it again.
 * - `succeeded`: it took effect, only its answer could not be used.
 */
export type Outcome = 'not-sent' | 'rejected' | 'unknown' | 'succeeded'

/** One attempt of a call. */
export interface Attempt {
  /** The status of the answer, when one came. */
  status?: number
  /** Why no usable answer came, such as `ECONNREFUSED` or `TIMEOUT`. */
  code?: string
  /** Milliseconds from the start of the attempt to its end. */
  duration: number
  /** Milliseconds waited before the attempt. */
  delay: number
}

/** What every error of a call tells. */
export interface ErrorFacts {
  operation: string
  /** Method and path template; empty for the making of a client. */
  route: string
  outcome: Outcome
  attempts: readonly Attempt[]
  requestId?: string | undefined
  cause?: unknown
}

const lineageKey = Symbol.for('health-lab-sdk.error')

function lineageOf(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null && lineageKey in value
    ? (value[lineageKey] as readonly string[])
    : []
}

/**
 * The base of every error the client throws, but for the reason of your own abort. Message, stack, `toJSON` and
 * `util.inspect` hold the operation and the route template, never ids, bodies, queries or keys. `instanceof` also holds
 * between two copies of this package.
 */
export class ServiceError extends Error {
  static readonly kind: string = 'ServiceError'
  /** Stable, for programs: `request_invalid`, `timeout`, `rate_limited` … */
  readonly code: string = 'service_error'
  /** The operation, such as `orders.bookPhlebotomyAppointment`. */
  readonly operation: string
  /** Method and path template, such as `PATCH /v2/user/{user_id}/info`. */
  readonly route: string
  readonly outcome: Outcome
  /** Every attempt made, the first one first. */
  readonly attempts: readonly Attempt[]
  /** The service's id of the last answered request, for its support. */
  readonly requestId: string | undefined

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: safeCause(facts.cause) })
    this.name = this[lineageKey][0] ?? 'ServiceError'
    this.operation = facts.operation
    this.route = facts.route
    this.outcome = facts.outcome
    this.attempts = facts.attempts
    this.requestId = facts.requestId
  }

  /** Whether a value is such an error, of this copy of the package or of another. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Object.hasOwn(this, 'kind')
      ? lineageOf(value).includes(this.kind)
      : Function.prototype[Symbol.hasInstance].call(this, value)
  }

  /** The kinds of this error, the most special one first. */
  get [lineageKey](): readonly string[] {
    const kinds: string[] = []
    let at: unknown = this.constructor
    while (typeof at === 'function') {
      if (Object.hasOwn(at, 'kind')) kinds.push((at as typeof ServiceError).kind)
      at = Object.getPrototypeOf(at)
    }
    return kinds
  }

  /** The error as plain JSON, safe to log. */
  toJSON(): Record<string, unknown> {
    const { name, code, message, operation, route, outcome, attempts, requestId } = this
    return { name, code, message, operation, route, outcome, attempts, requestId }
  }

  /** What `console.log` and `util.inspect` show on Node, Bun and Deno: the stack and what is safe to log. */
  [Symbol.for('nodejs.util.inspect.custom')](
    _depth: number,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ): string {
    const { name: _name, message: _message, ...facts } = this.toJSON()
    return `${this.stack} ${inspect(facts, options)}`
  }
}

/** Keeps of a foreign error what is safe: its name and code. Its message may quote a URL, a key or a body. */
function safeCause(cause: unknown): Error {
  if (cause instanceof ServiceError) return cause
  const code = systemCode(cause)
  const name = fieldOf(cause, 'name')
  const safe = new Error(`${errorNames.has(name) ? name : 'Error'} ${code ?? ''}`.trim())
  delete safe.stack
  return code === undefined ? safe : Object.assign(safe, { code })
}

const errorNames = new Set<unknown>(['TypeError', 'RangeError', 'AbortError', 'NetworkError'])

const systemCodes =
  /^(?:E(?:AI_)?[A-Z0-9]{2,15}|(?:UND_ERR|ERR|CERT|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)_[A-Z_]{2,40}|ConnectionRefused|FailedToOpenSocket|ConnectionClosed)$/

/** A field of a foreign error; undefined where there is none, or a getter that throws. */
export function fieldOf(error: unknown, name: string): unknown {
  try {
    return Object(error)[name]
  } catch {
    return undefined
  }
}

/** An error's code where it is one that platforms give; any other may be data. */
export function systemCode(error: unknown): string | undefined {
  const code = fieldOf(error, 'code')
  return typeof code === 'string' && systemCodes.test(code) ? code : undefined
}

/**
 * Something you passed is not what the specification allows. Nothing was sent, unless your key function failed only
 * when a further attempt asked for the key: `attempts` and `outcome` then tell of the earlier ones.
 */
export class RequestValidationError extends ServiceError {
  static override readonly kind: string = 'RequestValidationError'
  override readonly code: string = 'request_invalid'
  /** Every place, with what was expected there. */
  readonly issues: readonly Issue[]

  constructor(
    issues: readonly Issue[],
    { outcome = 'not-sent', attempts = [], ...facts }: Partial<ErrorFacts> & HookEvent,
  ) {
    const failure = facts.route === '' ? 'was not created' : 'was not sent'
    const effect = outcome === 'not-sent' ? '' : ` again. ${effectOf[outcome]} The reason`
    super(`${facts.operation} ${failure}${effect}: ${listed(issues)}`, {
      ...facts,
      outcome,
      attempts,
    })
    this.issues = issues
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), issues: this.issues }
  }
}

/** The service answered with success, but the answer is not what the specification tells. */
export class ResponseValidationError extends ServiceError {
  static override readonly kind: string = 'ResponseValidationError'
  override readonly code: string = 'response_invalid'
  /** Every place, with what was expected there. */
  readonly issues: readonly Issue[]
  readonly status: number
  readonly #body: unknown

  constructor(issues: readonly Issue[], body: unknown, status: number, facts: ErrorFacts) {
    super(
      `${facts.operation} was answered ${status}, but not as the specification tells: ${listed(issues)}. ${effectOf[facts.outcome]}`,
      facts,
    )
    this.issues = issues
    this.status = status
    this.#body = body
  }

  /** The answer: parsed JSON, or the text that is none. It may hold health data. */
  get body(): unknown {
    return this.#body
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), status: this.status, issues: this.issues }
  }
}

/** No answer came, for the connection failed. */
export class ConnectionError extends ServiceError {
  static override readonly kind: string = 'ConnectionError'
  override readonly code: string = 'connection_failed'

  constructor(facts: ErrorFacts) {
    const reason = facts.attempts.at(-1)?.code
    super(
      `${facts.operation} got no answer: the connection failed${reason ? ` (${reason})` : ''}. ${effectOf[facts.outcome]}`,
      facts,
    )
  }
}

/** No answer came in time. */
export class TimeoutError extends ServiceError {
  static override readonly kind: string = 'TimeoutError'
  override readonly code: string = 'timeout'

  constructor(limit: string, facts: ErrorFacts) {
    super(
      `${facts.operation} got no complete answer within its ${limit}. ${effectOf[facts.outcome]}`,
      facts,
    )
  }
}

const effectOf: Record<Outcome, string> = {
  'not-sent': 'Nothing was sent.',
  rejected: 'It had no effect.',
  unknown: 'Whether it took effect is unknown: find out before you send it again.',
  succeeded: 'It took effect.',
}

/** What an answer with an error status holds. */
export interface ErrorAnswer {
  status: number
  headers: Headers
  /** Parsed JSON, or the text that is none; undefined when empty. */
  body: unknown
  /** What may be printed of a 422: path and type of each detail. */
  details: readonly string[]
  /** When the service wants to be asked again. */
  retryAt: Date | undefined
}

/** The service answered with an error status. */
export class ApiError extends ServiceError {
  static override readonly kind: string = 'ApiError'
  override readonly code: string = 'api_error'
  readonly status: number
  /** When the service wants to be asked again: its Retry-After, as a moment. */
  readonly retryAt: Date | undefined
  readonly #answer: ErrorAnswer

  constructor(answer: ErrorAnswer, facts: ErrorFacts) {
    super(apiMessage(answer, facts), facts)
    this.status = answer.status
    this.retryAt = answer.retryAt
    this.#answer = answer
  }

  /** The answer's body: parsed JSON, the text that is none, or undefined when empty. It may hold health data. */
  get body(): unknown {
    return this.#answer.body
  }

  /** The `detail` of the answer's body: text, or for a 422 an array of `{ type, loc, msg, input }`. It may hold health data. */
  get detail(): unknown {
    const { body } = this.#answer
    const hasDetail = typeof body === 'object' && body !== null && Object.hasOwn(body, 'detail')
    return hasDetail ? (body as { detail: unknown }).detail : undefined
  }

  /** The answer's headers. */
  get headers(): Headers {
    return this.#answer.headers
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), status: this.status, retryAt: this.retryAt?.toISOString() }
  }
}

function apiMessage(answer: ErrorAnswer, facts: ErrorFacts): string {
  const details = answer.details.length > 0 ? `: ${answer.details.join('; ')}` : ''
  const count = facts.attempts.length === 1 ? '1 attempt' : `${facts.attempts.length} attempts`
  const advice =
    answer.status >= 300 && answer.status < 400 ? redirectAdvice : advices[answer.status]
  return [
    `${facts.operation} was answered ${answer.status}${details} (${facts.route}, ${count}).`,
    effectOf[facts.outcome],
    advice ?? 'See error.detail.',
  ].join(' ')
}

const redirectAdvice =
  'Redirects are not followed, so that the key stays at its origin: check baseUrl.'

const advices: Record<number, string> = {
  401: 'Check the API key.',
  403: 'The key is not allowed to do this, or the feature is not enabled for the team.',
  404: 'Check the ids and baseUrl; see error.detail.',
  429: 'Slow down; error.retryAt says when to try again.',
}

/** 400: the request breaks a rule of the service. */
export class BadRequestError extends ApiError {
  static override readonly kind: string = 'BadRequestError'
  override readonly code: string = 'bad_request'
}

/** 401: the API key is missing or unknown. */
export class AuthenticationError extends ApiError {
  static override readonly kind: string = 'AuthenticationError'
  override readonly code: string = 'authentication_failed'
}

/** 403: the key may not do this, or the feature is not enabled for the team. */
export class PermissionDeniedError extends ApiError {
  static override readonly kind: string = 'PermissionDeniedError'
  override readonly code: string = 'permission_denied'
}

/** 404: no such user, order, lab test or connection. */
export class NotFoundError extends ApiError {
  static override readonly kind: string = 'NotFoundError'
  override readonly code: string = 'not_found'
}

/** 409: the request conflicts with the present state. */
export class ConflictError extends ApiError {
  static override readonly kind: string = 'ConflictError'
  override readonly code: string = 'conflict'
}

/** 422: the service refuses a value. The message names path and type of each; `detail` has the rest. */
export class UnprocessableEntityError extends ApiError {
  static override readonly kind: string = 'UnprocessableEntityError'
  override readonly code: string = 'unprocessable_entity'
}

/** 429: too many requests. */
export class RateLimitError extends ApiError {
  static override readonly kind: string = 'RateLimitError'
  override readonly code: string = 'rate_limited'
}

/** 500 and above: the service failed. A failed or unconfirmed synchronous booking answers 500 (specification part 7). */
export class InternalServerError extends ApiError {
  static override readonly kind: string = 'InternalServerError'
  override readonly code: string = 'internal_server_error'
}

const apiErrors: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  422: UnprocessableEntityError,
  429: RateLimitError,
}

/** The error of an answer with an error status. */
export function apiError(answer: ErrorAnswer, facts: ErrorFacts): ApiError {
  const Kind = apiErrors[answer.status] ?? (answer.status >= 500 ? InternalServerError : ApiError)
  return new Kind(answer, facts)
}

const listedIssues = 20

function listed(issues: readonly Issue[]): string {
  const shown = issues
    .slice(0, listedIssues)
    .map(({ path, expected }) => `${path}: expected ${expected}`)
  const rest = issues.length - shown.length
  return shown.join('; ') + (rest > 0 ? `; and ${rest} more` : '')
}
