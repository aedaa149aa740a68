import { listSummaries, type Summary, type SummaryQuery } from '../../src/contract/summaries.ts'
import type { SummaryResource } from '../../src/contract/values/known-values.ts'
import { day } from '../base/time-units.ts'
import { type Route, route } from '../http/route.ts'
import { firstFrom, type Table } from '../query/table.ts'
import { profileOf, rowOf, summaryOf } from '../state/records/summaries.ts'
import type { World } from '../state/world.ts'

const { activity, body, meal, profile, sleep, workouts } = listSummaries

export const summaryRoutes: Route[] = [
  route(activity, ({ params, query }, world) => ({
    activity: summariesOf('activity', params.user_id, query, world),
  })),
  route(body, ({ params, query }, world) => ({
    body: summariesOf('body', params.user_id, query, world),
  })),
  route(meal, ({ params, query }, world) => ({
    meals: summariesOf('meal', params.user_id, query, world),
  })),
  route(sleep, ({ params, query }, world) => ({
    sleep: summariesOf('sleep', params.user_id, query, world),
  })),
  route(workouts, ({ params, query }, world) => ({
    workouts: summariesOf('workouts', params.user_id, query, world),
  })),
  route(profile, ({ params }, world) => {
    const { user_id } = world.user(params.user_id)
    const table = world.data.table(user_id, 'profile') as Table
    const today = world.clock.now().toISOString()
    return profileOf(user_id, table, table.time.length - 1, today, world)
  }),
]

/** Returns the summaries from `start_date` to `end_date`, inclusive. */
function summariesOf(
  resource: SummaryResource,
  userId: string,
  { start_date, end_date, provider }: SummaryQuery,
  world: World,
): Summary[] {
  const { user_id } = world.user(userId)
  // Every summary resource has a table.
  const table = world.data.table(user_id, resource === 'workouts' ? 'workout' : resource) as Table
  const first = firstFrom(table.time, Date.parse(start_date))
  const last = end_date ? firstFrom(table.time, Date.parse(end_date) + day) : table.time.length
  return Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at)
    .filter((row) => !provider || rowOf(table, row)['source_provider'] === provider)
    .map((row) => summaryOf(resource, user_id, table, row, world))
}
