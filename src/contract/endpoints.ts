import * as aggregate from './aggregate.ts'
import * as insurance from './insurance.ts'
import * as labTests from './lab-tests.ts'
import * as link from './link.ts'
import * as orders from './orders.ts'
import * as summaries from './summaries.ts'
import * as users from './users.ts'

/** The contract by the namespaces of the client. */
export const namespaces = { aggregate, insurance, labTests, link, orders, summaries, users }

/** Every endpoint, in the order of the specification. */
export const endpoints = [
  insurance.createInsurance,
  users.updateInfo,
  link.bulkImport,
  link.listBulkOps,
  labTests.listMarkers,
  labTests.listTestMarkers,
  labTests.listOrderSetMarkers,
  users.createSignInToken,
  orders.bookPhlebotomyAppointment,
  link.listProviders,
  link.deleteConnection,
  aggregate.queryAggregate,
  aggregate.queryParquet,
  ...Object.values(summaries.listSummaries),
  orders.createOrder,
  orders.getPhlebotomyAppointment,
  orders.downloadRequisition,
  labTests.listLabTests,
  labTests.listAllLabTests,
] as const
