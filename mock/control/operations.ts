import { keysOf } from '../../src/shared/narrow.ts'
import type { ControlOperation } from './operation.ts'
import { clock } from './operations/clock.ts'
import { collections } from './operations/collections.ts'
import { events } from './operations/events.ts'
import { faults } from './operations/faults.ts'
import { history } from './operations/history.ts'
import { journal } from './operations/journal.ts'
import { bookings, bulkOps, orders } from './operations/orders.ts'
import { pulse, reads, team, teams } from './operations/team.ts'
import { webhooks } from './operations/webhooks.ts'
import { type ControlId, routeOf } from './routes.ts'

const operations = {
  ...pulse,
  ...team,
  ...clock,
  ...faults,
  ...bookings,
  ...journal,
  ...collections,
  ...bulkOps,
  ...orders,
  ...events,
  ...webhooks,
  ...history,
  ...reads,
  ...teams,
} satisfies Record<ControlId, ControlOperation>

export type ControlOperations = typeof operations

/** The client, router, request checks and OpenAPI document are derived from these operations. */
export const controlOperations: Readonly<Record<ControlId, ControlOperation>> = operations

export type ControlEndpoint = ControlOperation & { id: ControlId } & ReturnType<typeof routeOf>

export const controlEndpoints: readonly ControlEndpoint[] = keysOf(operations).map((id) => ({
  id,
  ...routeOf(id),
  ...controlOperations[id],
}))
