import type * as z from 'zod/mini'
import type { AggregateResult } from './aggregate.ts'
import * as aggregate from './aggregate.ts'
import type { Appointment } from './appointments.ts'
import type { Insurance } from './insurance.ts'
import * as insurance from './insurance.ts'
import type { LabTest, LabTestPage } from './lab-tests.ts'
import * as labTests from './lab-tests.ts'
import type { BulkImportBody, BulkOpPage, DeletedConnection, Provider } from './link.ts'
import * as link from './link.ts'
import type { MarkerPage, TestMarkerPage } from './markers.ts'
import type { OperationId } from './operations.ts'
import type { CreatedOrder } from './orders.ts'
import * as orders from './orders.ts'
import type { EndpointFacts } from './schema-tools/define-endpoint.ts'
import type { Endpoint } from './schema-tools/endpoint.ts'
import type { SummaryResponses } from './summaries.ts'
import * as summaries from './summaries.ts'
import type { SignInToken, UserInfo } from './users.ts'
import * as users from './users.ts'

export const namespaces = { aggregate, insurance, labTests, link, orders, summaries, users }

/** Successful response bodies, keyed by operation. Binary bodies are bytes. */
export interface OperationResponses {
  /** The stored insurance record (specification 4.1). */
  'insurance.create': Insurance
  /** The stored user information (specification 4.2). */
  'users.updateInfo': UserInfo
  /** The sign-in token and the user's id. */
  'users.createSignInToken': SignInToken
  /** The user ids of successful and failed imports. */
  'link.bulkImport': BulkImportBody
  /** A page of bulk operations. */
  'link.listBulkOps': BulkOpPage
  /** The providers (specification 4.9). */
  'link.listProviders': Provider[]
  /** Whether the service accepted the deletion. */
  'link.deleteConnection': DeletedConnection
  /** A page of markers. */
  'labTests.listMarkers': MarkerPage
  /** A page of a lab test's markers. */
  'labTests.listTestMarkers': TestMarkerPage
  /** A page of an order set's markers. */
  'labTests.listOrderSetMarkers': MarkerPage
  /** A page of lab tests. */
  'labTests.list': LabTestPage
  /** All lab tests. The operation is deprecated (specification part 9). */
  'labTests.listAll': LabTest[]
  /** The booked appointment, pending or confirmed (specification 4.8). */
  'orders.bookPhlebotomyAppointment': Appointment
  /** The created order (specification 4.12). */
  'orders.create': CreatedOrder
  /** The order's latest appointment. */
  'orders.getPhlebotomyAppointment': Appointment
  /** The bytes of a PDF. */
  'orders.downloadRequisition': Uint8Array
  /** One table per query. */
  'aggregate.query': AggregateResult
  /** The bytes of a Parquet archive. */
  'aggregate.queryParquet': Uint8Array
  /** The summaries of a resource. */
  'summaries.list': SummaryResponses[keyof SummaryResponses]
}

type EndpointOf<Id extends OperationId> = Endpoint & {
  id: Id
  responses: {
    200: OperationResponses[Id] extends Uint8Array
      ? 'binary'
      : z.ZodMiniType<OperationResponses[Id]>
  }
}

/** A missing endpoint or a wrong response type is a compile error. */
const endpointsById = {
  'insurance.create': insurance.createInsurance,
  'users.updateInfo': users.updateInfo,
  'link.bulkImport': link.bulkImport,
  'link.listBulkOps': link.listBulkOps,
  'labTests.listMarkers': labTests.listMarkers,
  'labTests.listTestMarkers': labTests.listTestMarkers,
  'labTests.listOrderSetMarkers': labTests.listOrderSetMarkers,
  'users.createSignInToken': users.createSignInToken,
  'orders.bookPhlebotomyAppointment': orders.bookPhlebotomyAppointment,
  'link.listProviders': link.listProviders,
  'link.deleteConnection': link.deleteConnection,
  'aggregate.query': aggregate.queryAggregate,
  'aggregate.queryParquet': aggregate.queryParquet,
  'summaries.list': summaries.listSummaries,
  'orders.create': orders.createOrder,
  'orders.getPhlebotomyAppointment': orders.getPhlebotomyAppointment,
  'orders.downloadRequisition': orders.downloadRequisition,
  'labTests.list': labTests.listLabTests,
  'labTests.listAll': labTests.listAllLabTests,
} satisfies { [Id in OperationId]: EndpointOf<Id> | Record<string, EndpointOf<Id>> }

export type OperationEndpoint = Endpoint & EndpointFacts & { id: OperationId }

/** Every endpoint, in specification order. An operation with several paths has one endpoint per path. */
export const endpoints: readonly OperationEndpoint[] = Object.values<
  OperationEndpoint | Record<string, OperationEndpoint>
>(endpointsById).flatMap((each) => (isEndpoint(each) ? [each] : Object.values(each)))

function isEndpoint(
  each: OperationEndpoint | Record<string, OperationEndpoint>,
): each is OperationEndpoint {
  return typeof each.id === 'string'
}
