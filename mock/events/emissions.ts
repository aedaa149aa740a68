import type { Appointment } from '../../src/contract/appointments.ts'
import type { Change } from '../state/collection.ts'
import type { HealthRow } from '../state/records/health.ts'
import type { Connection } from '../state/records/link.ts'
import { type LabOrder, wireOrder } from '../state/records/orders.ts'
import type { World } from '../state/world.ts'
import { dataType, generatedResources, resourceOf, tableName } from './bodies.ts'
import type { Emission } from './outbox.ts'

/** The events that a change of each collection causes (specification part 6); of any other collection it causes none. */
const causes: Record<string, (change: Required<Change>, world: World) => Emission | undefined> = {
  connections: ({ action, after }, world) => {
    const { user_id, provider } = after as Connection
    return action === 'create' ? connectionsOf(provider, [user_id], world) : undefined
  },
  data: ({ action, after }) => rowOf(after as HealthRow, action === 'create'),
  orders: ({ action, before, after }, world) => {
    const order = after as LabOrder
    if (action === 'update' && !isSeen(before as LabOrder, order)) return undefined
    const { user_id } = order
    const event_type = `labtest.order.${action}d`
    return { kind: 'event', body: { event_type, user_id, data: wireOrder(order, world) } }
  },
  appointments: ({ action, after }) => {
    const data = after as Appointment
    const event_type = `labtest.appointment.${action}d`
    return { kind: 'event', body: { event_type, user_id: data.user_id, data } }
  },
}

/** What is emitted because of a change; undefined when nothing is. */
export function emissionOf(change: Change, world: World): Emission | undefined {
  if (change.action === 'delete') return undefined
  // Creations have no `before`, and do not ask for it.
  return causes[change.collection]?.(change as Required<Change>, world)
}

/** An import connected users: one emission for as many of them as possible, so that a hundred thousand cost little. */
export function importOf(provider: string, user_ids: readonly string[], world: World): Emission[] {
  const owners = new Set(world.data.list().map(({ user_id }) => user_id))
  const groups: string[][] = []
  let isOpen = false
  for (const user_id of user_ids) {
    const isOwner = owners.has(user_id)
    // Whoever has rows of their own has other events than everybody else.
    if (isOpen && !isOwner) groups.at(-1)?.push(user_id)
    else groups.push([user_id])
    isOpen = !isOwner
  }
  return groups.map((group) => connectionsOf(provider, group, world))
}

/** Users were connected to a provider: their data is pulled, what the seed gave them or their own rows of it. */
export function connectionsOf(
  provider: string,
  user_ids: readonly string[],
  world: World,
): Extract<Emission, { kind: 'connections' }> {
  const { data, providers, settings } = world
  const generated = settings.generatedData ? generatedResources(providers.get(provider), world) : []
  const [user_id = ''] = user_ids
  const own = user_ids.length === 1 ? data.list({ user_id }) : []
  const replaced = new Set(own.map(({ resource }) => resource))
  const resources = generated.filter((resource) => !replaced.has(tableName(resource)))
  const rows = Object.groupBy(
    own.filter(({ values }) => values['source_provider'] === provider),
    ({ resource }) => resourceOf(resource),
  ) as Record<string, HealthRow[]>
  return { kind: 'connections', provider, user_ids, resources, rows }
}

function rowOf(row: HealthRow, isNew: boolean): Emission {
  const resource = resourceOf(row.resource)
  const { user_id, values } = row
  const provider = String(values['source_provider'] ?? 'manual')
  const event_type = dataType('daily', resource, isNew ? 'created' : 'updated')
  return { kind: 'rows', event_type, chunk: { user_id, resource, provider, rows: [row] } }
}

/** Whether an order changed in what the service shows of it. */
function isSeen(before: LabOrder, after: LabOrder): boolean {
  const { appointment_id: _, updated_at: __, ...seen } = after
  return Object.keys(seen).some((name) => {
    // The keys of an order without two of them.
    const field = name as keyof typeof seen
    return JSON.stringify(before[field]) !== JSON.stringify(after[field])
  })
}
