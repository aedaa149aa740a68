import type { Deprecation, Effect, Method } from './schema/endpoint.ts'

/** The id of an operation: namespace and method of the client, as errors, hooks and spans name it. */
export type OperationId =
  | 'insurance.create'
  | 'users.updateInfo'
  | 'link.bulkImport'
  | 'link.listBulkOps'
  | 'labTests.listMarkers'
  | 'labTests.listTestMarkers'
  | 'labTests.listOrderSetMarkers'
  | 'users.createSignInToken'
  | 'orders.bookPhlebotomyAppointment'
  | 'link.listProviders'
  | 'link.deleteConnection'
  | 'aggregate.query'
  | 'aggregate.queryParquet'
  | 'summaries.list'
  | 'orders.create'
  | 'orders.getPhlebotomyAppointment'
  | 'orders.downloadRequisition'
  | 'labTests.list'
  | 'labTests.listAll'

/** A failure after which an attempt may follow: a status, or that nothing was sent, or that no whole answer came. */
export type RepeatableFailure =
  | 'not sent'
  | 'no answer'
  | '408'
  | '429'
  | '500'
  | '502'
  | '503'
  | '503 with Retry-After'
  | '504'

/** What the specification says of an operation, and how the client calls it. */
export interface Operation {
  id: OperationId
  method: Method
  /** The path as the specification spells it. */
  path: string
  /** The section of the specification. */
  section: string
  effect: Effect
  /** After which failures the client repeats it, as far as `maxRetries` and `deadline` let it. */
  repeatedAfter: readonly RepeatableFailure[]
  /** The most milliseconds that the client adds to `timeout` and `deadline`, for the service itself may wait so long. */
  serviceWait: number
  /** Of an operation that goes away (specification part 9). */
  deprecated?: Deprecation
}

const whatMayPass: readonly RepeatableFailure[] = [
  'not sent',
  'no answer',
  '408',
  '429',
  '500',
  '502',
  '503',
  '504',
]
const whatDidNothing: readonly RepeatableFailure[] = ['not sent', '429', '503 with Retry-After']

/**
 * Every operation, in the order of the specification.
 *
 * @example
 * const effectOf = new Map(operations.map(({ id, effect }) => [id, effect]))
 */
// Plain values, for the contract itself brings zod along. `npm run docs:tables` writes them.
export const operations: readonly Operation[] = [
  {
    id: 'insurance.create',
    method: 'POST',
    path: '/v2/user/{user_id}/insurance',
    section: '4.1',
    effect: 'unsafe',
    repeatedAfter: whatDidNothing,
    serviceWait: 0,
  },
  {
    id: 'users.updateInfo',
    method: 'PATCH',
    path: '/v2/user/{user_id}/info',
    section: '4.2',
    effect: 'idempotent',
    repeatedAfter: whatMayPass,
    serviceWait: 0,
  },
  {
    id: 'link.bulkImport',
    method: 'POST',
    path: '/v2/link/bulk_import',
    section: '4.3',
    effect: 'unsafe',
    repeatedAfter: whatDidNothing,
    serviceWait: 20_000,
  },
  {
    id: 'link.listBulkOps',
    method: 'GET',
    path: '/v2/link/bulk_op',
    section: '4.3',
    effect: 'read',
    repeatedAfter: whatMayPass,
    serviceWait: 0,
  },
  {
    id: 'labTests.listMarkers',
    method: 'GET',
    path: '/v3/lab_tests/markers',
    section: '4.4',
    effect: 'read',
    repeatedAfter: whatMayPass,
    serviceWait: 0,
  },
  {
    id: 'labTests.listTestMarkers',
    method: 'GET',
    path: '/v3/lab_tests/{lab_test_id}/markers',
    section: '4.5',
    effect: 'read',
    repeatedAfter: whatMayPass,
    serviceWait: 0,
  },
  {
    id: 'labTests.listOrderSetMarkers',
    method: 'POST',
    path: '/v3/lab_tests/list_order_set_markers',
    section: '4.6',
    effect: 'read',
    repeatedAfter: whatMayPass,
    serviceWait: 0,
  },
  {
    id: 'users.createSignInToken',
    method: 'POST',
    path: '/v2/user/{user_id}/sign_in_token',
    section: '4.7',
    effect: 'idempotent',
    repeatedAfter: whatMayPass,
    serviceWait: 0,
  },
  {
    id: 'orders.bookPhlebotomyAppointment',
    method: 'POST',
    path: '/v3/order/{order_id}/phlebotomy/appointment/book',
    section: '4.8',
    effect: 'unsafe',
    repeatedAfter: whatDidNothing,
    serviceWait: 240_000,
  },
  {
    id: 'link.listProviders',
    method: 'GET',
    path: '/v2/providers',
    section: '4.9',
    effect: 'read',
    repeatedAfter: whatMayPass,
    serviceWait: 0,
  },
  {
    id: 'link.deleteConnection',
    method: 'DELETE',
    path: '/v2/user/{user_id}/{provider}',
    section: '4.10',
    effect: 'idempotent',
    repeatedAfter: whatMayPass,
    serviceWait: 0,
  },
  {
    id: 'aggregate.query',
    method: 'POST',
    path: '/aggregate/v1/user/{user_id}/query',
    section: '4.11',
    effect: 'read',
    repeatedAfter: whatMayPass,
    serviceWait: 0,
  },
  {
    id: 'aggregate.queryParquet',
    method: 'POST',
    path: '/aggregate/v1/user/{user_id}/query',
    section: '4.11',
    effect: 'read',
    repeatedAfter: whatMayPass,
    serviceWait: 0,
  },
  {
    id: 'summaries.list',
    method: 'GET',
    path: '/v2/summary/{resource}/{user_id}',
    section: '4.12',
    effect: 'read',
    repeatedAfter: whatMayPass,
    serviceWait: 0,
  },
  {
    id: 'orders.create',
    method: 'POST',
    path: '/v3/order',
    section: '4.12',
    effect: 'unsafe',
    repeatedAfter: whatDidNothing,
    serviceWait: 0,
  },
  {
    id: 'orders.getPhlebotomyAppointment',
    method: 'GET',
    path: '/v3/order/{order_id}/phlebotomy/appointment',
    section: '4.12',
    effect: 'read',
    repeatedAfter: whatMayPass,
    serviceWait: 0,
  },
  {
    id: 'orders.downloadRequisition',
    method: 'GET',
    path: '/v3/order/{order_id}/requisition/pdf',
    section: '4.12',
    effect: 'read',
    repeatedAfter: whatMayPass,
    serviceWait: 0,
  },
  {
    id: 'labTests.list',
    method: 'GET',
    path: '/v3/lab_test',
    section: '4.12',
    effect: 'read',
    repeatedAfter: whatMayPass,
    serviceWait: 0,
  },
  {
    id: 'labTests.listAll',
    method: 'GET',
    path: '/v3/lab_tests',
    section: '9',
    effect: 'read',
    repeatedAfter: whatMayPass,
    serviceWait: 0,
    deprecated: { replacement: 'GET /v3/lab_test' },
  },
]
