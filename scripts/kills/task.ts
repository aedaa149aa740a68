import type { DurableLink, DurableOrders } from '../../src/durable/index.ts'
import type { ConnectionRecipe, InsuranceInput, OrderInput } from '../../src/index.ts'

export const storeKinds = ['postgres', 'redis', 'pglite'] as const
export type StoreKind = (typeof storeKinds)[number]

export interface StorePlace {
  kind: StoreKind
  /** The folder that contains the socket or the data. */
  path: string
}

export type Wanted =
  | { kind: 'order'; id: string; order: OrderInput }
  | { kind: 'booking'; id: string; orderId: string }
  | { kind: 'insurance'; id: string; userId: string; insurance: InsuranceInput }
  | { kind: 'import'; id: string; recipes: ConnectionRecipe[] }

export type WantedKind = Wanted['kind']

/** The writes of a worker, and when it ends. */
export interface WorkerTask {
  baseUrl: string
  apiKey: string
  place: StorePlace
  writes: Wanted[]
  /**
   * The number of the boundary at which the worker kills itself, starting at 1. A boundary is before or after a request
   * or a store statement. If undefined, the signal comes at a random moment.
   */
  killAt?: number | undefined
  /** Whether the worker waits for the writes of other workers. */
  isLast: boolean
}

/** A line in the output of a worker: it reached its first boundary, or the write with this id has ended. */
export type WorkerLine = { begun: true } | { ended: string }

/** How many times faster than real time the workers' clock is. */
export const speed = 20

export const bookingInput = {
  booking_key: 'bk_confirm',
  async_confirmation: true,
  async_confirmation_timeout_millisecond: 60_000,
} satisfies Parameters<DurableOrders['bookAndWait']>[2]
export const importOptions = {
  batchSize: 250,
  concurrency: 2,
} satisfies Parameters<DurableLink['bulkImportAll']>[3]
