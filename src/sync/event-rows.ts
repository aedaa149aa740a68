import type { ServiceEvent } from '../contract/events.ts'
import { isObject } from '../contract/schema-tools/object.ts'
import { familyOf } from '../contract/values/event-types.ts'
import { isSampledResource } from '../contract/values/samples.ts'
import { recordsOf } from '../events/parse.ts'
import { ownValue } from '../shared/narrow.ts'
import {
  type Origin,
  type ServiceRecord,
  type SyncRow,
  syncRowOf,
  tablesByResource,
} from './rows.ts'
import { type SyncTable, syncTables } from './schema/tables.ts'
import { isUuid } from './values.ts'

/** An event type or field that this version of the package does not know. */
export interface EventFinding {
  /** What is unknown: an event type or a record's field. */
  kind: 'event_type' | 'field'
  /** The field's resource; empty for an event type. */
  resource: string
  /** The name of the event type or field. */
  name: string
}

/** The rows to store for an event. */
export interface EventRows {
  table: SyncTable
  rows: readonly SyncRow[]
  findings: readonly EventFinding[]
  /** Why the event is also stored as JSON. If undefined, its rows contain everything. */
  unknown?: 'type' | 'user' | 'content' | undefined
  /** The provider that the user has connected. */
  connected?: string | undefined
}

/** A message and its event. */
export interface Message {
  id: string
  event: ServiceEvent
  /** When the message was sent, in ISO 8601. */
  sentAt: string
}

const nothing = { table: syncTables.others, rows: [], findings: [] }

/** Returns the rows to store for a message. Never throws, whatever the event contains. */
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
  const rows = records.flatMap((record): SyncRow[] => {
    const source = record['source'] ?? content['source']
    const row = syncRowOf(table, record, { ...origin, resource, source })
    return row ? [row] : []
  })
  // An event about historical data may have no list.
  const isWhole =
    rows.length === records.length &&
    itemsOf(content) === records.length &&
    !(table === syncTables.samples && haveCommonKeys(rows))
  return {
    ...{ table, rows, findings: unknownFields(table, resource, records) },
    unknown: isWhole ? undefined : 'content',
  }
}

/** Whether only one of several samples would be stored, because they have the same time and source. */
function haveCommonKeys(rows: readonly SyncRow[]): boolean {
  const keys = rows.map((row) => syncTables.samples.key.map((name) => row[name]).join('\n'))
  return new Set(keys).size < keys.length
}

/** Returns the number of items, or 1 if the content has no list. */
function itemsOf(content: ServiceRecord): number {
  return Object.hasOwn(content, 'data') ? [content['data']].flat().length : 1
}

function tableOf(resource: string): SyncTable {
  const table = ownValue(tablesByResource, resource)
  if (table) return table
  return isSampledResource(resource) ? syncTables.samples : syncTables.others
}

/** The fields that every record may have. */
const common = ['id', 'user_id', 'source', 'created_at', 'updated_at', 'calendar_date', 'resource']

function unknownFields(
  table: SyncTable,
  resource: string,
  records: readonly ServiceRecord[],
): EventFinding[] {
  if (table === syncTables.others) return []
  const known = new Set([...common, ...table.known, ...table.columns.map(({ path }) => path[0])])
  const names = new Set(records.flatMap((record) => Object.keys(record)))
  return [...names]
    .filter((name) => !known.has(name))
    .map((name) => ({ kind: 'field', resource, name }))
}

function otherRows(type: string, content: ServiceRecord, origin: Origin, id: string): EventRows {
  const [, subject] = type.split('.')
  const one = (table: SyncTable, record: ServiceRecord, row = syncRowOf(table, record, origin)) => {
    const findings = unknownFields(table, subject ?? '', [record])
    const unknown = row ? undefined : ('content' as const)
    return { table, rows: row ? [row] : [], findings, unknown }
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
  if (!row || slug === '') return { ...nothing, unknown: 'content' }
  const status = isConnected ? 'connected' : 'error'
  return {
    ...{ table: syncTables.connections, findings: [] },
    // Connection events do not say when the connection changed, so use the time of the message.
    rows: [{ ...row, status, changed_at: origin.sentAt, sync_version: origin.sentAt }],
    connected: isConnected ? String(slug) : undefined,
  }
}
