import { queryAggregate, queryParquet } from './aggregate.ts'
import { createInsurance } from './insurance.ts'
import {
  listAllLabTests,
  listLabTests,
  listMarkers,
  listOrderSetMarkers,
  listTestMarkers,
} from './lab-tests.ts'
import { bulkImport, deleteConnection, listBulkOps, listProviders } from './link.ts'
import {
  bookPhlebotomyAppointment,
  createOrder,
  downloadRequisition,
  getPhlebotomyAppointment,
} from './orders.ts'
import { listSummaries } from './summaries.ts'
import { createSignInToken, updateInfo } from './users.ts'

/** Every operation of the service, in the order of the specification. */
export const endpoints = [
  createInsurance,
  updateInfo,
  bulkImport,
  listBulkOps,
  listMarkers,
  listTestMarkers,
  listOrderSetMarkers,
  createSignInToken,
  bookPhlebotomyAppointment,
  listProviders,
  deleteConnection,
  queryAggregate,
  queryParquet,
  ...Object.values(listSummaries),
  createOrder,
  getPhlebotomyAppointment,
  downloadRequisition,
  listLabTests,
  listAllLabTests,
] as const
