import { isObject } from '../shared/narrow.ts'
import { type SyncTable, syncTables } from './schema/tables.ts'
import { columnValueAt, toColumn, toTime } from './values.ts'

export type ServiceRecord = Readonly<Record<string, unknown>>

export interface Origin {
  user_id: string
  /** The resource, for tables whose key contains it. */
  resource: string
  /** The source of the data: a source object, a provider object, or a slug. */
  source: unknown
  /** 0 for a new record, 1 for a change or a record that was read from the service. */
  rank: 0 | 1
  /** When the record was sent or read, in ISO 8601. */
  sentAt: string
}

export type SyncRow = Readonly<Record<string, unknown>>

/** The maximum length of a key column's value, in bytes. Several such values must fit into one index row. */
const longestKey = 500
const encoder = new TextEncoder()

function shorten(text: string): string {
  // A UTF-16 code unit takes at most 3 bytes in UTF-8.
  if (text.length * 3 <= longestKey) return text
  return text.slice(0, encoder.encodeInto(text, new Uint8Array(longestKey)).read)
}

function isShort(text: string): boolean {
  return shorten(text).length === text.length
}

/** Converts a record to a row. Returns undefined if the record has no valid key. */
export function syncRowOf(
  table: SyncTable,
  record: ServiceRecord,
  origin: Origin,
): SyncRow | undefined {
  const { user_id, resource, rank, sentAt } = origin
  const steps = stepsOf(table, record)
  const row: Record<string, unknown> = {
    ...{ id: record['id'], user_id, resource, timestamp: toTime(record['timestamp']) },
    ...sourceOf(origin.source),
    record,
    ...{ sync_version: versionOf(record, steps), sync_rank: steps.length * 2 + rank },
    sync_sent_at: sentAt,
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

/** Returns a source's provider, from the current field or the deprecated `slug`. A source may itself be a slug. */
export function providerOf(source: unknown): string {
  return isObject(source) ? short(source['provider']) || short(source['slug']) : short(source)
}

function sourceOf(given: unknown) {
  const source: ServiceRecord = isObject(given) ? given : {}
  return {
    source_provider: providerOf(given),
    source_type: short(source['type']),
    source_app_id: short(source['app_id']),
  }
}

function short(value: unknown): string {
  return typeof value === 'string' ? shorten(value) : ''
}

const tablesWithSteps: ReadonlySet<SyncTable> = new Set([
  syncTables.orders,
  syncTables.appointments,
])

/**
 * The maximum number of steps that versions and ranks include. A rank is at most twice this number plus one, and is
 * stored in two bytes.
 */
const mostSteps = 10_000

function stepsOf(table: SyncTable, { events }: ServiceRecord): unknown[] {
  return tablesWithSteps.has(table) && Array.isArray(events) ? events.slice(-mostSteps) : []
}

/** Returns when the service last changed a record or added a step to it, or `-infinity` if the record does not say. */
function versionOf(record: ServiceRecord, steps: readonly unknown[]): string {
  let latest = '-infinity'
  const times = steps.map((step) => Object(step)['created_at'])
  for (const time of [record['updated_at'], record['last_sync_at'], ...times]) {
    const version = toTime(time)?.replace(/(\.\d+)?Z$/, padFraction)
    // The string '-infinity' sorts before all times.
    if (version !== undefined && version > latest) latest = version
  }
  return latest
}

/**
 * Pads the fraction of a second, because times sort correctly as strings only if their fractions have the same length.
 */
function padFraction(_: string, fraction = '.'): string {
  return `${fraction.padEnd(7, '0')}Z`
}

/** The tables of summaries and sleep cycles, keyed by the resource in event types. */
export const tablesByResource: Readonly<Record<string, SyncTable>> = {
  sleep: syncTables.sleep,
  activity: syncTables.activity,
  workouts: syncTables.workouts,
  body: syncTables.body,
  profile: syncTables.profile,
  meal: syncTables.meals,
  sleep_cycle: syncTables.sleep_cycles,
}
