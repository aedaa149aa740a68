import type { AggregateResult } from '../../src/contract/aggregate.ts'
import type { Appointment } from '../../src/contract/appointments.ts'
import type { Insurance } from '../../src/contract/insurance.ts'
import type { LabTest, LabTestPage } from '../../src/contract/lab-tests.ts'
import type {
  BulkImportBody,
  BulkOpPage,
  DeletedConnection,
  Provider,
} from '../../src/contract/link.ts'
import type { MarkerPage, TestMarkerPage } from '../../src/contract/markers.ts'
import type { CreatedOrder } from '../../src/contract/orders.ts'
import type { SummaryResponses } from '../../src/contract/summaries.ts'
import type { SignInToken, UserInfo } from '../../src/contract/users.ts'
import { operationFacts } from '../../src/contract/values/operation-facts.ts'
import { MockError } from '../errors.ts'

/** The bodies of successful responses, by operation; binary bodies are bytes. */
export interface OperationResponses {
  /** The stored insurance (4.1). */
  'insurance.create': Insurance
  /** The stored information (4.2). */
  'users.updateInfo': UserInfo
  /** The token and its user. */
  'users.createSignInToken': SignInToken
  /** The imported and failed users. */
  'link.bulkImport': BulkImportBody
  /** A page of bulk operations. */
  'link.listBulkOps': BulkOpPage
  /** The providers (4.9). */
  'link.listProviders': Provider[]
  /** Whether the connection was deleted. */
  'link.deleteConnection': DeletedConnection
  /** A page of markers. */
  'labTests.listMarkers': MarkerPage
  /** A page of markers of a lab test. */
  'labTests.listTestMarkers': TestMarkerPage
  /** A page of markers of an order set. */
  'labTests.listOrderSetMarkers': MarkerPage
  /** A page of lab tests. */
  'labTests.list': LabTestPage
  /** All lab tests; the operation is deprecated (4.12). */
  'labTests.listAll': LabTest[]
  /** The booked appointment, pending or confirmed (4.8). */
  'orders.bookPhlebotomyAppointment': Appointment
  /** The created order (4.12). */
  'orders.create': CreatedOrder
  /** The latest appointment of the order (4.12). */
  'orders.getPhlebotomyAppointment': Appointment
  /** The bytes of a PDF. */
  'orders.downloadRequisition': Uint8Array
  /** A table for each query. */
  'aggregate.query': AggregateResult
  /** The bytes of an archive. */
  'aggregate.queryParquet': Uint8Array
  /** The summaries of a resource. */
  'summaries.list': SummaryResponses[keyof SummaryResponses]
}

/** The id of an operation: namespace and method of the client, such as `insurance.create`. */
export type OperationId = keyof OperationResponses

/** The id of an operation, a namespace such as `link.*`, or `*` for every operation. */
export type OperationPattern = OperationId | `${Namespace<OperationId>}.*` | '*'

type Namespace<Id extends string> = Id extends `${infer Name}.${string}` ? Name : never

/** The ids of all operations. */
const operationIds: ReadonlySet<string> = new Set(Object.keys(operationFacts))

/**
 * Returns a function that matches operations. A request to an unknown route has no operation, and matches `*` only.
 *
 * @throws {MockError} `unknown_operation` if the pattern matches no operation.
 */
export function operationMatcher(pattern: string): (operation: string | undefined) => boolean {
  if (pattern === '*') return () => true
  if (typeof pattern !== 'string') throw unknownOperation(String(pattern))
  if (operationIds.has(pattern)) return (operation) => operation === pattern
  const namespace = pattern.endsWith('.*') ? pattern.slice(0, -1) : undefined
  if (namespace && [...operationIds].some((id) => id.startsWith(namespace))) {
    return (operation) => operation?.startsWith(namespace) ?? false
  }
  throw unknownOperation(pattern)
}

/**
 * Checks the id of an operation.
 *
 * @throws {MockError} `unknown_operation`
 */
export function checkOperation(id: string): void {
  if (!operationIds.has(id)) throw unknownOperation(id)
}

function unknownOperation(name: string): MockError {
  return new MockError(
    'unknown_operation',
    `Unknown operation '${name}'. Use '*', a namespace such as 'link.*', or one of ${[...operationIds].join(', ')}.`,
  )
}
