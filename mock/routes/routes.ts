import { present } from '../../src/shared/narrow.ts'
import type { Route } from '../http/route.ts'
import type { ServiceRoute } from '../http/router.ts'
import { aggregateRoutes } from './aggregate.ts'
import { insuranceRoutes } from './insurance.ts'
import { labTestRoutes } from './lab-tests.ts'
import { linkRoutes } from './link.ts'
import { orderRoutes } from './orders.ts'
import { summaryRoutes } from './summaries.ts'
import { userRoutes } from './users.ts'

/** The routes of all operations. If one is missing, `test/contract/types.test.ts` does not compile. */
export const routes = [
  ...aggregateRoutes,
  ...insuranceRoutes,
  ...labTestRoutes,
  ...linkRoutes,
  ...orderRoutes,
  ...summaryRoutes,
  ...userRoutes,
]

/** The routes by operation id and path, because `summaries.list` has one path per resource. */
const byEndpoint = new Map(routes.map((route) => [keyOf(route), route]))

export function serviceRouteOf(route: ServiceRoute): Route {
  // Every operation has a route for each of its paths.
  return present(byEndpoint.get(keyOf(route)))
}

function keyOf({ endpoint: { id, path } }: { endpoint: { id: string; path: string } }): string {
  return `${id} ${path}`
}
