import { keysOf } from '../shared/narrow.ts'
import type { Deprecation, Effect, Method } from './schema-tools/endpoint.ts'
import { bulkImportWait, synchronousBookingWait } from './values/bounds.ts'
import { deprecationOf } from './values/deprecations.ts'
import { parquetMediaType } from './wire.ts'

/** An operation's properties, as specified or assumed. */
export interface OperationFacts {
  /** A short title. */
  title: string
  /** The specification section, such as `4.8`. */
  section: string
  /** The HTTP method. */
  method: Method
  /** The path template, with parameters in braces. */
  path: string
  /** Whether the operation is read-only, idempotent or non-idempotent. */
  effect: Effect
  /** The media type of the `accept` header. Default: `application/json`. */
  accept?: string
  /** How long the service itself may wait before it responds, in milliseconds. Default: 0. */
  serviceWait?: number
  /** Present if the operation is deprecated (specification part 9). */
  deprecated?: Deprecation
}

/** Every operation, keyed by id, in specification order. Contains no schemas, to keep every client small. */
export const operationTable = {
  'insurance.create': {
    title: 'Create insurance',
    section: '4.1',
    method: 'POST',
    path: '/v2/user/{user_id}/insurance',
    effect: 'non-idempotent',
  },
  'users.updateInfo': {
    title: 'Update user info',
    section: '4.2',
    method: 'PATCH',
    path: '/v2/user/{user_id}/info',
    effect: 'idempotent',
  },
  'link.bulkImport': {
    title: 'Bulk import connections',
    section: '4.3',
    method: 'POST',
    path: '/v2/link/bulk_import',
    effect: 'non-idempotent',
    serviceWait: bulkImportWait,
  },
  'link.listBulkOps': {
    title: 'List bulk operations (path and shape assumed)',
    section: '4.3',
    method: 'GET',
    path: '/v2/link/bulk_op',
    effect: 'read-only',
  },
  'labTests.listMarkers': {
    title: 'List markers (filter names assumed)',
    section: '4.4',
    method: 'GET',
    path: '/v3/lab_tests/markers',
    effect: 'read-only',
  },
  'labTests.listTestMarkers': {
    title: 'List markers of a lab test',
    section: '4.5',
    method: 'GET',
    path: '/v3/lab_tests/{lab_test_id}/markers',
    effect: 'read-only',
  },
  'labTests.listOrderSetMarkers': {
    title: 'List markers of an order set (pagination assumed)',
    section: '4.6',
    method: 'POST',
    path: '/v3/lab_tests/list_order_set_markers',
    effect: 'read-only',
  },
  'users.createSignInToken': {
    title: 'Create sign-in token',
    section: '4.7',
    method: 'POST',
    path: '/v2/user/{user_id}/sign_in_token',
    effect: 'idempotent',
  },
  'orders.bookPhlebotomyAppointment': {
    title: 'Book phlebotomy appointment',
    section: '4.8',
    method: 'POST',
    path: '/v3/order/{order_id}/phlebotomy/appointment/book',
    effect: 'non-idempotent',
    serviceWait: synchronousBookingWait,
  },
  'link.listProviders': {
    title: 'List providers',
    section: '4.9',
    method: 'GET',
    path: '/v2/providers',
    effect: 'read-only',
  },
  'link.deleteConnection': {
    title: 'Delete a provider connection',
    section: '4.10',
    method: 'DELETE',
    path: '/v2/user/{user_id}/{provider}',
    effect: 'idempotent',
  },
  'aggregate.query': {
    title: 'Aggregate query',
    section: '4.11',
    method: 'POST',
    path: '/aggregate/v1/user/{user_id}/query',
    effect: 'read-only',
  },
  'aggregate.queryParquet': {
    title: 'Aggregate query, as Parquet files',
    section: '4.11',
    method: 'POST',
    path: '/aggregate/v1/user/{user_id}/query',
    effect: 'read-only',
    accept: parquetMediaType,
  },
  'summaries.list': {
    title: 'List summaries (path, parameters and shape assumed)',
    section: '4.12',
    method: 'GET',
    path: '/v2/summary/{resource}/{user_id}',
    effect: 'read-only',
  },
  'orders.create': {
    title: 'Create an order (shape assumed)',
    section: '4.12',
    method: 'POST',
    path: '/v3/order',
    effect: 'non-idempotent',
  },
  'orders.getPhlebotomyAppointment': {
    title: "Get an order's phlebotomy appointment (assumption)",
    section: '4.12',
    method: 'GET',
    path: '/v3/order/{order_id}/phlebotomy/appointment',
    effect: 'read-only',
  },
  'orders.downloadRequisition': {
    title: 'Download the requisition form (path assumed)',
    section: '4.12',
    method: 'GET',
    path: '/v3/order/{order_id}/requisition/pdf',
    effect: 'read-only',
    accept: 'application/pdf',
  },
  'labTests.list': {
    title: 'List lab tests, page by page (filters assumed)',
    section: '4.12',
    method: 'GET',
    path: '/v3/lab_test',
    effect: 'read-only',
  },
  'labTests.listAll': {
    title: 'List all lab tests',
    section: '9',
    method: 'GET',
    path: '/v3/lab_tests',
    effect: 'read-only',
    deprecated: /* @__PURE__ */ deprecationOf('allLabTests'),
  },
} as const satisfies Record<string, OperationFacts>

/** An operation's id: the client's namespace and method, as shown in errors, hooks and spans. */
export type OperationId = keyof typeof operationTable

export const operationIds: readonly OperationId[] = /* @__PURE__ */ keysOf(operationTable)

/**
 * A failure after which the client may retry: an HTTP status, or one of these:
 * - `not sent`: the request was definitely not sent;
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

/** An operation, with the client's retry policy. */
export interface Operation extends OperationFacts {
  /** The client's namespace and method, such as `orders.create`. */
  id: OperationId
  /**
   * The failures after which the client retries a call without an idempotency key, within `maxRetries` and `deadline`.
   */
  retriedAfter: readonly RetryableFailure[]
  /**
   * The maximum time that the client adds to its `timeout` and default `deadline` for the service's own wait, in
   * milliseconds.
   */
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
  'read-only': transient,
  idempotent: transient,
  'non-idempotent': unprocessed,
}

/**
 * Every operation, in specification order.
 *
 * @example
 * const effects = new Map(operations.map(({ id, effect }) => [id, effect]))
 */
export const operations: readonly Operation[] = /* @__PURE__ */ operationIds.map((id) => {
  const facts: OperationFacts = operationTable[id]
  return { id, serviceWait: 0, ...facts, retriedAfter: retriedAfter[facts.effect] }
})
