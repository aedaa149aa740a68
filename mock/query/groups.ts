import type { Slices } from '../shared/slices.ts'
import { type Bucket, bucketOf } from './calendar.ts'
import { type QueryPlan, timeUnitOf } from './check-query.ts'
import type { Grouping } from './group-rows.ts'
import { sourceRanks } from './source-priority.ts'
import { firstFrom, valueAt } from './table.ts'

export interface Grouped extends Grouping {
  /** The start of each group's bucket. */
  times: number[]
  /** One row of each group, from which the group's keys are read. Can be empty for a query without keys. */
  rows: number[]
}

interface GroupingContext {
  /** The providers in order of preference, or undefined to keep the rows of every source. */
  providers: readonly string[] | undefined
  slices: Slices
}

/**
 * Groups a query's rows. A query with neither keys nor a condition requires no sorting, because rows are in
 * chronological order.
 */
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

/** Groups rows by time bucket. Rows are in chronological order, so the rows in a bucket are consecutive. */
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
    // The buckets of a regular series have equal sizes, so start the search at the previous bucket's size.
    size = nextFrom(time, bucket.end, row + size, last) - row
  }
  starts.push(last)
  return { starts, order: undefined, times, rows: [] }
}

/**
 * Returns the first row before `last` whose time is at or after the given time, or `last` if there is none. Starts the
 * search at `near`.
 */
function nextFrom(time: Float64Array, moment: number, near: number, last: number): number {
  let next = Math.min(near, last)
  while ((time[next - 1] as number) >= moment) next -= 1
  while (next < last && (time[next] as number) < moment) next += 1
  return next
}

interface Assignment {
  /** The row number of `groups[0]`. */
  first: number
  /** The group of each row, or -1 for a row without a group. */
  groups: Int32Array
  times: number[]
  rows: number[]
}

/** Assigns rows to groups. Rows are in chronological order, so a bucket is complete at the first row after it. */
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

/** `slices.spend` is called after about this many microseconds of work. */
const stepWork = 1000

/** Returns the estimated time to assign a row, in microseconds, given the numbers of operands and keys. */
function workOf(operands: number, keys: number): number {
  return 0.02 + operands * 0.01 + keys * 0.4
}

function groupKeyOf(keys: QueryPlan['keys'], row: number): string {
  return keys.length === 0 ? '' : JSON.stringify(keys.map(({ column }) => valueAt(column, row)))
}

/**
 * Returns whether each group keeps only the rows of its best source. A query that has no groups, or that groups by
 * source provider and type, keeps all sources.
 */
function prefersSources({ truncation, keys }: QueryPlan): boolean {
  const names = keys.map(({ name }) => name)
  const namesSource = names.includes('source_provider') && names.includes('source_type')
  return !namesSource && (truncation !== undefined || keys.length > 0)
}

/** Sorts the rows by group. Rows within a group keep their order. */
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
