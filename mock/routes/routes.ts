import type { Route } from '../http/route.ts'
import { aggregateRoutes } from './aggregate.ts'
import { insurance } from './insurance.ts'
import { labTests } from './lab-tests.ts'
import { link } from './link.ts'
import { orders } from './orders.ts'
import { summaries } from './summaries.ts'
import { users } from './users.ts'

/** The routes of the service: one for each operation. */
export const routes: readonly Route[] = [
  ...users,
  ...insurance,
  ...link,
  ...labTests,
  ...orders,
  ...aggregateRoutes,
  ...summaries,
]
