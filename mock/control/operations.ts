import type { ControlOperation } from './endpoint.ts'
import { bookings } from './operations/bookings.ts'
import { bulkOps } from './operations/bulk-ops.ts'
import { clock } from './operations/clock.ts'
import { collections } from './operations/collections.ts'
import { events } from './operations/events.ts'
import { faults } from './operations/faults.ts'
import { healthData } from './operations/health-data.ts'
import { history } from './operations/history.ts'
import { journal } from './operations/journal.ts'
import { orderTransitions } from './operations/orders.ts'
import { pulse } from './operations/pulse.ts'
import { search } from './operations/search.ts'
import { team } from './operations/team.ts'
import { webhooks } from './operations/webhooks.ts'

/** The operations of the control API. Its router, checks and OpenAPI document derive from them. */
export const controlOperations: readonly ControlOperation[] = [
  pulse,
  ...team,
  ...clock,
  ...faults,
  ...bookings,
  ...journal,
  ...collections,
  ...bulkOps,
  ...orderTransitions,
  ...events,
  ...webhooks,
  ...history,
  search,
  healthData,
]
