import type { ConformanceCase, RunnableCase } from './case.ts'
import { aggregateCases } from './cases/aggregate.ts'
import { eventCases } from './cases/events.ts'
import { insuranceCases } from './cases/insurance.ts'
import { labTestCases } from './cases/lab-tests.ts'
import { linkCases } from './cases/link.ts'
import { orderCases } from './cases/orders.ts'
import { serviceCases } from './cases/service.ts'
import { summaryCases } from './cases/summaries.ts'
import { userCases } from './cases/users.ts'

/** Every case with what it does, in the order of the specification. */
export const runnableCases: readonly RunnableCase[] = [
  ...userCases,
  ...insuranceCases,
  ...linkCases,
  ...labTestCases,
  ...orderCases,
  ...aggregateCases,
  ...summaryCases,
  ...serviceCases,
  ...eventCases,
].toSorted((one, other) => one.id.localeCompare(other.id, 'en', { numeric: true }))

/** Every case, in the order of the specification. */
export const conformanceCases: readonly ConformanceCase[] = runnableCases
