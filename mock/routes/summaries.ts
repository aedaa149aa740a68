import {
  listSummaries,
  type Summary,
  type SummaryQuery,
  type SummaryResource,
} from '../../src/contract/summaries.ts'
import { healthRows } from '../query.ts'
import { type Route, route } from '../route.ts'
import { sourceOf } from '../source.ts'
import type { World } from '../world.ts'

const { activity, body, meal, profile, sleep, workouts } = listSummaries

export const summaries: Route[] = [
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
    const random = world.random.fork(`profile/${user_id}`)
    return {
      id: random.uuid(),
      user_id,
      date: world.clock.now().toISOString().slice(0, 10),
      height: random.integer(150, 200),
      source: sourceOf('manual', 'unknown', world),
    }
  }),
]

const day = 86_400_000

/** A summary a day, from the first day to the last, both included. */
function summariesOf(
  resource: SummaryResource,
  userId: string,
  { start_date, end_date, provider }: SummaryQuery,
  world: World,
): Summary[] {
  const { user_id } = world.user(userId)
  const source = sourceOf(resource === 'sleep' ? 'oura' : 'garmin', 'app', world)
  if (provider && provider !== source.provider) return []
  const random = world.random.fork(`health/${user_id}`)
  const last = end_date ? Date.parse(end_date) : Math.floor(world.clock.moment / day) * day
  const rows = healthRows(resource, random, Date.parse(start_date), last + day)
  return rows.map(({ time, values }) => ({
    id: random.fork(`${resource}/${time}/id`).uuid(),
    user_id,
    source,
    calendar_date: new Date(time).toISOString().slice(0, 10),
    ...values,
  }))
}
