import type { Route } from './route.ts'
import { aggregate } from './routes/aggregate.ts'
import { insurance } from './routes/insurance.ts'
import { labTests } from './routes/lab-tests.ts'
import { link } from './routes/link.ts'
import { orders } from './routes/orders.ts'
import { summaries } from './routes/summaries.ts'
import { users } from './routes/users.ts'

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
