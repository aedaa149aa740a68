import { isObject } from '../contract/schema-tools/object.ts'
import { type SyncTable, syncTables } from './schema/tables.ts'
import { columnValueAt, toColumn, toTime } from './values.ts'

/** A record from the service. */
export type ServiceRecord = Readonly<Record<string, unknown>>

/** Where a record came from. */
export interface Origin {
  user_id: string
  /** The resource, for tables whose key contains it. */
  resource: string
  /** Where the data comes from: a source, a provider or its slug. */
  source: unknown
  /** 0 for a new record, 1 for a change or a record that was read from the service. */
  rank: 0 | 1
  /** When the record was sent or read, in ISO 8601. */
  sentAt: string
}

/** A row, keyed by column name. */
export type SyncRow = Readonly<Record<string, unknown>>

/** The maximum length of a key in bytes: several keys must fit into one index row. */
const longestKey = 500
const encoder = new TextEncoder()

/** Returns the beginning of a string that fits into an index. */
function shorten(text: string): string {
  // A character unit has at most 3 bytes.
  if (text.length * 3 <= longestKey) return text
  return text.slice(0, encoder.encodeInto(text, new Uint8Array(longestKey)).read)
}

function isShort(text: string): boolean {
  return shorten(text).length === text.length
}

/** Returns a record's row; undefined if the record lacks the fields that identify it. */
export function syncRowOf(
  table: SyncTable,
  record: ServiceRecord,
  origin: Origin,
): SyncRow | undefined {
  const { user_id, resource, rank, sentAt } = origin
  const row: Record<string, unknown> = {
    ...{ id: record['id'], user_id, resource, timestamp: toTime(record['timestamp']) },
    ...sourceOf(origin.source),
    record,
    ...{ sync_version: versionOf(record), sync_rank: rank, sync_sent_at: sentAt },
  }
  if (!table.key.every((name) => isKey(row[name]))) return undefined
  for (const { name, type, path } of table.columns) {
    const value = toColumn(columnValueAt(record, path), type)
    if (value !== undefined && fits(table, name, value)) row[name] = value
  }
  return row
}

function fits({ indexes }: SyncTable, name: string, value: unknown): boolean {
  return typeof value !== 'string' || isShort(value) || !indexes.flat().includes(name)
}

function isKey(value: unknown): boolean {
  return typeof value === 'string' && isShort(value)
}

/** Returns a source's columns, from its current fields or the deprecated one. A provider may be just a slug. */
function sourceOf(given: unknown) {
  const source = isObject(given) ? given : { provider: given }
  return {
    source_provider: short(source['provider']) || short(source['slug']),
    source_type: short(source['type']),
    source_app_id: short(source['app_id']),
  }
}

function short(value: unknown): string {
  return typeof value === 'string' ? shorten(value) : ''
}

/** Returns the service's time of a version: that of its latest change or step. */
function versionOf(record: ServiceRecord): string {
  const { events } = record
  const steps = Array.isArray(events) ? events.map((step) => Object(step)['created_at']) : []
  const known = [record['updated_at'], record['last_sync_at'], ...steps]
  const latest = known
    .flatMap((time) => toTime(time)?.replace(/(\.\d+)?Z$/, padFraction) ?? [])
    .toSorted()
    .at(-1)
  return latest ?? '-infinity'
}

/** Fractions of a second that have the same length sort correctly as strings. */
function padFraction(_: string, fraction = '.'): string {
  return `${fraction.padEnd(7, '0')}Z`
}

/** The tables of summaries, sleep cycles and lab records by the resource in event types. */
export const tablesByResource: Readonly<Record<string, SyncTable>> = {
  sleep: syncTables.sleep,
  activity: syncTables.activity,
  workouts: syncTables.workouts,
  body: syncTables.body,
  profile: syncTables.profile,
  meal: syncTables.meals,
  sleep_cycle: syncTables.sleep_cycles,
}
