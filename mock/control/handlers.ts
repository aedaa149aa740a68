import type { Handlers } from './handler.ts'
import { clockHandlers } from './handlers/clock.ts'
import { collectionsHandlers } from './handlers/collections.ts'
import { eventsHandlers } from './handlers/events.ts'
import { faultsHandlers } from './handlers/faults.ts'
import { historyHandlers } from './handlers/history.ts'
import { journalHandlers } from './handlers/journal.ts'
import { ordersHandlers } from './handlers/orders.ts'
import { readsHandlers } from './handlers/search.ts'
import { teamHandlers } from './handlers/team.ts'
import { webhooksHandlers } from './handlers/webhooks.ts'
import type { ControlOperations } from './operations.ts'

export const controlHandlers: Handlers<Omit<ControlOperations, 'teams.list'>> = {
  ...clockHandlers,
  ...collectionsHandlers,
  ...eventsHandlers,
  ...faultsHandlers,
  ...historyHandlers,
  ...journalHandlers,
  ...ordersHandlers,
  ...readsHandlers,
  ...teamHandlers,
  ...webhooksHandlers,
}
