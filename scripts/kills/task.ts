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

/** The boundaries of a worker: before and after a request, and before and after a statement of its store. */
export const boundaries = ['begin', 'save', 'end', 'read', 'request'].flatMap((name) => [
  `before ${name}`,
  `after ${name}`,
])

/** What a worker does, and when it stops for the signal. */
export interface WorkerTask {
  baseUrl: string
  apiKey: string
  place: StorePlace
  writes: Wanted[]
  /** The worker stops at a boundary, and waits for the signal. Undefined: the signal comes at any moment. */
  stopAt?: { boundary: string; skip: number } | undefined
  /** Whether the worker waits for the writes of others. */
  isLast: boolean
}

/** What a worker writes to its output, one line each: a boundary, or the id of a write that has ended. */
export type WorkerLine = { at: string } | { ended: string }

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
