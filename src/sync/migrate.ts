import type { Database, SqlTransaction } from '../stores/database.ts'
import { migrationsOf } from './migrations.ts'
import type { SyncSettings } from './settings.ts'
import { fieldColumns } from './table-columns.ts'
import { listTables } from './tables.ts'

/** The first key of the advisory lock of `migrate`; the second one is the hash of the schema. */
const migrationLock = 1_214_606_446

/** Creates the tables, or adds what they lack. */
export async function migrate({ database, name, schema }: SyncSettings): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1::int, hashtext($2))', [migrationLock, schema])
    const done = await listDone(tx, schema, name)
    const before = await listColumns(tx, name)
    const isPresent = before.size > 0
    for (const migration of migrationsOf(schema)) {
      if (done.has(migration.name) && migration.name.startsWith('V')) continue
      for (const statement of migration.statements) await tx.query(statement)
      await tx.query(
        `insert into ${schema}.sync_migrations (name) values ($1::text) on conflict (name) do update set ran_at = now()`,
        [migration.name],
      )
    }
    if (isPresent) await fillAdded(tx, schema, before)
  })
}

async function listDone(tx: SqlTransaction, schema: string, name: string): Promise<Set<string>> {
  const { rows } = await tx.query(
    `select table_name from information_schema.tables where table_schema = $1::text and table_name = 'sync_migrations'`,
    [name],
  )
  if (rows.length === 0) return new Set()
  const found = await tx.query(`select name from ${schema}.sync_migrations`)
  return new Set(found.rows.map((row) => String(row['name'])))
}

/** Returns the columns that exist, as `table.column`. */
async function listColumns(tx: Pick<Database, 'query'>, name: string): Promise<Set<string>> {
  const { rows } = await tx.query(
    `select table_name || '.' || column_name as name from information_schema.columns where table_schema = $1::text`,
    [name],
  )
  return new Set(rows.map((row) => String(row['name'])))
}

/** Fills the columns that were added to tables with rows: the records have their values. */
async function fillAdded(
  tx: SqlTransaction,
  schema: string,
  before: ReadonlySet<string>,
): Promise<void> {
  for (const table of listTables()) {
    for (const [index, { name, type }] of fieldColumns(table).entries()) {
      if (!before.has(`${table.name}.${table.key[0]}`) || before.has(`${table.name}.${name}`))
        continue
      const path = table.columns[index]?.path.join(',') ?? ''
      await tx.query(
        fillStatement(`${schema}.${table.name}`, `"${name}"`, { type, path: `{${path}}` }),
      )
    }
  }
}

/** The types of values of JSON by the types of columns. */
const jsonTypes: Readonly<Record<string, string>> = {
  'double precision': 'number',
  boolean: 'boolean',
  text: 'string',
  uuid: 'string',
  timestamptz: 'string',
  date: 'string',
}

/** Returns the statement that fills a column from the records; times and days only in the form that the service sends. */
function fillStatement(
  table: string,
  column: string,
  { type, path }: { type: string; path: string },
): string {
  const value = `record #> '${path}'`
  if (type === 'jsonb') return `update ${table} set ${column} = ${value} where ${value} is not null`
  const form = type === 'date' ? '^\\d{4}-\\d\\d-\\d\\d$' : '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d'
  const isTime = type === 'date' || type === 'timestamptz'
  return `update ${table} set ${column} = (record #>> '${path}')::${type}
where jsonb_typeof(${value}) = '${jsonTypes[type]}'${isTime ? ` and record #>> '${path}' ~ '${form}'` : ''}`
}
