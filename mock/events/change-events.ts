import { keysOf } from '../../src/shared/narrow.ts'
import { isCritical } from '../living/labs/reference-ranges.ts'
import { type ChangeOf, isChangeOf } from '../state/collections/changes.ts'
import type { Change } from '../state/collections/collection.ts'
import { wireOrder } from '../state/collections/orders.ts'
import type { RecordPort } from '../state/ports.ts'
import type { HealthRow } from '../state/records/health-rows.ts'
import type { LabOrder } from '../state/records/orders.ts'
import { dataEventType } from './bodies.ts'
import {
  announcedResources,
  chunkRows,
  generatedResources,
  isSummary,
  resourceOfType,
  shareList,
  tableName,
} from './chunk.ts'
import type { ConnectionsEmission, Emission } from './emission.ts'
import type { EmissionPort } from './event-port.ts'

/** Returns the emissions for a change. Many changes, such as deletions, cause none (specification part 6). */
export function emissionsOf(change: Change, context: EmissionPort & RecordPort): Emission[] {
  if (isChangeOf(change, 'connections')) return newConnection(change, context)
  if (isChangeOf(change, 'orders')) return orderEmissions(change, context)
  if (isChangeOf(change, 'appointments')) return appointmentEmissions(change)
  if (!isChangeOf(change, 'data') || !change.after) return []
  return [rowEmission(change.after, change.action === 'create')]
}

function newConnection(
  { action, after }: ChangeOf<'connections'>,
  context: EmissionPort & RecordPort,
): Emission[] {
  if (action !== 'create' || !after) return []
  return [connectionsEmission(after.provider, [after.user_id], context)]
}

function orderEmissions(
  { action, before, after }: ChangeOf<'orders'>,
  context: EmissionPort & RecordPort,
): Emission[] {
  if (!after || (before && !isVisibleChange(before, after))) return []
  const { user_id } = after
  const event_type = `labtest.order.${action}d`
  const data = wireOrder(after, context)
  const changed = { kind: 'event' as const, body: { event_type, user_id, data } }
  return [changed, ...criticalEmissions(before, after, context)]
}

function appointmentEmissions({ action, after: data }: ChangeOf<'appointments'>): Emission[] {
  if (!data) return []
  // An appointment's initial status is also reported as a status change.
  const types = action === 'create' ? ['created', 'updated'] : ['updated']
  return types.map((type) => {
    const event_type = `labtest.appointment.${type}`
    return { kind: 'event', body: { event_type, user_id: data.user_id, data } }
  })
}

/** Returns a bulk import's connection events. Consecutive users share an emission if possible, to save memory. */
export function connectionEmissions(
  provider: string,
  user_ids: readonly string[],
  context: EmissionPort,
): Emission[] {
  const { data, living, settings } = context
  const hasRecords = settings.summaryEvents === 'record'
  const groups: string[][] = []
  let isShared = false
  for (const user_id of user_ids) {
    const isOwner = hasRecords || data.hasRows(user_id) || living.hasArrivals(user_id)
    // A user with their own data needs a separate emission, because the events differ from other users' events.
    if (isShared && !isOwner) groups.at(-1)?.push(user_id)
    else groups.push([user_id])
    isShared = !isOwner
  }
  return groups.map((group) => connectionsEmission(provider, group, context))
}

const none: readonly string[] = []
const noRows: Record<string, HealthRow[]> = {}

function connectionsEmission(
  provider: string,
  user_ids: readonly string[],
  context: EmissionPort,
): ConnectionsEmission {
  const { data, living, providers, settings } = context
  const [user_id = ''] = user_ids
  // A former living user has only the data that arrived over time.
  const generated =
    settings.generatedData && !living.hasArrivals(user_id)
      ? generatedResources(providers.get(provider), context)
      : none
  const added = user_ids.length === 1 ? data.list({ user_id }) : []
  const replaced = new Set(added.map(({ resource }) => resource))
  const resources = shareList(generated.filter((resource) => !replaced.has(tableName(resource))))
  const rows = added.length === 0 ? noRows : groupRows(provider, added)
  const withData = [...resources, ...Object.keys(rows)]
  const announced = announcedResources(providers.get(provider), context)
  const empty = shareList(announced.filter((resource) => !withData.includes(resource)))
  const isNotice = settings.historicalEvents === 'notice'
  const emission = { kind: 'connections' as const, provider, user_ids, resources, rows, empty }
  if (settings.summaryEvents !== 'record') return { ...emission, isNotice }
  return { ...emission, isNotice, chunks: recordCounts() }

  /** Returns the number of chunks for each summary resource: one per record. */
  function recordCounts(): Record<string, number> {
    const chunksOf = withData.filter(isSummary).map((resource) => {
      const chunk = { user_id, provider, resource, ...(rows[resource] && { rows: rows[resource] }) }
      return [resource, chunkRows(chunk, context).rows.length]
    })
    return Object.fromEntries(chunksOf)
  }
}

function groupRows(provider: string, added: readonly HealthRow[]): Record<string, HealthRow[]> {
  const own = added.filter(({ values }) => values['source_provider'] === provider)
  return Object.fromEntries(Map.groupBy(own, ({ resource }) => resourceOfType(resource)))
}

function rowEmission(row: HealthRow, isNew: boolean): Emission {
  const resource = resourceOfType(row.resource)
  const { user_id, values } = row
  const provider = String(values['source_provider'] ?? 'manual')
  const event_type = dataEventType('daily', resource, isNew ? 'created' : 'updated')
  return { kind: 'rows', event_type, chunk: { user_id, resource, provider, rows: [row] } }
}

function criticalEmissions(
  before: LabOrder | undefined,
  order: LabOrder,
  context: RecordPort,
): Emission[] {
  const known = before?.results?.filter(isCritical) ?? []
  const results = (wireOrder(order, context).results ?? []).filter(isCritical)
  if (!before || results.length <= known.length) return []
  const { id: order_id, user_id } = order
  const data = { order_id, user_id, results }
  return [{ kind: 'event', body: { event_type: 'labtest.result.critical', user_id, data } }]
}

/** The fields that clients do not receive, and `updated_at`, which every change sets. */
const invisibleFields = /^(?:appointment_id|patient_\w+|updated_at)$/

/** Returns whether a change is visible to clients, apart from a new `updated_at`. */
function isVisibleChange(before: LabOrder, after: LabOrder): boolean {
  return keysOf(after).some(
    (field) =>
      !invisibleFields.test(field) &&
      JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
}
