import type { Slices } from '../shared/slices.ts'
import { type Bucket, bucketOf } from './calendar.ts'
import type { Grouping } from './group-rows.ts'
import { type QueryPlan, timeUnitOf } from './plan.ts'
import { sourceRanks } from './source-priority.ts'
import { firstFrom, valueAt } from './table.ts'

/** The groups of the rows of a query, with their keys. */
export interface Grouped extends Grouping {
  /** The start of the bucket of each group. */
  times: number[]
  /** A row of each group, from which its key columns are read. */
  rows: number[]
}

/** What grouping needs besides the plan. */
interface GroupingContext {
  /** The providers, the preferred one first; undefined to keep the rows of every source. */
  providers: readonly string[] | undefined
  slices: Slices
}

/** Groups the matching rows of a timeframe. If only time decides, the rows are in the right order already. */
export async function group(
  planned: QueryPlan,
  timeframe: Bucket,
  { providers, slices }: GroupingContext,
): Promise<Grouped> {
  const { table, keys, condition } = planned
  const isByTime = keys.length === 0 && !condition
  await slices.spend(table.time.length * workOf(0, 0))
  const grouped = isByTime
    ? groupByTime(planned, timeframe)
    : sortByGroup(await assign(planned, timeframe, slices))
  if (!providers || !prefersSources(planned)) return { ...grouped, ranks: undefined }
  return { ...grouped, ranks: sourceRanks(table, providers, grouped.order) }
}

/** Groups rows by time only: rows are in the order of time, so the rows of a bucket are consecutive. */
function groupByTime({ table, truncation }: QueryPlan, timeframe: Bucket): Omit<Grouped, 'ranks'> {
  const { time } = table
  const first = firstFrom(time, timeframe.start)
  const last = firstFrom(time, timeframe.end)
  if (last <= first) return { starts: [0], order: undefined, times: [], rows: [] }
  if (!truncation) {
    const times = [timeframe.start]
    return { starts: [first, last], order: undefined, times, rows: [first] }
  }
  const [unit, value] = [timeUnitOf(truncation), truncation.value ?? 1]
  const starts: number[] = []
  const times: number[] = []
  let size = 0
  for (let row = first; row < last; row += size) {
    const bucket = bucketOf(time[row] as number, unit, value)
    starts.push(row)
    times.push(bucket.start)
    // The buckets of a regular series have the same size.
    size = nextFrom(time, bucket.end, row + size, last) - row
  }
  starts.push(last)
  return { starts, order: undefined, times, rows: [] }
}

/** Returns the first row before `last` that is not before a moment, otherwise `last`; searches from a row near it. */
function nextFrom(time: Float64Array, moment: number, near: number, last: number): number {
  let next = Math.min(near, last)
  while ((time[next - 1] as number) >= moment) next -= 1
  while (next < last && (time[next] as number) < moment) next += 1
  return next
}

/** The group of each row of a timeframe. */
interface Assignment {
  /** The row of `groups[0]`. */
  first: number
  /** -1 for a row without a group. */
  groups: Int32Array
  times: number[]
  rows: number[]
}

/** Assigns the rows to groups. Rows are in the order of time, so a bucket is complete at the first row after it. */
async function assign(
  { table, truncation, keys, condition }: QueryPlan,
  timeframe: Bucket,
  slices: Slices,
): Promise<Assignment> {
  const { time } = table
  const first = firstFrom(time, timeframe.start)
  const last = firstFrom(time, timeframe.end)
  const groups = new Int32Array(last - first).fill(-1)
  const times: number[] = []
  const rows: number[] = []
  const ids = new Map<string, number>()
  let bucket = truncation ? { start: timeframe.start, end: timeframe.start } : timeframe
  const addGroup = (key: string, row: number): number => {
    const group = times.push(bucket.start) - 1
    rows.push(row)
    ids.set(key, group)
    return group
  }
  const { matches, operands = 0 } = condition ?? {}
  const work = workOf(operands, keys.length)
  const step = Math.ceil(stepWork / work)
  for (let row = first; row < last; row += 1) {
    if ((row - first) % step === 0) {
      const pause = slices.spend(step * work)
      if (pause) await pause
    }
    if (matches && matches(row) !== true) continue
    const moment = time[row] as number
    if (truncation && moment >= bucket.end) {
      bucket = bucketOf(moment, timeUnitOf(truncation), truncation.value ?? 1)
      ids.clear()
    }
    const key = groupKeyOf(keys, row)
    groups[row - first] = ids.get(key) ?? addGroup(key, row)
  }
  return { first, groups, times, rows }
}

/** How many microseconds of work are counted at once. */
const stepWork = 1000

/** Returns the microseconds that it takes to assign a row to a group: for each value of the expression, and for each key. */
function workOf(operands: number, keys: number): number {
  return 0.02 + operands * 0.01 + keys * 0.4
}

function groupKeyOf(keys: QueryPlan['keys'], row: number): string {
  return keys.length === 0 ? '' : JSON.stringify(keys.map(({ column }) => valueAt(column, row)))
}

/**
 * Whether each group keeps only its best source. A query without groups has all sources, and so has one that groups by
 * the source itself.
 */
function prefersSources({ truncation, keys }: QueryPlan): boolean {
  const names = keys.map(({ name }) => name)
  const namesSource = names.includes('source_provider') && names.includes('source_type')
  return !namesSource && (truncation !== undefined || keys.length > 0)
}

/** Orders the rows by group; the rows of a group keep their order. */
function sortByGroup({ first, groups, times, rows }: Assignment): Omit<Grouped, 'ranks'> {
  const starts = new Uint32Array(times.length + 1)
  for (const group of groups) if (group >= 0) starts[group + 1] = (starts[group + 1] as number) + 1
  for (let group = 0; group < times.length; group += 1) {
    starts[group + 1] = (starts[group + 1] as number) + (starts[group] as number)
  }
  const order = new Int32Array(starts[times.length] as number)
  const next = starts.slice()
  groups.forEach((group, at) => {
    if (group < 0) return
    const place = next[group] as number
    order[place] = first + at
    next[group] = place + 1
  })
  return { starts, order, times, rows }
}
