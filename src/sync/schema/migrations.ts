import { type ColumnDefinition, fieldColumns, fixedColumns } from './table-columns.ts'
import { listTables, type SyncTable } from './tables.ts'
import { viewStatements } from './views.ts'

/** An SQL file for a migration tool. */
export interface SyncMigration {
  /**
   * The file name, in Flyway's format. `V` files run once, in numeric order. `R` files are repeatable: run them again
   * if a package update changes their content.
   */
  name: string
  /** The statements, each ending with a semicolon. */
  sql: string
}

/** The statements for the tables that do not contain records. Do not change published statements. */
const stateTables = [
  `create table $schema.sync_migrations (
  name text primary key,
  ran_at timestamptz not null default now(),
  checksum text
)`,
  `comment on table $schema.sync_migrations is 'The migrations that ran.'`,
  `create table $schema.unknown_events (
  message_id text primary key,
  event_type text not null,
  user_id text,
  reason text not null,
  event text not null,
  sent_at timestamptz not null
)`,
  `comment on table $schema.unknown_events is 'Events, as JSON, that the other tables contain only in part or not at all.'`,
  'create index unknown_events_user_id on $schema.unknown_events (user_id)',
  `create table $schema.findings (
  kind text not null,
  resource text not null,
  name text not null,
  found_at timestamptz not null default now(),
  primary key (kind, resource, name)
)`,
  `comment on table $schema.findings is 'Event types and fields that were unknown to the package when they arrived.'`,
  `create table $schema.failed_messages (
  message_id text primary key,
  attempts integer not null,
  is_parked boolean not null,
  error text not null,
  user_id text,
  event text not null,
  sent_at timestamptz not null,
  failed_at timestamptz not null default now()
)`,
  `comment on table $schema.failed_messages is 'Messages that could not be stored; sync.retry() stores the parked ones.'`,
  'create index failed_messages_user_id on $schema.failed_messages (user_id)',
  `create table $schema.forgotten (
  user_hash text primary key,
  forgotten_at timestamptz not null default now()
)`,
  `comment on table $schema.forgotten is 'The SHA-256 hashes of the ids of users whose data was deleted and is no longer stored.'`,
  `create table $schema.disconnections (
  user_id uuid not null,
  source_provider text not null,
  disconnected_at timestamptz not null,
  primary key (user_id, source_provider)
)`,
  `comment on table $schema.disconnections is 'Removed connections. Their data is not stored until the user connects again.'`,
  `create table $schema.backfills (
  id text not null,
  user_id uuid not null,
  resource text not null,
  done_until date,
  primary key (id, user_id, resource)
)`,
  `comment on table $schema.backfills is 'The positions of backfills. done_until is null when a resource without days is complete.'`,
  `create table $schema.source_priorities (
  provider text primary key,
  rank integer not null
)`,
  `comment on table $schema.source_priorities is 'Your ranking of providers, for the views best_sleep, best_activity and best_body.'`,
]

export function migrationsOf(schema: string): { name: string; statements: string[] }[] {
  const withSchema = (statements: readonly string[]) =>
    statements.map((statement) => statement.replaceAll('$schema', schema))
  const tables = listTables().flatMap((table) => createTable(table, schema))
  const name = 'V0001__tables.sql'
  // Record that the file ran, so `migrate` skips it if your own tool ran it.
  const done = `insert into ${schema}.sync_migrations (name) values ('${name}')`
  return [
    { name, statements: [...withSchema(stateTables), ...tables, done] },
    {
      name: 'R__columns.sql',
      statements: listTables().flatMap((each) => addColumns(each, schema)),
    },
    { name: 'R__views.sql', statements: viewStatements(schema) },
  ]
}

/** @param store The message store's SQL, which runs first. */
export function migrationFiles(schema: string, store: string): SyncMigration[] {
  const files = migrationsOf(schema).map(({ name, statements }) => ({
    name,
    sql: statements.map((statement) => `${statement};\n`).join(''),
  }))
  return [{ name: 'V0000__messages.sql', sql: store }, ...files]
}

function createTable(table: SyncTable, schema: string): string[] {
  const name = `${schema}.${table.name}`
  const columns = fixedColumns(table).map(define)
  return [
    `create table ${name} (\n${columns.join(',\n')},\n  primary key (${list(table.key)})\n)`,
    `comment on table ${name} is ${text(table.about)}`,
    ...fixedColumns(table).map((column) => describe(name, column)),
  ]
}

function addColumns(table: SyncTable, schema: string): string[] {
  const name = `${schema}.${table.name}`
  const columns = fieldColumns(table)
  const added = columns.map((column) => `  add column if not exists ${define(column).trim()}`)
  return [
    `alter table ${name}\n${added.join(',\n')}`,
    ...columns.map((column) => describe(name, column)),
    ...table.indexes.map(
      (names) =>
        `create index if not exists ${table.name}_${names.join('_')} on ${name} (${list(names)})`,
    ),
  ]
}

function define({ name, type, rule = '' }: ColumnDefinition): string {
  return `  "${name}" ${type} ${rule}`.trimEnd()
}

function describe(table: string, { name, comment }: ColumnDefinition): string {
  return `comment on column ${table}."${name}" is ${text(comment)}`
}

export function list(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}

export function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}
