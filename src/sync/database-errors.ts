import { sqlStateOf } from '../stores/store-error.ts'
import { SyncError } from './sync-error.ts'

/** Undefined table, undefined column, and invalid schema name. */
const missing = new Set(['42P01', '42703', '3F000'])

/**
 * Connection lost, out of resources, stopped by an operator, deadlock and other conflicts, locks: the next attempt may succeed.
 * A statement that took too long (57014) would take as long again.
 */
const temporary = /^(?:08|25|40|53|55|57(?!014)|58)/

/** Returns whether the same statement would fail again. */
export function isLasting(error: unknown): boolean {
  const state = sqlStateOf(error)
  return state !== undefined && !temporary.test(state) && !missing.has(state)
}

/** Returns what failed, without values: the code of Postgres, and the names of the table, the column and the constraint. */
export function describeDatabaseFailure(error: unknown): string {
  const { table, column, constraint, table_name, column_name, constraint_name } = Object(error)
  // The driver `postgres` has the second names.
  const names = [table ?? table_name, column ?? column_name, constraint ?? constraint_name]
  return [sqlStateOf(error) ?? 'unknown', ...names.filter((name) => typeof name === 'string')].join(
    ' ',
  )
}

/**
 * Returns an error without health data: those of Postgres may quote values, and drivers add the values of the statement.
 * Errors of others are returned as they are.
 */
export function withoutValues(error: unknown): unknown {
  const state = sqlStateOf(error)
  if (state === undefined) return hasValues(error) ? copyWithoutValues(error) : error
  if (missing.has(state)) {
    return new SyncError(
      'not_migrated',
      'The tables of createSync do not exist, or are those of an older version. Call sync.migrate(), or run sync.migrations with your migration tool.',
    )
  }
  return new SyncError(
    'statement_failed',
    `Postgres refused a statement: ${describeDatabaseFailure(error)}.`,
  )
}

/** The fields in which `postgres` and PGlite keep the values of a statement. */
function hasValues(error: unknown): error is Error {
  return error instanceof Error && ('parameters' in error || 'params' in error)
}

function copyWithoutValues(error: Error): Error {
  const { name, message, code }: Error & { code?: unknown } = error
  return Object.assign(new Error(message), { name, code })
}
