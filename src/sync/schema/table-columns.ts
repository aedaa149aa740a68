import type { SqlType } from './columns.ts'
import { comments } from './comments.ts'
import type { SyncTable } from './tables.ts'

/** A column of a table as SQL describes it. */
export interface SqlColumn {
  readonly name: string
  readonly type: SqlType | 'smallint'
  /** What must be there; undefined for a column that may be null. */
  readonly rule?: string
  readonly comment: string
}

const notNull = 'not null'
const orEmpty = "not null default ''"

/** The columns of keys. */
const keyColumns: Readonly<Record<string, SqlColumn>> = {
  id: { name: 'id', type: 'text', rule: notNull, comment: 'The id of the record.' },
  user_id: { name: 'user_id', type: 'uuid', rule: notNull, comment: 'The user.' },
  resource: {
    ...{ name: 'resource', type: 'text', rule: notNull },
    comment: 'The resource in event types, such as heartrate (specification 2.7).',
  },
  timestamp: {
    ...{ name: 'timestamp', type: 'timestamptz', rule: notNull },
    comment: 'The time of the sample; of an interval its start.',
  },
}

/** Where the data comes from (specification 2.8). */
const sourceColumns: readonly SqlColumn[] = [
  {
    ...{ name: 'source_provider', type: 'text', rule: orEmpty },
    comment:
      'The slug of the provider, such as oura; empty if it is not known (specification 2.8).',
  },
  {
    ...{ name: 'source_type', type: 'text', rule: orEmpty },
    comment: 'The kind of source, such as ring; empty if it is not known (specification 2.8).',
  },
  {
    ...{ name: 'source_app_id', type: 'text', rule: orEmpty },
    comment: 'The app that recorded the data; empty if there is none (specification 2.8).',
  },
]

/** What decides which version of a record is the newest, in this order. */
export const versionColumns = ['sync_version', 'sync_rank', 'sync_sent_at'] as const

const syncColumns: readonly SqlColumn[] = [
  { name: 'record', type: 'jsonb', rule: notNull, comment: 'The whole record, as it was sent.' },
  {
    ...{ name: 'sync_version', type: 'timestamptz', rule: notNull },
    comment: 'The time at which the service changed the record; -infinity if the record has none.',
  },
  {
    ...{ name: 'sync_rank', type: 'smallint', rule: notNull },
    comment: '0 for a new record, 1 for a change or a record that was read from the service.',
  },
  {
    ...{ name: 'sync_sent_at', type: 'timestamptz', rule: notNull },
    comment: 'When the message was sent, or when the record was read from the service.',
  },
]

/** Returns the columns that a table has from the beginning. */
export function fixedColumns({ key }: SyncTable): SqlColumn[] {
  return [...key.flatMap((name) => keyColumns[name] ?? []), ...sourceColumns, ...syncColumns]
}

/** Returns the columns with fields of records, to which the contract may add. */
export function fieldColumns({ name: table, columns }: SyncTable): SqlColumn[] {
  return columns.map(({ name, type }) => ({ name, type, comment: commentOf(table, name) }))
}

/** Returns the names of all columns of a table. */
export function columnNames(table: SyncTable): string[] {
  return [...fixedColumns(table), ...fieldColumns(table)].map(({ name }) => name)
}

function commentOf(table: string, column: string): string {
  return comments[table]?.[column] ?? ''
}
