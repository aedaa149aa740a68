import { uuidPattern } from '../../shared/narrow.ts'
import type { Database, SqlTransaction } from '../../stores/database.ts'
import type { SyncSettings } from '../settings.ts'
import { dayPattern, timePattern } from '../values.ts'
import { migrationsOf } from './migrations.ts'
import { fieldColumns } from './table-columns.ts'
import { listTables } from './tables.ts'
import { viewStatements } from './views.ts'

/** The first key of `migrate`'s advisory lock; the second is a hash of the schema's name. */
const migrationLock = 1_214_606_446

/** Creates or updates the tables and views. Sends only read-only statements if they are up to date. */
export async function migrate({ database, name, schema }: SyncSettings): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1::int, hashtext($2))', [migrationLock, schema])
    const before = await listColumns(tx, name)
    const isPresent = before.has('sync_migrations.checksum')
    const lacksViews = isPresent && (await lacksView(tx, name, schema))
    for (const { name, statements } of migrationsOf(schema)) {
      const text = statements.join(';\n')
      const done = isPresent ? await readDone(tx, schema, { name, text }) : 'never'
      const isRepeated = name.startsWith('R') && (done === 'other' || lacksViews)
      if (done !== 'never' && !isRepeated) continue
      for (const statement of statements) await tx.query(statement)
      await tx.query(
        `insert into ${schema}.sync_migrations (name, checksum) values ($1::text, md5($2::text))
on conflict (name) do update set ran_at = now(), checksum = excluded.checksum`,
        [name, text],
      )
    }
    if (isPresent) await fillAdded(tx, schema, before)
  })
}

async function readDone(
  tx: SqlTransaction,
  schema: string,
  { name, text }: { name: string; text: string },
): Promise<'same' | 'other' | 'never'> {
  const { rows } = await tx.query(
    `select coalesce(checksum = md5($2::text), false) as same from ${schema}.sync_migrations where name = $1::text`,
    [name, text],
  )
  if (!rows[0]) return 'never'
  return rows[0]['same'] === true ? 'same' : 'other'
}

/** Returns whether a view is missing, for example because its table was dropped and recreated. */
async function lacksView(tx: SqlTransaction, name: string, schema: string): Promise<boolean> {
  const names = viewStatements(schema).flatMap(
    (text) => /^create .*\.(\w+) as$/m.exec(text)?.[1] ?? [],
  )
  const { rows } = await tx.query(
    `select count(*)::int as count from pg_views where schemaname = $1::text and viewname in ('${names.join("', '")}')`,
    [name],
  )
  return Number(rows[0]?.['count']) < names.length
}

async function listColumns(tx: Pick<Database, 'query'>, name: string): Promise<Set<string>> {
  const { rows } = await tx.query(
    `select table_name || '.' || column_name as name from information_schema.columns where table_schema = $1::text`,
    [name],
  )
  return new Set(rows.map((row) => String(row['name'])))
}

/** Fills columns that were added to existing tables, using the stored records. */
async function fillAdded(
  tx: SqlTransaction,
  schema: string,
  before: ReadonlySet<string>,
): Promise<void> {
  const added = listTables().flatMap((table) =>
    fieldColumns(table).flatMap((column, index) => {
      const isAdded =
        before.has(`${table.name}.${table.key[0]}`) && !before.has(`${table.name}.${column.name}`)
      return isAdded ? [{ table, column, path: table.columns[index]?.path ?? [] }] : []
    }),
  )
  if (added.length === 0) return
  // A time without an offset is treated as UTC.
  await tx.query(`set local timezone to 'UTC'`)
  // With this setting, the backslashes in the patterns are ordinary characters.
  await tx.query('set local standard_conforming_strings to on')
  for (const type of ['date', 'timestamptz']) await tx.query(castFunction(type))
  for (const { table, column, path } of added) {
    const target = { type: column.type, path: `{${path.join(',')}}` }
    await tx.query(fillStatement(`${schema}.${table.name}`, `"${column.name}"`, target))
  }
}

/** Returns SQL for a cast function that returns null for an invalid day or time. */
function castFunction(type: string): string {
  return `create or replace function pg_temp.to_${type}(given text) returns ${type} language plpgsql as $$
begin
  return given::${type};
exception when data_exception then
  return null;
end
$$`
}

const jsonTypes: Readonly<Record<string, string>> = {
  'double precision': 'number',
  boolean: 'boolean',
  text: 'string',
  uuid: 'string',
  timestamptz: 'string',
  date: 'string',
}

const forms: Readonly<Record<string, RegExp>> = {
  date: dayPattern,
  timestamptz: timePattern,
  uuid: uuidPattern,
}

/** Returns SQL that fills a column by the same rules as {@link toColumn}. */
function fillStatement(
  table: string,
  column: string,
  { type, path }: { type: string; path: string },
): string {
  const value = `record #> '${path}'`
  if (type === 'jsonb') return `update ${table} set ${column} = ${value} where ${value} is not null`
  const text = `record #>> '${path}'`
  const isTime = type === 'date' || type === 'timestamptz'
  const form = forms[type]
  return `update ${table} set ${column} = ${isTime ? `pg_temp.to_${type}(${text})` : `(${text})::${type}`}
where jsonb_typeof(${value}) = '${jsonTypes[type]}'${form ? ` and ${text} ~* '${form.source}'` : ''}`
}
