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

/** By operation and path. */
const routes = new Map<string, Route>()

/** Returns what responds to the requests of a route. */
export function routeOf({ endpoint }: ServiceRoute): Route {
  const name = nameOf(endpoint)
  if (!routes.has(name)) addNamespace(endpoint.id)
  // Each operation has its route.
  return routes.get(name) as Route
}

function addNamespace(id: string): void {
  const [namespace = ''] = id.split('.')
  for (const route of namespaces[namespace]?.() ?? []) routes.set(nameOf(route.endpoint), route)
}

function nameOf({ id, path }: { id: string; path: string }): string {
  return `${id} ${path}`
}
