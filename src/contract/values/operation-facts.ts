import type { Deprecation, Effect, Method } from '../schema/endpoint.ts'
import { bulkImportWait, synchronousBookingWait } from './bounds.ts'
import { deprecationOf } from './deprecations.ts'

/** What the specification says of an operation. */
export interface OperationFacts {
  /** What the operation does, in a few words. */
  title: string
  /** The HTTP method. */
  method: Method
  /** The path as the specification spells it, parameters in braces. */
  path: string
  /** The section of the specification, such as `4.8`. */
  section: string
  /** What a second, identical call does. */
  effect: Effect
  /** The most milliseconds that the service itself may wait before it responds. Absent: 0. */
  serviceWait?: number
  /** Present if the operation is deprecated (specification part 9). */
  deprecated?: Deprecation
}

/** Every operation by its id, in the order of the specification. */
// Without zod, so that programs can list the operations at little cost.
export const operationFacts = {
  'insurance.create': {
    title: 'Create insurance',
    method: 'POST',
    path: '/v2/user/{user_id}/insurance',
    section: '4.1',
    effect: 'unsafe',
  },
  'users.updateInfo': {
    title: 'Update user info',
    method: 'PATCH',
    path: '/v2/user/{user_id}/info',
    section: '4.2',
    effect: 'idempotent',
  },
  'link.bulkImport': {
    title: 'Bulk import connections',
    method: 'POST',
    path: '/v2/link/bulk_import',
    section: '4.3',
    effect: 'unsafe',
    serviceWait: bulkImportWait,
  },
  'link.listBulkOps': {
    title: 'List bulk operations (path and shape presumed)',
    method: 'GET',
    path: '/v2/link/bulk_op',
    section: '4.3',
    effect: 'read',
  },
  'labTests.listMarkers': {
    title: 'List markers',
    method: 'GET',
    path: '/v3/lab_tests/markers',
    section: '4.4',
    effect: 'read',
  },
  'labTests.listTestMarkers': {
    title: 'List markers of a lab test',
    method: 'GET',
    path: '/v3/lab_tests/{lab_test_id}/markers',
    section: '4.5',
    effect: 'read',
  },
  'labTests.listOrderSetMarkers': {
    title: 'List markers of an order set',
    method: 'POST',
    path: '/v3/lab_tests/list_order_set_markers',
    section: '4.6',
    effect: 'read',
  },
  'users.createSignInToken': {
    title: 'Create sign-in token',
    method: 'POST',
    path: '/v2/user/{user_id}/sign_in_token',
    section: '4.7',
    effect: 'idempotent',
  },
  'orders.bookPhlebotomyAppointment': {
    title: 'Book phlebotomy appointment',
    method: 'POST',
    path: '/v3/order/{order_id}/phlebotomy/appointment/book',
    section: '4.8',
    effect: 'unsafe',
    serviceWait: synchronousBookingWait,
  },
  'link.listProviders': {
    title: 'List providers',
    method: 'GET',
    path: '/v2/providers',
    section: '4.9',
    effect: 'read',
  },
  'link.deleteConnection': {
    title: 'Delete a provider connection',
    method: 'DELETE',
    path: '/v2/user/{user_id}/{provider}',
    section: '4.10',
    effect: 'idempotent',
  },
  'aggregate.query': {
    title: 'Aggregate query',
    method: 'POST',
    path: '/aggregate/v1/user/{user_id}/query',
    section: '4.11',
    effect: 'read',
  },
  'aggregate.queryParquet': {
    title: 'Aggregate query, as Parquet files',
    method: 'POST',
    path: '/aggregate/v1/user/{user_id}/query',
    section: '4.11',
    effect: 'read',
  },
  'summaries.list': {
    title: 'List summaries (path, parameters and shape presumed)',
    method: 'GET',
    path: '/v2/summary/{resource}/{user_id}',
    section: '4.12',
    effect: 'read',
  },
  'orders.create': {
    title: 'Create an order (shape presumed)',
    method: 'POST',
    path: '/v3/order',
    section: '4.12',
    effect: 'unsafe',
  },
  'orders.getPhlebotomyAppointment': {
    title: 'Get the phlebotomy appointment of an order (presumed)',
    method: 'GET',
    path: '/v3/order/{order_id}/phlebotomy/appointment',
    section: '4.12',
    effect: 'read',
  },
  'orders.downloadRequisition': {
    title: 'Download the requisition form (path presumed)',
    method: 'GET',
    path: '/v3/order/{order_id}/requisition/pdf',
    section: '4.12',
    effect: 'read',
  },
  'labTests.list': {
    title: 'List lab tests, page by page',
    method: 'GET',
    path: '/v3/lab_test',
    section: '4.12',
    effect: 'read',
  },
  'labTests.listAll': {
    title: 'List all lab tests',
    method: 'GET',
    path: '/v3/lab_tests',
    section: '9',
    effect: 'read',
    deprecated: /* @__PURE__ */ deprecationOf('allLabTests'),
  },
} as const satisfies Record<string, OperationFacts>

/** The id of an operation: namespace and method of the client, as errors, hooks and spans name it. */
export type OperationId = keyof typeof operationFacts
