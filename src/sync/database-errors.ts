import { isOfKind, kindsKey, kindsOf } from '../contract/values/kinds.ts'
import { seeError } from '../shared/error-links.ts'
import { setField } from '../shared/own-fields.ts'
import { sqlStateOf } from '../stores/store-error.ts'

/**
 * The codes of {@link SyncError}.
 * - `argument_invalid`: an argument or option has an invalid value.
 * - `not_migrated`: a table or column is missing; call `sync.migrate()`.
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

/** The SQLSTATE codes for an undefined table, an undefined column and an invalid schema name. */
const missing = new Set(['42P01', '42703', '3F000'])

/**
 * The codes of temporary errors: lost connections, read-only transactions, conflicts, insufficient resources, locks,
 * shutdowns and system errors. Excludes statement timeouts (57014), which would recur.
 */
const temporary = /^(?:08|25|40|53|55|57(?!014)|58)/

/** Errors thrown while converting records to statement values, for example because a string is too long. */
const conversionErrors = new WeakSet()

/** Marks an error that would recur if the same records were retried. */
export function markConversionError(error: unknown): void {
  if (error instanceof Error) conversionErrors.add(error)
}

function isConversionError(error: unknown): error is Error {
  return error instanceof Error && conversionErrors.has(error)
}

export function isLasting(error: unknown): boolean {
  if (isConversionError(error)) return true
  const state = sqlStateOf(error)
  return state !== undefined && !temporary.test(state) && !missing.has(state)
}

/** Returns the Postgres code and the names in the error, or the name of a conversion error, but no values. */
export function describeFailure(error: unknown): string {
  if (isConversionError(error)) return error.name
  const { table, column, constraint, table_name, column_name, constraint_name } = Object(error)
  // The second name in each pair comes from the `postgres` driver.
  const names = [table ?? table_name, column ?? column_name, constraint ?? constraint_name]
  return [sqlStateOf(error) ?? 'unknown', ...names.filter((name) => typeof name === 'string')].join(
    ' ',
  )
}

/**
 * Replaces a database error with one that contains no values. Postgres may quote values, and drivers add the
 * statement's values. Returns other errors unchanged.
 */
export function withoutValues(error: unknown): unknown {
  const state = sqlStateOf(error)
  if (state === undefined) return hasValues(error) ? copyWithoutValues(error) : error
  if (missing.has(state)) {
    return new SyncError(
      'not_migrated',
      'A table or column is missing. Call sync.migrate(), or run sync.migrations with your migration tool. If your own listener uses other tables, create them too.',
    )
  }
  return new SyncError(
    'statement_failed',
    `Postgres rejected a statement: ${describeFailure(error)}.`,
  )
}

/** Returns whether an error contains the statement's values, as errors from `postgres` and PGlite do. */
function hasValues(error: unknown): error is Error {
  return error instanceof Error && ('parameters' in error || 'params' in error)
}

function copyWithoutValues(error: Error): Error {
  const { name, message, code }: Error & { code?: unknown } = error
  return Object.assign(new Error(message), { name, code })
}
