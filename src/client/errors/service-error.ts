import type { Effect } from '../../contract/schema-tools/endpoint.ts'
import { isOfKind, kindsKey, kindsOf } from '../../contract/values/kinds.ts'
import { setField } from '../../shared/own-fields.ts'
import { stackOf } from '../../shared/stack.ts'
import type { ServiceErrorCode } from './error-codes.ts'
import { safeCause } from './safe-cause.ts'

/**
 * What is known about a call's effect on the service.
 * - `not-sent`: the request was never sent, so it had no effect.
 * - `rejected`: the service rejected the request, so it had no effect.
 * - `unknown`: the request may have taken effect, or may still take effect. Check before you retry.
 * - `succeeded`: the request took effect. In an error, the response could not be used.
 */
export type Outcome = 'not-sent' | 'rejected' | 'unknown' | 'succeeded'

/** The effect of a second, identical call. It is `keyed` if only the idempotency key makes the call idempotent. */
export type CallEffect = Effect | 'keyed'

/** A single attempt to make a call. */
export interface Attempt {
  /** The response status. Absent when no response arrived. */
  status?: number
  /** The error code if no usable response arrived, such as `ECONNREFUSED` or `TIMEOUT`. */
  code?: string
  /** The attempt's duration in whole milliseconds. */
  duration: number
  /** The wait before the attempt in whole milliseconds, or 0 for the first. */
  delay: number
}

/** The details of a failed call. */
export interface ErrorFacts {
  /** The operation, such as `orders.bookPhlebotomyAppointment`. */
  operation: string
  /** The method and path template, or an empty string if there is none. */
  route: string
  /** What is known about the call's effect. */
  outcome: Outcome
  /** Every attempt, in order. */
  attempts: readonly Attempt[]
  /** The effect of a second request, so the message can say whether a retry is safe. Default: `non-idempotent`. */
  effect?: CallEffect | undefined
  /** The service's id for the last request that received a response. */
  requestId?: string | undefined
  /** The underlying error. Unless it is a `ServiceError`, only its class and code are printed. */
  cause?: unknown
  /** The call site. Its frames become the error's stack. Default: where the error is created. */
  callSite?:
    | {
        /** The stack frames, in the platform's format. */
        readonly stack?: string
      }
    | undefined
}

/**
 * The base class of the client's errors. The message, stack, `toJSON` and `util.inspect` contain the operation, the
 * route template and the request id, but no other ids, bodies, queries or keys. `instanceof` also works across copies
 * of this package. The stack starts at the line where your code called the method. With `exposeDetail`, the message
 * also contains the service's explanation.
 */
export class ServiceError extends Error {
  /** The class name, unchanged by minifiers. */
  static readonly kind: string = 'ServiceError'
  /** A stable, machine-readable error code. */
  readonly code: ServiceErrorCode = 'service_error'
  /** The operation, such as `orders.bookPhlebotomyAppointment`. */
  readonly operation: string
  /** The method and path template, such as `PATCH /v2/user/{user_id}/info`. */
  readonly route: string
  /** What is known about the call's effect. Check it before you retry. */
  readonly outcome: Outcome
  /** Every attempt, in order. */
  readonly attempts: readonly Attempt[]
  /** The service's id for the last request that received a response; quote it in support requests. */
  readonly requestId: string | undefined
  readonly #originalCause: unknown

  /** Creates an error. The message must be safe to print. */
  constructor(message: string, facts: ErrorFacts) {
    const { cause } = facts
    const safe = cause instanceof ServiceError ? cause : safeCause(cause)
    super(message, cause === undefined ? undefined : { cause: safe })
    // A program may have frozen `Error.prototype`.
    setField(this, 'name', this[kindsKey][0] ?? 'ServiceError')
    this.operation = facts.operation
    this.route = facts.route
    this.outcome = facts.outcome
    this.attempts = facts.attempts
    this.requestId = facts.requestId
    this.#originalCause = cause
    const stack = stackOf(this, facts.callSite)
    if (stack !== undefined) this.stack = stack
  }

  /**
   * The unchanged cause, if any, such as the error that your `fetch` or `apiKey` function threw. It is not printed,
   * because its message may contain a URL, a key or health data.
   */
  get originalCause(): unknown {
    return this.#originalCause
  }

  /** Returns whether a value is an error of this class from any copy of the package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOfKind(value, this)
  }

  /** @internal */
  get [kindsKey](): readonly string[] {
    return kindsOf(this)
  }

  /** Returns the fields that are safe to log. */
  toJSON(): Record<string, unknown> {
    const { name, code, message, operation, route, outcome, attempts, requestId } = this
    return { name, code, message, operation, route, outcome, attempts, requestId }
  }

  /** Returns what `console.log` and `util.inspect` print on Node, Bun and Deno: the stack, and the fields in `toJSON`. */
  [Symbol.for('nodejs.util.inspect.custom')](
    _depth: number,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ): string {
    const { name: _name, message: _message, ...facts } = this.toJSON()
    // A program's `Error.prepareStackTrace` may return anything.
    const stack = typeof this.stack === 'string' ? this.stack : `${this.name}: ${this.message}`
    return `${stack} ${inspect(facts, options)}`
  }
}
