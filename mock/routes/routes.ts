import type { Route } from '../http/route.ts'
import type { ServiceRoute } from '../http/service-routes.ts'
import { aggregateRoutes } from './aggregate.ts'
import { insuranceRoutes } from './insurance.ts'
import { labTestRoutes } from './lab-tests.ts'
import { linkRoutes } from './link.ts'
import { orderRoutes } from './orders.ts'
import { summaryRoutes } from './summaries.ts'
import { userRoutes } from './users.ts'

/** The routes of each namespace. In the CommonJS build, a function loads them at its first call. */
const namespaces: Record<string, () => Route[]> = {
  aggregate: aggregateRoutes,
  insurance: insuranceRoutes,
  labTests: labTestRoutes,
  link: linkRoutes,
  orders: orderRoutes,
  summaries: summaryRoutes,
  users: userRoutes,
}

/** By operation and path: some operations have several paths. */
const routes = new Map<string, Map<string, Route>>()

/** Returns what responds to the requests of a route. */
export function routeOf({ endpoint: { id, path } }: ServiceRoute): Route {
  if (!routes.has(id)) addNamespace(id)
  // Each operation has its routes.
  return routes.get(id)?.get(path) as Route
}

function addNamespace(operation: string): void {
  const [namespace = ''] = operation.split('.')
  for (const route of namespaces[namespace]?.() ?? []) {
    const { id, path } = route.endpoint
    const paths = routes.get(id) ?? new Map<string, Route>()
    routes.set(id, paths.set(path, route))
  }
}
