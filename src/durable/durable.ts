import type { ServiceClient } from '../client/client.ts'
import type { WriteStore } from '../stores/write-store.ts'
import { type DurableLink, durableLink } from './imports.ts'
import { type DurableInsurance, durableInsurance } from './insurance.ts'
import { type DurableOptions, invalid, parseOptions } from './options.ts'
import { type DurableOrders, durableOrders } from './orders.ts'
import { type Decision, listUnresolved, resolveWrite, type UnresolvedWrite } from './resolve.ts'

/** The client's non-idempotent operations, as returned by {@link durable}. */
export interface DurableWrites {
  /** Lab orders and their phlebotomy appointments. */
  orders: DurableOrders
  /** Users' insurance. */
  insurance: DurableInsurance
  /** Users' connections to data providers. */
  link: DurableLink
  /**
   * Lists the writes without an outcome, oldest first: writes that a person must check, that your program must continue,
   * or that are still running.
   *
   * @param limit The maximum number of writes to list, at least 1. Default: 1,000.
   * @throws {DurableError} `store_failed`, `argument_invalid`
   */
  unresolved(limit?: number): Promise<UnresolvedWrite[]>
  /**
   * Stores the outcome of an unresolved or interrupted write after a person has checked it. Pass the value that the
   * operation should return, such as `{ result: 'booked', appointment }`, or `had-no-effect`. After `had-no-effect`,
   * call the operation again with the same id: it sends the write again or, for an import, only the recipes without a
   * known outcome.
   *
   * @param id Your own id for the write.
   * @throws {DurableError} `not_open`, `busy`, `store_failed`, `argument_invalid`
   */
  resolve(id: string, decision: Decision): Promise<void>
}

/**
 * Returns durable versions of a client's non-idempotent operations. Each takes your own id as its first argument. Calls
 * with the same id return the same result, in any process and after any crash, and the write takes effect only once.
 * The intent is stored before the write is sent, and the outcome afterwards.
 *
 * The store keeps each outcome, which may contain health data, and a keyed hash of each input.
 *
 * @throws {DurableError} `argument_invalid` for an invalid client or option.
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
    deadline: client.deadline,
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

/** Returns a store whose functions reject instead of throwing. */
function rejecting(store: WriteStore): WriteStore {
  return {
    begin: async (intent) => store.begin(intent),
    save: async (id, hold) => store.save(id, hold),
    end: async (end) => store.end(end),
    read: async (id) => store.read(id),
    open: async (limit) => store.open(limit),
  }
}
