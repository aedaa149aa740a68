import { AbortError } from '../client/errors/abort-error.ts'
import { ServiceError } from '../client/errors/service-error.ts'
import { isOfKind, kindsKey, kindsOf } from '../contract/values/kinds.ts'
import { seeError } from '../shared/error-links.ts'
import { readField, setField } from '../shared/own-fields.ts'
import { stackOf } from '../shared/stack.ts'
import type { StoredWrite } from '../stores/write-store.ts'

/**
 * The codes of {@link DurableError}.
 * - `argument_invalid`: an argument or option has an invalid value. Nothing was sent.
 * - `input_differs`: the id was already used for a different operation or input, so nothing was sent. Also used when an
 *   import's source ends before it yields all connections that an earlier call read.
 * - `busy`: another call is still working on the id, or took over from this call. Call again.
 * - `not_sent`: the API key could not be read, or the order could not be checked for an earlier appointment, so the
 *   write was not sent. Call again.
 * - `pending`: this call failed (see `cause`), but an earlier request for the id may have taken effect. Call again with
 *   the same input.
 * - `store_failed`: the store threw an error; see the message and `cause`.
 * - `unresolved`: the outcome cannot be determined, or the write took effect but its response is invalid. A person must
 *   check and call `resolve`; never resend the write automatically.
 * - `not_open`: `resolve` was called for an id that is unknown or already has an outcome.
 * - `took_effect`: the write took effect, but `resolve` recorded that it had not, and its id has been reused.
 */
export const durableErrorCodes = [
  'argument_invalid',
  'input_differs',
  'busy',
  'not_sent',
  'pending',
  'store_failed',
  'unresolved',
  'not_open',
  'took_effect',
] as const
/** One of {@link durableErrorCodes}. */
export type DurableErrorCode = (typeof durableErrorCodes)[number]

interface DurableErrorFacts {
  id?: string
  cause?: unknown
  result?: unknown
}

/**
 * Thrown by durable writes, in addition to the client's errors. Its message never contains ids, inputs or results.
 * `instanceof` also works across copies of this package.
 */
export class DurableError extends Error {
  /** The class name, unchanged by minifiers. */
  static readonly kind: string = 'DurableError'
  /** The error code; see {@link durableErrorCodes}. */
  readonly code: DurableErrorCode
  readonly #facts: DurableErrorFacts

  constructor(code: DurableErrorCode, message: string, facts: DurableErrorFacts = {}) {
    super(
      message + seeError(code, 'durable-writes'),
      'cause' in facts ? { cause: facts.cause } : undefined,
    )
    setField(this, 'name', 'DurableError')
    this.code = code
    const stack = stackOf(this, undefined)
    if (stack !== undefined) this.stack = stack
    this.#facts = facts
  }

  /** Your own id for the write. It is not printed. */
  get id(): string | undefined {
    return this.#facts.id
  }

  /** For `store_failed` and `took_effect`: the write's result, if it took effect. It is not printed. */
  get result(): unknown {
    return this.#facts.result
  }

  /** Returns whether a value is a `DurableError` from any copy of the package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOfKind(value, this)
  }

  /** @internal */
  get [kindsKey](): readonly string[] {
    return kindsOf(this)
  }
}

export function unresolvedError(operation: string, id: string, cause?: unknown): DurableError {
  const isKnown = readField(cause, 'outcome') === 'succeeded'
  const state = isKnown
    ? `${operation} took effect, but its response is invalid`
    : `The outcome of ${operation} is unknown: it may have taken effect`
  const message = `${state}. A person must check the write and store its outcome with resolve(); do not resend it.`
  return new DurableError('unresolved', message, cause === undefined ? { id } : { id, cause })
}

export function hadNoEffect(error: unknown): boolean {
  if (error instanceof DurableError) return error.code === 'not_sent'
  return error instanceof ServiceError && ['not-sent', 'rejected'].includes(error.outcome)
}

/** Returns an error with the outcome `unknown`, because this or another run may have sent the write. */
export function abortError(operation: string, cause: unknown): AbortError {
  return new AbortError({ operation, route: '', outcome: 'unknown', attempts: [], cause })
}

export function differs(id: string): DurableError {
  return new DurableError(
    'input_differs',
    'The id was already used for a different operation or input. Nothing was sent. Use the id with its original input, or a new id for a new write.',
    { id },
  )
}

export function takenOver(id: string, cause?: unknown): DurableError {
  const message = 'Another call took over this write. Call again for its result.'
  return new DurableError('busy', message, { id, ...(cause === undefined ? {} : { cause }) })
}

export function busy(id: string): DurableError {
  return new DurableError(
    'busy',
    'Another call is working on this id. This call sent nothing. Call again later for the outcome.',
    { id },
  )
}

export function pending({ id, operation }: StoredWrite, cause: unknown): DurableError {
  const message = `This ${operation} call failed (see the cause), but an earlier request for this id may have taken effect. Call again with the same input.`
  return new DurableError('pending', message, { id, cause })
}
