import { isOfKind, kindsKey, kindsOf } from '../contract/values/kinds.ts'
import { seeError } from '../shared/error-links.ts'
import { readField, setField } from '../shared/own-fields.ts'

/**
 * The codes of {@link StoreError}.
 * - `argument_invalid`: an argument or option has an invalid value.
 * - `not_migrated`: the tables do not exist; call `store.migrate()` once.
 * - `rolled_back`: the listener caught a statement's error, so Postgres stored nothing from its transaction.
 * - `transaction_ended`: a statement was issued after its transaction had ended, and was not sent.
 */
export const storeErrorCodes = [
  'argument_invalid',
  'not_migrated',
  'rolled_back',
  'transaction_ended',
] as const
/** One of {@link storeErrorCodes}. */
export type StoreErrorCode = (typeof storeErrorCodes)[number]

/** Thrown when a store is misused or its tables do not exist. `instanceof` also works across copies of this package. */
export class StoreError extends Error {
  /** The class name, unchanged by minifiers. */
  static readonly kind: string = 'StoreError'
  /** The error code; see {@link storeErrorCodes}. */
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message + seeError(code, 'stores'), options)
    setField(this, 'name', 'StoreError')
    this.code = code
  }

  /** Returns whether a value is a `StoreError` from any copy of the package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOfKind(value, this)
  }

  /** @internal */
  get [kindsKey](): readonly string[] {
    return kindsOf(this)
  }
}

/** Returns a Postgres error's SQLSTATE code, or undefined for any other error, such as a network error. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = readField(error, 'code')
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code)
    ? code
    : undefined
}
