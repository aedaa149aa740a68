import type { Appointment } from '../../src/contract/appointments.ts'
import { isCritical } from '../life/labs/critical-limits.ts'
import type { Change } from '../state/collection.ts'
import type { CollectionName } from '../state/collection-names.ts'
import type { Settings } from '../state/defaults.ts'
import type { HealthRow } from '../state/records/health/health-rows.ts'
import type { Connection } from '../state/records/link.ts'
import { type LabOrder, type WireOrderContext, wireOrder } from '../state/records/orders.ts'
import { dataEventType } from './bodies.ts'
import {
  announcedResources,
  chunkRows,
  type EventContext,
  generatedResources,
  isSummary,
  resourceOfType,
  shareList,
  tableName,
} from './chunk.ts'
import type { ConnectionsEmission, Emission } from './emission.ts'

/** The state from which the events of connections are created. */
interface ConnectionsContext extends EventContext {
  settings: EventContext['settings'] &
    Pick<Settings, 'deprecatedFields' | 'generatedData' | 'historicalEvents'>
  data: EventContext['data'] & {
    list(where?: Partial<HealthRow>): HealthRow[]
    hasRows(userId: string): boolean
  }
}

type ChangeContext = ConnectionsContext & WireOrderContext

/** The events of a change, by collection (specification part 6); changes of other collections have none. */
const emissions: Partial<
  Record<CollectionName, (change: Required<Change>, context: ChangeContext) => Emission[]>
> = {
  connections: ({ action, after }, context) => {
    const { user_id, provider } = after as Connection
    return action === 'create' ? [connectionsEmission(provider, [user_id], context)] : []
  },
  data: ({ action, after }) => [rowEmission(after as HealthRow, action === 'create')],
  orders: ({ action, before, after }, context) => {
    const order = after as LabOrder
    if (action === 'update' && !isVisibleChange(before as LabOrder, order)) return []
    const { user_id } = order
    const event_type = `labtest.order.${action}d`
    const data = wireOrder(order, context)
    const changed = { kind: 'event' as const, body: { event_type, user_id, data } }
    return [changed, ...criticalEmissions(before, order, context)]
  },
  appointments: ({ action, after }) => {
    const data = after as Appointment
    // The first status of an appointment is a change of its status too.
    const types = action === 'create' ? ['created', 'updated'] : ['updated']
    return types.map((type) => {
      const event_type = `labtest.appointment.${type}`
      return { kind: 'event', body: { event_type, user_id: data.user_id, data } }
    })
  },
}

/** Returns the events of a change. */
export function emissionsOf(change: Change, context: ChangeContext): Emission[] {
  if (change.action === 'delete') return []
  // Creations have no `before`, and their functions do not read it.
  return emissions[change.collection]?.(change as Required<Change>, context) ?? []
}

/** Returns the events of an import: as few emissions as possible, so that a hundred thousand users need little memory. */
export function connectionEmissions(
  provider: string,
  user_ids: readonly string[],
  context: ConnectionsContext,
): Emission[] {
  const hasRecords = context.settings.summaryEvents === 'record'
  const groups: string[][] = []
  let isShared = false
  for (const user_id of user_ids) {
    const isOwner = hasRecords || context.data.hasRows(user_id)
    // Users with added rows have events of their own.
    if (isShared && !isOwner) groups.at(-1)?.push(user_id)
    else groups.push([user_id])
    isShared = !isOwner
  }
  return groups.map((group) => connectionsEmission(provider, group, context))
}

const none: readonly string[] = []
const noRows: Record<string, HealthRow[]> = {}

/** Returns the events of users who were connected: a historical pull of their generated or added data. */
function connectionsEmission(
  provider: string,
  user_ids: readonly string[],
  context: ConnectionsContext,
): ConnectionsEmission {
  const { data, providers, settings } = context
  const generated = settings.generatedData
    ? generatedResources(providers.get(provider), context)
    : none
  const [user_id = ''] = user_ids
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

  /** One chunk for each summary record. */
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
  // A key of the groups has rows.
  return Object.groupBy(own, ({ resource }) => resourceOfType(resource)) as Record<
    string,
    HealthRow[]
  >
}

function rowEmission(row: HealthRow, isNew: boolean): Emission {
  const resource = resourceOfType(row.resource)
  const { user_id, values } = row
  const provider = String(values['source_provider'] ?? 'manual')
  const event_type = dataEventType('daily', resource, isNew ? 'created' : 'updated')
  return { kind: 'rows', event_type, chunk: { user_id, resource, provider, rows: [row] } }
}

/** Returns the event of critical results that an order did not have before. */
function criticalEmissions(
  before: object | undefined,
  order: LabOrder,
  context: WireOrderContext,
): Emission[] {
  const known = (before as LabOrder | undefined)?.results?.filter(isCritical) ?? []
  const results = (wireOrder(order, context).results ?? []).filter(isCritical)
  if (!before || results.length <= known.length) return []
  const { id: order_id, user_id } = order
  const data = { order_id, user_id, results }
  return [{ kind: 'event', body: { event_type: 'labtest.result.critical', user_id, data } }]
}

/** Whether a field changed that the service sends. */
function isVisibleChange(before: LabOrder, after: LabOrder): boolean {
  const { appointment_id: _, updated_at: __, ...visible } = after
  return Object.keys(visible).some((name) => {
    // The keys of an order without two of them.
    const field = name as keyof typeof visible
    return JSON.stringify(before[field]) !== JSON.stringify(after[field])
  })
}
