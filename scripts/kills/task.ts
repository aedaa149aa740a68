import type { DurableLink, DurableOrders } from '../../src/durable/index.ts'
import type { ConnectionRecipe, InsuranceInput, OrderInput } from '../../src/index.ts'

/** The stores that are tested. */
export const storeKinds = ['postgres', 'redis', 'pglite'] as const
/** One of {@link storeKinds}. */
export type StoreKind = (typeof storeKinds)[number]

/** Where a store is. */
export interface StorePlace {
  kind: StoreKind
  /** The folder of the socket or of the data. */
  path: string
}

/** A write with its own id. */
export type Wanted =
  | { kind: 'order'; id: string; order: OrderInput }
  | { kind: 'booking'; id: string; orderId: string }
  | { kind: 'insurance'; id: string; userId: string; insurance: InsuranceInput }
  | { kind: 'import'; id: string; recipes: ConnectionRecipe[] }

/** The kinds of writes. */
export type WantedKind = Wanted['kind']

/** What a worker does, and when it ends. */
export interface WorkerTask {
  baseUrl: string
  apiKey: string
  place: StorePlace
  writes: Wanted[]
  /**
   * The worker kills itself at its boundary with this number: before or after a request or a statement of its store, from 1.
   * Undefined: the signal comes at any moment.
   */
  killAt?: number | undefined
  /** Whether the worker waits for the writes of others. */
  isLast: boolean
}

/** What a worker writes to its output, one line each: that it came to its first boundary, or the id of a write that has ended. */
export type WorkerLine = { begun: true } | { ended: string }

/** How often the time of the workers passes faster than real time. */
export const speed = 20

/** The options of writes. */
export const bookingInput = {
  booking_key: 'bk_confirm',
  async_confirmation: true,
  async_confirmation_timeout_millisecond: 60_000,
} satisfies Parameters<DurableOrders['bookAndWait']>[2]
export const importOptions = {
  batchSize: 250,
  concurrency: 2,
} satisfies Parameters<DurableLink['bulkImportAll']>[3]
