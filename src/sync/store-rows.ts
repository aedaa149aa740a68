import { memo, Recent } from '../shared/memo.ts'
import type { SqlTransaction } from '../stores/database.ts'
import { markConversionError } from './database-errors.ts'
import { mostRows, partsOf } from './parts.ts'
import type { SyncRow } from './rows.ts'
import { list } from './schema/migrations.ts'
import { columnNames, fieldColumns, fixedColumns, versionColumns } from './schema/table-columns.ts'
import type { SyncTable } from './schema/tables.ts'
import { toJsonb } from './values.ts'

export interface RowBatch {
  table: SyncTable
  user_id: string
  /** The rows, with `undefined` for each record without a row. */
  rows: Iterable<SyncRow | undefined>
}

export interface ReadBatch extends RowBatch {
  rows: readonly SyncRow[]
  /** The number of records without a row, because they have no valid id. */
  skipped: number
}

/**
 * Returns the columns by which versions are ordered: change time, rank, sending time and content. With this order, the
 * result does not depend on the order of arrival.
 */
const orderOf = (row: string) =>
  [...versionColumns.map((name) => `${row}."${name}"`), `${row}.record::text collate "C"`].join(
    ', ',
  )

/** Returns SQL for the rows in the parameter `$1`. */
function givenRows(table: SyncTable): string {
  const columns = [...fixedColumns(table), ...fieldColumns(table)]
  const types = columns.map(({ name, type }) => `"${name}" ${type}`).join(', ')
  return `json_to_recordset($1::text::json) as given (${types})`
}

export function hashOf(parameter: string): string {
  return `encode(sha256(convert_to(lower(${parameter}::text), 'UTF8')), 'hex')`
}

export function isKept(schema: string, parameter: string): string {
  return `not exists (select from ${schema}.forgotten where user_hash = ${hashOf(parameter)})`
}

/**
 * Returns an SQL condition that is true if none of the users has been forgotten. The parameter contains a JSON array of
 * user ids.
 */
export function isAboutNoForgotten(schema: string, parameter: string): string {
  return `not exists (
  select from json_array_elements_text(${parameter}::text::json) as mentioned (id), ${schema}.forgotten
  where user_hash = ${hashOf('mentioned.id')}
)`
}

/**
 * Returns an SQL condition that is true unless the user `$2` has been forgotten or the given row's connection has been
 * removed.
 */
export function isWanted(schema: string): string {
  return `${isKept(schema, '$2')}
  and not exists (
    select from ${schema}.disconnections gone
    where gone.user_id = $2::text::uuid and gone.source_provider = given.source_provider
  )`
}

/** Returns a sort order: by key, with the newest version of each key first. */
function givenOrder({ key }: SyncTable, hasVersions: boolean): string {
  const versions = versionColumns.map((name) => `given."${name}" desc`).join(', ')
  const content = hasVersions ? `, given.record::text collate "C" desc` : ''
  return `${list(key)}, ${versions}${content}`
}

export function newestRows(table: SyncTable): string {
  return `(select distinct on (${list(table.key)}) * from ${givenRows(table)} order by ${givenOrder(table, true)}) as given`
}

/**
 * Returns a statement that stores the rows in `$1` for the user `$2`, if they are newer than the stored versions. It
 * stores nothing for a forgotten user or a removed connection, and locks rows in key order.
 *
 * @param hasVersions Whether several rows have the same key. If so, equal versions are also sorted by content, which is
 *   slow.
 */
function storeStatement(table: SyncTable, schema: string, hasVersions: boolean): string {
  const names = columnNames(table)
  const changed = names
    .filter((name) => !table.key.includes(name))
    .map((name) => `"${name}" = excluded."${name}"`)
  const key = list(table.key)
  return `insert into ${schema}.${table.name} as stored (${list(names)})
select distinct on (${key}) ${list(names)}
from ${givenRows(table)}
where ${isWanted(schema)}
order by ${givenOrder(table, hasVersions)}
on conflict (${key}) do update set ${changed.join(', ')}
where (${orderOf('excluded')}) > (${orderOf('stored')})`
}

/** Caches statements, because creating one for each message is slow. */
const statementsOf = memo((_table: SyncTable) => new Recent<string, string>(20))

function haveVersions({ key }: SyncTable, rows: readonly SyncRow[]): boolean {
  return new Set(rows.map((row) => JSON.stringify(key.map((name) => row[name])))).size < rows.length
}

async function* storeStatements(
  schema: string,
  { table, user_id, rows }: RowBatch,
): AsyncGenerator<{ text: string; values: string[]; count: number }> {
  try {
    for await (const part of partsOf(rows)) {
      if (part.length === 0) continue
      const hasVersions = haveVersions(table, part)
      const text = statementsOf(table).get(`${schema} ${hasVersions}`, () =>
        storeStatement(table, schema, hasVersions),
      )
      yield { text, values: [toJsonb(part), user_id], count: part.length }
    }
  } catch (error) {
    markConversionError(error)
    throw error
  }
}

/** Stores rows. The transaction must already hold the user's lock; see {@link lockKindFor}. */
export async function storeRows(
  tx: SqlTransaction,
  schema: string,
  batch: RowBatch,
): Promise<number> {
  let stored = 0
  for await (const { text, values, count } of storeStatements(schema, batch)) {
    await tx.query(text, values)
    stored += count
  }
  return stored
}

/** The first key of the advisory locks; the second is a hash of the schema's name and the user's id. */
const userLock = 1_214_606_445

type LockKind = 'shared' | 'exclusive'

/**
 * Returns `exclusive` if the rows need several statements. Each statement locks its rows in key order, but two
 * transactions with several statements each could deadlock.
 */
export function lockKindFor(rows: number): LockKind {
  return rows > mostRows ? 'exclusive' : 'shared'
}

/**
 * Returns a statement that locks the user `$1` until the transaction ends. Use `exclusive` to forget or disconnect the
 * user or to retry a message, and {@link lockKindFor} to store rows. For messages without a valid user id, `$1` is the
 * empty string.
 */
export function lockStatement(schema: string, kind: LockKind): string {
  const suffix = kind === 'shared' ? '_shared' : ''
  return `select pg_advisory_xact_lock${suffix}(${userLock}, hashtext('${schema}' || $1::text))`
}
