import type { SqlType } from './columns.ts'
import { comments } from './comments.ts'
import type { SyncTable } from './tables.ts'

export interface ColumnDefinition {
  readonly name: string
  readonly type: SqlType | 'smallint'
  /** The column constraint. If undefined, the column may be null. */
  readonly rule?: string
  readonly comment: string
}

const notNull = 'not null'
const orEmpty = "not null default ''"

const keyColumns: Readonly<Record<string, ColumnDefinition>> = {
  id: { name: 'id', type: 'text', rule: notNull, comment: "The record's id." },
  user_id: { name: 'user_id', type: 'uuid', rule: notNull, comment: "The user's id." },
  resource: {
    ...{ name: 'resource', type: 'text', rule: notNull },
    comment: 'The resource in event types, such as heartrate (specification 2.7).',
  },
  timestamp: {
    ...{ name: 'timestamp', type: 'timestamptz', rule: notNull },
    comment: 'The time of the sample, or the start of its interval.',
  },
}

/** The columns that describe the data's source (specification 2.8). */
const sourceColumns: readonly ColumnDefinition[] = [
  {
    ...{ name: 'source_provider', type: 'text', rule: orEmpty },
    comment: "The provider's slug, such as oura; empty if unknown (specification 2.8).",
  },
  {
    ...{ name: 'source_type', type: 'text', rule: orEmpty },
    comment: 'The type of source, such as ring; empty if unknown (specification 2.8).',
  },
  {
    ...{ name: 'source_app_id', type: 'text', rule: orEmpty },
    comment:
      'The id of the app that recorded the data; empty if there is none (specification 2.8).',
  },
]

/** The columns that determine the newest version of a record, in this order. */
export const versionColumns = ['sync_version', 'sync_rank', 'sync_sent_at'] as const

const syncColumns: readonly ColumnDefinition[] = [
  { name: 'record', type: 'jsonb', rule: notNull, comment: 'The whole record, as sent.' },
  {
    ...{ name: 'sync_version', type: 'timestamptz', rule: notNull },
    comment: 'When the service last changed the record; -infinity if the record does not say.',
  },
  {
    ...{ name: 'sync_rank', type: 'smallint', rule: notNull },
    comment:
      'Twice the number of steps in the record, plus 1 for a change or a record that was read from the service.',
  },
  {
    ...{ name: 'sync_sent_at', type: 'timestamptz', rule: notNull },
    comment: 'When the message was sent, or when the record was read from the service.',
  },
]

export function fixedColumns({ key }: SyncTable): ColumnDefinition[] {
  return [...key.flatMap((name) => keyColumns[name] ?? []), ...sourceColumns, ...syncColumns]
}

/** Returns the columns for the contract's fields. Later versions of the contract may add columns. */
export function fieldColumns({ name: table, columns }: SyncTable): ColumnDefinition[] {
  return columns.map(({ name, type }) => ({ name, type, comment: commentOf(table, name) }))
}

export function columnNames(table: SyncTable): string[] {
  return [...fixedColumns(table), ...fieldColumns(table)].map(({ name }) => name)
}

function commentOf(table: string, column: string): string {
  return comments[table]?.[column] ?? ''
}
