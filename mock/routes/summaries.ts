import { listSummaries } from '../../src/contract/summaries.ts'
import type { Summary } from '../../src/contract/summary-records/summary.ts'
import type { SummaryResource } from '../../src/contract/values/known-values.ts'
import { present } from '../../src/shared/narrow.ts'
import { type RouteRequest, route } from '../http/route.ts'
import { type Bucket, readTime } from '../query/calendar.ts'
import { firstFrom, rowOf, type Table } from '../query/table.ts'
import { Slices } from '../shared/slices.ts'
import { day } from '../shared/time-units.ts'
import { localTime } from '../shared/time-zone.ts'
import { emptyProfile, summaryOf } from '../state/health/summaries.ts'
import { summaryTables } from '../state/health/summary-fields.ts'
import type { World } from '../state/world.ts'

const { activity, body, meal, profile, sleep, workouts } = listSummaries

export const summaryRoutes = [
  route(activity, async (request, world) => ({
    activity: await summariesOf('activity', request, world),
  })),
  route(body, async (request, world) => ({
    body: await summariesOf('body', request, world),
  })),
  route(meal, async (request, world) => ({
    meals: await summariesOf('meal', request, world),
  })),
  route(sleep, async (request, world) => ({
    sleep: await summariesOf('sleep', request, world),
  })),
  route(workouts, async (request, world) => ({
    workouts: await summariesOf('workouts', request, world),
  })),
  route(profile, async ({ params, query: { provider }, signal }, world) => {
    const { user_id } = world.user(params.user_id)
    const table = await tableOf({ resource: 'profile', user_id, signal }, world)
    const row = rowsOf(table, provider).at(-1)
    return row === undefined
      ? emptyProfile(user_id, provider, world)
      : summaryOf('profile', { user_id, table, row }, world)
  }),
]

/** Returns the summaries from `start_date` to `end_date`, inclusive. By default, there is no end date. */
async function summariesOf(
  resource: SummaryResource,
  { params, query, signal }: RouteRequest<typeof activity>,
  world: World,
): Promise<Summary[]> {
  const { user_id } = world.user(params.user_id)
  const { start_date, end_date, provider } = query
  const zone = world.data.zoneOf(user_id)
  const end = end_date ? startOfDay(end_date, zone) + day : Number.POSITIVE_INFINITY
  const span = { start: startOfDay(start_date, zone), end }
  const table = await tableOf({ resource, user_id, span, signal }, world)
  const [first, last] = [firstFrom(table.time, span.start), firstFrom(table.time, span.end)]
  return rowsOf(table, provider, first, last).map((row) =>
    summaryOf(resource, { user_id, table, row }, world),
  )
}

/** Returns the start of a date, or of the user's local day that contains a date-time. */
function startOfDay(text: string, zone: string): number {
  const { local = Number.NaN, moment } = readTime(text) ?? {}
  const time = moment === undefined ? local : localTime(zone, moment)
  return Math.floor(time / day) * day
}

interface TablePart {
  resource: SummaryResource
  user_id: string
  span?: Bucket
  signal: AbortSignal | undefined
}

async function tableOf({ resource, user_id, span, signal }: TablePart, { data, clock }: World) {
  const name = summaryTables[resource]
  await data.prepare(user_id, name, new Slices(signal, clock.interruption), span)
  // Every summary resource has a table.
  return present(data.table(user_id, name, span))
}

/** Returns the indexes of a provider's rows, or of all rows, from `first` (inclusive) to `last` (exclusive). */
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
