import type { Route } from '../http/route.ts'
import { aggregateRoutes } from './aggregate.ts'
import { insuranceRoutes } from './insurance.ts'
import { labTestRoutes } from './lab-tests.ts'
import { linkRoutes } from './link.ts'
import { orderRoutes } from './orders.ts'
import { summaryRoutes } from './summaries.ts'
import { userRoutes } from './users.ts'

/** The routes of the service: one for each operation. */
export const routes: readonly Route[] = [
  ...userRoutes,
  ...insuranceRoutes,
  ...linkRoutes,
  ...labTestRoutes,
  ...orderRoutes,
  ...aggregateRoutes,
  ...summaryRoutes,
]
