import { bookings } from './bookings.ts'
import { bulkOps } from './bulk-ops.ts'
import { clock } from './clock.ts'
import { collections } from './collections.ts'
import type { ControlOperation } from './endpoint.ts'
import { events } from './events.ts'
import { faults } from './faults.ts'
import { journal } from './journal.ts'
import { orderSteps } from './orders.ts'
import { pulse } from './pulse.ts'
import { team } from './team.ts'

/** All that the control API offers; routing, checks and its OpenAPI document are made from it. */
export const operations: readonly ControlOperation[] = [
  pulse,
  ...team,
  ...clock,
  ...faults,
  ...bookings,
  ...journal,
  ...collections,
  ...bulkOps,
  ...orderSteps,
  ...events,
]
