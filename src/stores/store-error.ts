import { isOfKind, kindsKey, kindsOf } from '../contract/values/kinds.ts'
import { seeError } from '../shared/error-links.ts'
import { readField, setField } from '../shared/own-fields.ts'

/**
 * The codes of {@link StoreError}.
 * - `argument_invalid`: an argument or option has an invalid value.
 * - `not_migrated`: the tables do not exist; call `store.migrate()` once.
 * - `rolled_back`: the listener caught the error of a statement, so that Postgres stored nothing of its transaction.
 * - `transaction_ended`: a statement came after the end of its transaction, and was not sent.
 */
export const storeErrorCodes = [
  'argument_invalid',
  'not_migrated',
  'rolled_back',
  'transaction_ended',
] as const
/** One of {@link storeErrorCodes}. */
export type StoreErrorCode = (typeof storeErrorCodes)[number]

/** Thrown when a store cannot be used. `instanceof` also works between two copies of this package. */
export class StoreError extends Error {
  /** The name of the class, which minifiers do not change. */
  static readonly kind: string = 'StoreError'
  /** The reason, see {@link storeErrorCodes}. */
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message + seeError(code, 'stores'), options)
    setField(this, 'name', 'StoreError')
    this.code = code
  }

  /** Returns whether a value is a `StoreError` of any copy of the package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOfKind(value, this)
  }

  /** @internal */
  get [kindsKey](): readonly string[] {
    return kindsOf(this)
  }
}

/** Returns the code of an error of Postgres; undefined for any other error, such as one of the network. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = readField(error, 'code')
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code)
    ? code
    : undefined
}
