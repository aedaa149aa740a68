import type { ServiceEvent } from '../contract/events.ts'
import { familyOf } from '../contract/values/event-types.ts'
import { isSampledResource } from '../contract/values/samples.ts'
import { itemsOf, recordsOf } from '../events/parse.ts'
import { isObject, ownValue } from '../shared/narrow.ts'
import {
  type Origin,
  providerOf,
  type ServiceRecord,
  type SyncRow,
  syncRowOf,
  tablesByResource,
} from './rows.ts'
import { type SyncTable, syncTables } from './schema/tables.ts'
import { isUuid } from './values.ts'

/** An event type or field that is unknown to this version of the package. */
export interface EventFinding {
  /** What is unknown: an event type or a record's field. */
  kind: 'event_type' | 'field'
  /** The field's resource; empty for an event type. */
  resource: string
  /** The name of the event type or field. */
  name: string
}

export interface EventRows {
  table: SyncTable
  /** The rows, generated lazily, because a large event has many. An item without a row yields `undefined`. */
  rows: Iterable<SyncRow | undefined>
  /** The number of items in the event. If there are fewer rows than items, the event is also stored as JSON. */
  items: number
  /**
   * Returns whether the rows read so far include samples with the same time and source, of which only one is stored. If
   * so, the event is also stored as JSON.
   */
  hasRepeats?: (() => boolean) | undefined
  findings: Iterable<EventFinding>
  /** Why the event has no rows. */
  unknown?: 'type' | 'user' | undefined
  /** The provider's slug, if the event reports a new connection. */
  connected?: string | undefined
}

export interface Message {
  id: string
  event: ServiceEvent
  /** When the message was sent, in ISO 8601. */
  sentAt: string
}

const nothing = { table: syncTables.others, rows: [], items: 1, findings: [] }

/** Returns an event's rows. Never throws, regardless of the event's content. */
export function rowsOfMessage({ id, event, sentAt }: Message): EventRows {
  const { event_type: type, user_id } = event
  const family = familyOf(type)
  if (!family) {
    const finding = { kind: 'event_type', resource: '', name: type } as const
    return { ...nothing, findings: [finding], unknown: 'type' }
  }
  if (!isUuid(user_id)) return { ...nothing, unknown: 'user' }
  const origin = { user_id: user_id.toLowerCase(), rank: rankOf(type), sentAt }
  const content: ServiceRecord = isObject(event.data) ? event.data : {}
  if (family === 'data') return dataRows(event, content, origin)
  return otherRows(type, content, { ...origin, resource: '', source: content['provider'] }, id)
}

function rankOf(type: string): 0 | 1 {
  return type.endsWith('.updated') || type.endsWith('.error') ? 1 : 0
}

function dataRows(
  event: ServiceEvent,
  content: ServiceRecord,
  origin: Omit<Origin, 'resource' | 'source'>,
): EventRows {
  const [, , resource = ''] = event.event_type.split('.')
  const table = tableOf(resource)
  const records = recordsOf(event)
  const repeats = table === syncTables.samples ? findRepeats() : () => false
  let hasRepeats = false
  function* rows(): Generator<SyncRow | undefined> {
    for (const record of records) {
      const source = record['source'] ?? content['source']
      const row = syncRowOf(table, record, { ...origin, resource, source })
      hasRepeats ||= row !== undefined && repeats(row)
      yield row
    }
  }
  const findings = unknownFields(table, resource, records)
  // An event about historical data may have no list.
  return { table, rows: rows(), items: countItems(content), hasRepeats: () => hasRepeats, findings }
}

/** Returns a function that returns whether an earlier sample had the same key. */
function findRepeats(): (sample: SyncRow) => boolean {
  // Group times by source, so each source's long key is stored only once.
  const timesBySource = new Map<string, Set<unknown>>()
  const names = syncTables.samples.key.filter((name) => name !== 'timestamp')
  return (sample) => {
    const source = names.map((name) => sample[name]).join('\n')
    const times = timesBySource.get(source) ?? new Set()
    timesBySource.set(source, times)
    return times.size === times.add(sample['timestamp']).size
  }
}

/** Removes the providers' records but keeps the event's envelope. `isEmpty` means that no record remains. */
export function withoutProviders(
  event: ServiceEvent,
  providers: readonly string[],
): { event: ServiceEvent; isEmpty: boolean } {
  const content: ServiceRecord = isObject(event.data) ? event.data : {}
  // Use the first source that names a provider.
  const isRemoved = (...sources: unknown[]) =>
    providers.includes(sources.map(providerOf).find((provider) => provider !== '') ?? '')
  const items = Object.hasOwn(content, 'data') ? itemsOf(content['data']) : []
  if (items.length === 0) {
    // A connection event contains no health data.
    const isGone =
      !event.event_type.startsWith('provider.connection.') &&
      isRemoved(content['source'], content['provider'])
    return { event: isGone ? { ...event, data: {} } : event, isEmpty: isGone }
  }
  const kept = items.filter((item) => {
    const own = isObject(item) ? item['source'] : undefined
    return !isRemoved(own, content['source'], content['provider'])
  })
  if (kept.length === items.length) return { event, isEmpty: false }
  return { event: { ...event, data: { ...content, data: kept } }, isEmpty: kept.length === 0 }
}

function countItems(content: ServiceRecord): number {
  return Object.hasOwn(content, 'data') ? itemsOf(content['data']).length : 1
}

function tableOf(resource: string): SyncTable {
  const table = ownValue(tablesByResource, resource)
  if (table) return table
  return isSampledResource(resource) ? syncTables.samples : syncTables.others
}

const common = ['id', 'user_id', 'source', 'created_at', 'updated_at', 'calendar_date', 'resource']

function* unknownFields(
  table: SyncTable,
  resource: string,
  records: readonly ServiceRecord[],
): Generator<EventFinding> {
  if (table === syncTables.others) return
  const known = new Set([...common, ...table.known, ...table.columns.map(({ path }) => path[0])])
  for (const record of records) {
    for (const name of Object.keys(record)) {
      if (known.has(name)) continue
      known.add(name)
      yield { kind: 'field', resource, name }
    }
  }
}

function otherRows(type: string, content: ServiceRecord, origin: Origin, id: string): EventRows {
  const [, subject] = type.split('.')
  const one = (table: SyncTable, record: ServiceRecord, row = syncRowOf(table, record, origin)) => {
    const findings = unknownFields(table, subject ?? '', [record])
    return { table, rows: [row], items: 1, findings }
  }
  if (subject === 'order') return one(syncTables.orders, content)
  if (subject === 'appointment') return one(syncTables.appointments, content)
  if (subject === 'device') return one(syncTables.devices, content)
  if (subject === 'result') {
    const row = syncRowOf(syncTables.critical_results, { ...content, id }, origin)
    return one(syncTables.critical_results, content, row && { ...row, record: content })
  }
  return connectionRows(type, content, origin)
}

function connectionRows(type: string, content: ServiceRecord, origin: Origin): EventRows {
  const isConnected = type.endsWith('.created')
  const provider = content['provider'] ?? content['source']
  const row = syncRowOf(syncTables.connections, content, { ...origin, source: provider })
  const slug = row?.['source_provider']
  if (!row || slug === '') return nothing
  const status = isConnected ? 'connected' : 'error'
  return {
    ...{ table: syncTables.connections, items: 1, findings: [] },
    // Connection events do not say when the connection changed, so use the message's time.
    rows: [{ ...row, status, changed_at: origin.sentAt, sync_version: origin.sentAt }],
    connected: isConnected ? String(slug) : undefined,
  }
}
