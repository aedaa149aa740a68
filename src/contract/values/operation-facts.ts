import type { Deprecation, Effect, Method } from '../schema/endpoint.ts'
import { bulkImportWait, synchronousBookingWait } from './bounds.ts'
import { deprecationOf } from './deprecations.ts'

/** What a call of an operation needs to know. */
export interface OperationFacts {
  /** The HTTP method. */
  method: Method
  /** The path template of the specification, with parameters in braces. */
  path: string
  /** What a second, identical call does. */
  effect: Effect
  /** The maximum number of milliseconds that the service itself may wait before it responds. Default: 0. */
  serviceWait?: number
  /** Present if the operation is deprecated (specification part 9). */
  deprecated?: Deprecation
}

/** Every operation by its id, in the order of the specification. */
// Without zod and without descriptions, because every client and mock contains it.
export const operationFacts = {
  'insurance.create': {
    method: 'POST',
    path: '/v2/user/{user_id}/insurance',
    effect: 'unsafe',
  },
  'users.updateInfo': {
    method: 'PATCH',
    path: '/v2/user/{user_id}/info',
    effect: 'idempotent',
  },
  'link.bulkImport': {
    method: 'POST',
    path: '/v2/link/bulk_import',
    effect: 'unsafe',
    serviceWait: bulkImportWait,
  },
  'link.listBulkOps': {
    method: 'GET',
    path: '/v2/link/bulk_op',
    effect: 'read',
  },
  'labTests.listMarkers': {
    method: 'GET',
    path: '/v3/lab_tests/markers',
    effect: 'read',
  },
  'labTests.listTestMarkers': {
    method: 'GET',
    path: '/v3/lab_tests/{lab_test_id}/markers',
    effect: 'read',
  },
  'labTests.listOrderSetMarkers': {
    method: 'POST',
    path: '/v3/lab_tests/list_order_set_markers',
    effect: 'read',
  },
  'users.createSignInToken': {
    method: 'POST',
    path: '/v2/user/{user_id}/sign_in_token',
    effect: 'idempotent',
  },
  'orders.bookPhlebotomyAppointment': {
    method: 'POST',
    path: '/v3/order/{order_id}/phlebotomy/appointment/book',
    effect: 'unsafe',
    serviceWait: synchronousBookingWait,
  },
  'link.listProviders': {
    method: 'GET',
    path: '/v2/providers',
    effect: 'read',
  },
  'link.deleteConnection': {
    method: 'DELETE',
    path: '/v2/user/{user_id}/{provider}',
    effect: 'idempotent',
  },
  'aggregate.query': {
    method: 'POST',
    path: '/aggregate/v1/user/{user_id}/query',
    effect: 'read',
  },
  'aggregate.queryParquet': {
    method: 'POST',
    path: '/aggregate/v1/user/{user_id}/query',
    effect: 'read',
  },
  'summaries.list': {
    method: 'GET',
    path: '/v2/summary/{resource}/{user_id}',
    effect: 'read',
  },
  'orders.create': {
    method: 'POST',
    path: '/v3/order',
    effect: 'unsafe',
  },
  'orders.getPhlebotomyAppointment': {
    method: 'GET',
    path: '/v3/order/{order_id}/phlebotomy/appointment',
    effect: 'read',
  },
  'orders.downloadRequisition': {
    method: 'GET',
    path: '/v3/order/{order_id}/requisition/pdf',
    effect: 'read',
  },
  'labTests.list': {
    method: 'GET',
    path: '/v3/lab_test',
    effect: 'read',
  },
  'labTests.listAll': {
    method: 'GET',
    path: '/v3/lab_tests',
    effect: 'read',
    deprecated: /* @__PURE__ */ deprecationOf('allLabTests'),
  },
} as const satisfies Record<string, OperationFacts>

/** The id of an operation: namespace and method of the client, as errors, hooks and spans name it. */
export type OperationId = keyof typeof operationFacts
