import { isOfKind, kindsKey, kindsOf } from '../contract/values/kinds.ts'
import { seeError } from '../shared/error-links.ts'
import { setField } from '../shared/own-fields.ts'

/**
 * The codes of {@link SyncError}.
 * - `argument_invalid`: an argument or option has an invalid value.
 * - `not_migrated`: the tables do not exist; call `sync.migrate()` once.
 * - `statement_failed`: Postgres rejected a statement. The message contains Postgres's error code and the names in the
 *   error, but no values.
 */
export const syncErrorCodes = ['argument_invalid', 'not_migrated', 'statement_failed'] as const
/** One of {@link syncErrorCodes}. */
export type SyncErrorCode = (typeof syncErrorCodes)[number]

/**
 * Thrown when an argument is invalid or data cannot be stored. `instanceof` also works across copies of this package.
 */
export class SyncError extends Error {
  /** The class name, unchanged by minifiers. */
  static readonly kind: string = 'SyncError'
  /** The error code; see {@link syncErrorCodes}. */
  readonly code: SyncErrorCode

  constructor(code: SyncErrorCode, message: string) {
    super(message + seeError(code, 'sync'))
    setField(this, 'name', 'SyncError')
    this.code = code
  }

  /** Returns whether a value is a `SyncError` from any copy of the package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOfKind(value, this)
  }

  /** @internal */
  get [kindsKey](): readonly string[] {
    return kindsOf(this)
  }
}
