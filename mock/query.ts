import type {
  AggregateRequest,
  AggregationResult,
  Duration,
  GroupByItem,
  Query,
} from '../src/contract/aggregate.ts'
import type { Random } from './random.ts'
import { unprocessable, type ValidationDetail } from './refusal.ts'

/** One row of a small built-in data set. */
export interface HealthRow {
  /** Midnight of its day, in milliseconds since 1970. */
  time: number
  values: Record<string, number>
}

const day = 86_400_000

/** The resources of the built-in data set, one row a day. */
const datasets: Record<string, (random: Random) => Record<string, number>> = {
  sleep: (random) => {
    const duration = random.integer(360, 540) * 60
    return {
      score: random.integer(55, 98),
      duration_second: duration,
      stage_asleep_second: Math.round(duration * 0.9),
      heart_rate_mean: random.integer(50, 64),
      hrv_mean_rmssd: random.integer(28, 90),
      efficiency: random.integer(78, 97),
    }
  },
  activity: (random) => {
    const steps = random.integer(2500, 14_500)
    return {
      steps,
      distance_meter: Math.round(steps * 0.74),
      calories_active: Math.round(steps * 0.04),
      calories_total: Math.round(1700 + steps * 0.04),
      floors_climbed: random.integer(0, 20),
    }
  },
}

/** The rows of a user, one for each day from the first moment to the last, which is not included. */
export function healthRows(
  resource: string,
  random: Random,
  from: number,
  to: number,
): HealthRow[] {
  const dataset = datasets[resource]
  if (!dataset) return []
  const days = Math.max(0, Math.ceil((to - from) / day))
  return Array.from({ length: days }, (_, at) => {
    const time = from + at * day
    return { time, values: dataset(random.fork(`${resource}/${time}`)) }
  })
}

/** Answers the queries of a request, in their order (specification 4.11). */
export function answerQueries(request: AggregateRequest, random: Random): AggregationResult[] {
  const details = request.queries.flatMap(queryDetails)
  if (details.length > 0) throw unprocessable(details)
  const to = Date.parse(request.timeframe.anchor) + day
  const from = periodStart(to, request.timeframe.past)
  return request.queries.map((query) => ({ table: table(query, random, from, to) }))
}

const functions: Record<string, (values: number[]) => number> = {
  mean: (values) => sum(values) / values.length,
  sum,
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
  count: (values) => values.length,
  oldest: (values) => values[0] as number,
  newest: (values) => values.at(-1) as number,
  median: (values) => {
    const sorted = values.toSorted((one, other) => one - other)
    const middle = (sorted.length - 1) / 2
    return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2
  },
  stddev: (values) => {
    const mean = sum(values) / values.length
    return Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1))
  },
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function table({ select, group_by }: Query, random: Random, from: number, to: number) {
  const [resource = ''] = Object.keys(select[0]?.arg ?? {})
  const groups = Map.groupBy(healthRows(resource, random, from, to), ({ time }) =>
    truncated(time, group_by?.[0]?.date_trunc, from),
  )
  const columns: Record<string, unknown[]> = {
    index: [...groups.keys()].map((time) => new Date(time).toISOString().slice(0, 19)),
  }
  for (const { arg, func } of select) {
    const [column = ''] = Object.values(arg)
    const name = func in columns ? `${func}.${column}` : func
    const compute = functions[func] as (values: number[]) => number
    columns[name] = [...groups.values()].map((rows) =>
      compute(rows.map(({ values }) => values[column] as number)),
    )
  }
  return columns
}

/** The start of the group a moment belongs to; without a unit there is one group. */
function truncated(time: number, trunc: Duration | undefined, from: number): number {
  const date = new Date(time)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  switch (trunc?.unit) {
    case undefined:
      return from
    case 'month':
      return Date.UTC(year, month)
    case 'year':
      return Date.UTC(year, 0)
    case 'week':
      return time - ((date.getUTCDay() + 6) % 7) * day
    default:
      return time
  }
}

function periodStart(end: number, { unit, value = 1 }: Duration): number {
  const date = new Date(end)
  if (unit === 'month') return date.setUTCMonth(date.getUTCMonth() - value)
  if (unit === 'year') return date.setUTCFullYear(date.getUTCFullYear() - value)
  return end - Math.max(1, unit === 'week' ? 7 * value : unit === 'day' ? value : 1) * day
}

/** What this data set cannot answer is refused, with its place. */
function queryDetails({ select, group_by, where }: Query, at: number): ValidationDetail[] {
  const details: ValidationDetail[] = []
  const refuse = (loc: (string | number)[], msg: string, input: unknown) => {
    details.push({ type: 'value_error', loc: ['body', 'queries', at, ...loc], msg, input })
  }
  if (select.length === 0) refuse(['select'], 'Input should select something', select)
  const resources = new Set(select.flatMap(({ arg }) => Object.keys(arg)))
  if (resources.size > 1) refuse(['select'], 'A query is about one resource', null)
  select.forEach(({ arg, func }, item) => {
    const [[resource, column] = ['', '']] = Object.entries(arg)
    const columns = Object.keys(sample(resource))
    if (!columns.includes(column)) {
      refuse(['select', item, 'arg'], knownColumns(columns), null)
    }
    if (!Object.hasOwn(functions, func)) {
      refuse(['select', item, 'func'], `Input should be ${oneOf(Object.keys(functions))}`, func)
    }
  })
  if (where) refuse(['where'], 'This data set does not support where', null)
  group_by?.forEach((item, position) => {
    if (!isSupported(item)) refuse(['group_by', position], 'Input should be a date_trunc', null)
  })
  return details
}

function sample(resource: string): Record<string, number> {
  return datasets[resource]?.(sampling) ?? {}
}

/** A source of chance for the names of columns, whose values do not matter. */
const sampling = { integer: (min: number) => min } as unknown as Random

function knownColumns(columns: string[]): string {
  if (columns.length === 0) return `The resource should be ${oneOf(Object.keys(datasets))}`
  return `The column should be ${oneOf(columns)}`
}

function isSupported({ date_trunc }: GroupByItem): boolean {
  const units = ['day', 'week', 'month', 'year']
  return date_trunc !== undefined && units.includes(date_trunc.unit)
}

function oneOf(names: string[]): string {
  return `one of ${names.join(', ')}`
}
