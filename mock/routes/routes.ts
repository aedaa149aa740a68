import type { Route } from '../http/route.ts'
import { aggregate } from './aggregate.ts'
import { insurance } from './insurance.ts'
import { labTests } from './lab-tests.ts'
import { link } from './link.ts'
import { orders } from './orders.ts'
import { summaries } from './summaries.ts'
import { users } from './users.ts'

/** What answers each operation of the service. */
export const routes: readonly Route[] = [
  ...users,
  ...insurance,
  ...link,
  ...labTests,
  ...orders,
  ...aggregate,
  ...summaries,
]
