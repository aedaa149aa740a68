import type { ServiceClient } from '../client/client.ts'
import type { WriteStore } from '../stores/write-store.ts'
import { type DurableLink, durableLink } from './imports.ts'
import { type DurableInsurance, durableInsurance } from './insurance.ts'
import { type DurableOptions, invalid, parseOptions } from './options.ts'
import { type DurableOrders, durableOrders } from './orders.ts'
import { type Decision, listUnresolved, resolveWrite, type UnresolvedWrite } from './resolve.ts'

/** The non-idempotent operations, each with your own id first. */
export interface DurableWrites {
  /** Lab orders and their phlebotomy appointments. */
  orders: DurableOrders
  /** The insurance of users. */
  insurance: DurableInsurance
  /** Connections of users to data providers. */
  link: DurableLink
  /**
   * Lists the writes without an outcome, the oldest first: those that a person must check, those that your program must
   * continue, and those that run now.
   *
   * @param limit The most writes to list, at least 1. Default: 1,000.
   * @throws {DurableError} `store_failed`, `argument_invalid`
   */
  unresolved(limit?: number): Promise<UnresolvedWrite[]>
  /**
   * Stores what a person found out about a write without an outcome: what its function returns, such as
   * `{ result: 'booked', appointment }`, or `had-no-effect`. Then the id may be used again; of an import, only the connections
   * whose outcome was unknown are sent again.
   *
   * @param id Your own id of the write.
   * @throws {DurableError} `not_open`, `busy`, `store_failed`, `argument_invalid`
   */
  resolve(id: string, decision: Decision): Promise<void>
}

/**
 * Returns the non-idempotent operations of a client with your own id first. The same id returns the same result, in any
 * process, after any crash, however often it is called; the service gets the write once. The intent is stored before anything
 * is sent, and the outcome after it. A call that finds an intent without an outcome does what is safe for its operation: see
 * each function.
 *
 * The store keeps outcomes, which contain health data, and a keyed hash of each input.
 *
 * @throws {DurableError} `argument_invalid`
 * @example
 * const writes = durable(client, { store: memoryStore() })
 * const { order } = await writes.orders.create('basket-17', basket)
 */
export function durable(client: ServiceClient, options: DurableOptions): DurableWrites {
  const { clock }: ServiceClient = Object(client)
  if (clock === undefined) throw invalid('the client', 'a ServiceClient')
  const { key, store, ...settings } = parseOptions(options)
  const tools = {
    ...settings,
    store: rejecting(store),
    clock,
    readKey: async () => key ?? (await client.readApiKey()),
  }
  return {
    orders: durableOrders(client, tools),
    insurance: durableInsurance(client, tools),
    link: durableLink(client, tools),
    unresolved: (limit = 1000) => listUnresolved(tools, limit),
    resolve: (id, decision) => resolveWrite(id, decision, tools),
  }
}

/** Returns a store whose functions reject where those of a store may throw. */
function rejecting(store: WriteStore): WriteStore {
  return {
    begin: async (intent) => store.begin(intent),
    save: async (id, hold) => store.save(id, hold),
    end: async (end) => store.end(end),
    read: async (id) => store.read(id),
    open: async (limit) => store.open(limit),
  }
}
