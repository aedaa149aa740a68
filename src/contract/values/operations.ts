import type { Effect } from '../schema/endpoint.ts'
import { type OperationDescription, operationDescriptions } from './operation-descriptions.ts'
import { type OperationFacts, type OperationId, operationFacts } from './operation-facts.ts'

/**
 * A failure after which the client may retry: a status, or one of
 * - `not sent`: the request provably never left;
 * - `no response`: no complete response arrived, and the request may have been processed.
 */
export type RetryableFailure =
  | 'not sent'
  | 'no response'
  | '408'
  | '429'
  | '500'
  | '502'
  | '503'
  | '503 with Retry-After'
  | '504'

/** What the specification says of an operation, and how the client calls it. */
export interface Operation extends OperationDescription, OperationFacts {
  /** Namespace and method of the client, such as `orders.create`. */
  id: OperationId
  /** The failures after which the client retries, within `maxRetries` and `deadline`. */
  retriedAfter: readonly RetryableFailure[]
  /** The maximum number of milliseconds that the client adds to `timeout` and `deadline`, because the service itself may wait. */
  serviceWait: number
}

const transient: readonly RetryableFailure[] = [
  'not sent',
  'no response',
  '408',
  '429',
  '500',
  '502',
  '503',
  '504',
]
const unprocessed: readonly RetryableFailure[] = ['not sent', '429', '503 with Retry-After']

const retriedAfter: Record<Effect, readonly RetryableFailure[]> = {
  read: transient,
  idempotent: transient,
  unsafe: unprocessed,
}

/**
 * Every operation, in the order of the specification.
 *
 * @example
 * const effects = new Map(operations.map(({ id, effect }) => [id, effect]))
 */
export const operations: readonly Operation[] = /* @__PURE__ */ listOperations()

function listOperations(): Operation[] {
  // The keys of the table are the ids.
  const ids = Object.keys(operationFacts) as OperationId[]
  return ids.map((id) => {
    const facts: OperationFacts = operationFacts[id]
    const description = operationDescriptions[id]
    return {
      id,
      ...description,
      serviceWait: 0,
      ...facts,
      retriedAfter: retriedAfter[facts.effect],
    }
  })
}
