import { listSummaries, type SummaryQuery } from '../../src/contract/summaries.ts'
import type { Summary } from '../../src/contract/summary-records/summary.ts'
import type { SummaryResource } from '../../src/contract/values/known-values.ts'
import { day } from '../base/time-units.ts'
import { type Route, route } from '../http/route.ts'
import type { Bucket } from '../query/calendar.ts'
import { firstFrom, rowOf, type Table } from '../query/table.ts'
import { emptyProfile, summaryOf } from '../state/records/health/summaries.ts'
import { summaryTables } from '../state/records/health/summary-fields.ts'
import type { World } from '../state/world.ts'

const { activity, body, meal, profile, sleep, workouts } = listSummaries

export function summaryRoutes(): Route[] {
  return [
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
    route(profile, ({ params, query: { provider } }, world) => {
      const { user_id } = world.user(params.user_id)
      const table = tableOf('profile', user_id, world)
      const row = rowsOf(table, provider).at(-1)
      return row === undefined
        ? emptyProfile(user_id, provider, world)
        : summaryOf('profile', user_id, table, row, world)
    }),
  ]
}

/** Returns the summaries from `start_date` to `end_date`, inclusive. */
function summariesOf(
  resource: SummaryResource,
  userId: string,
  { start_date, end_date, provider }: SummaryQuery,
  world: World,
): Summary[] {
  const { user_id } = world.user(userId)
  const end = end_date ? Date.parse(end_date) + day : Number.POSITIVE_INFINITY
  const span = { start: Date.parse(start_date), end }
  const table = tableOf(resource, user_id, world, span)
  const [first, last] = [firstFrom(table.time, span.start), firstFrom(table.time, span.end)]
  return rowsOf(table, provider, first, last).map((row) =>
    summaryOf(resource, user_id, table, row, world),
  )
}

function tableOf(resource: SummaryResource, userId: string, { data }: World, span?: Bucket): Table {
  // Every summary resource has a table.
  return data.table(userId, summaryTables[resource], span) as Table
}

/** Returns the rows of a provider from `first`, inclusive, to `last`, exclusive; of any provider without one. */
function rowsOf(
  table: Table,
  provider: string | null | undefined,
  first = 0,
  last = table.time.length,
): number[] {
  return Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at).filter(
    (row) => !provider || rowOf(table, row)['source_provider'] === provider,
  )
}
