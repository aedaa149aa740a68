import {
  listSummaries,
  type Summary,
  type SummaryQuery,
  type SummaryResource,
} from '../../src/contract/summaries.ts'
import { type CellValue, firstFrom, type Table, valueAt } from '../query/table.ts'
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
    const table = world.data.table(user_id, 'profile') as Table
    const latest = rowOf(table, table.time.length - 1)
    const date = String(latest['date'] ?? world.clock.now().toISOString()).slice(0, 10)
    return {
      id: world.random.fork(`profile/${user_id}`).uuid(),
      user_id,
      date,
      height: numberOf(latest['height']),
      source: rowSource(latest, world),
    }
  }),
]

const day = 86_400_000

/** The summaries of the days from the first to the last, both included. */
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
    .map((row) => summaryOf(table, row, `${resource}/${user_id}`, user_id, world))
}

function summaryOf(
  table: Table,
  row: number,
  label: string,
  user_id: string,
  world: World,
): Summary {
  const { source_provider, source_type, source_app_id, id, ...fields } = rowOf(table, row)
  const moment = table.time[row] as number
  const chance = world.random.fork(`${label}/${source_provider}/${moment}`)
  return {
    ...fields,
    id: typeof id === 'string' ? id : chance.uuid(),
    user_id,
    source: rowSource({ source_provider, source_type, source_app_id }, world),
    calendar_date: new Date(moment).toISOString().slice(0, 10),
  }
}

type Cells = Partial<Record<string, CellValue>>

function rowOf({ columns }: Table, row: number): Cells {
  const cells = Object.entries(columns).map(([name, column]) => [
    name,
    row < 0 ? null : valueAt(column, row),
  ])
  return Object.fromEntries(cells)
}

function rowSource({ source_provider, source_type, source_app_id }: Cells, world: World) {
  const source = sourceOf(
    String(source_provider ?? 'manual'),
    String(source_type ?? 'unknown'),
    world,
  )
  return { ...source, app_id: typeof source_app_id === 'string' ? source_app_id : null }
}

function numberOf(cell: CellValue | undefined): number | null {
  return typeof cell === 'number' ? cell : null
}
