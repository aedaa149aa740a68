import type { Grouping } from './aggregations.ts'
import { type Bucket, bucketOf } from './calendar.ts'
import { type Plan, unitOf } from './plan.ts'
import { type SourceRanks, sourceRanks } from './source-priority.ts'
import { firstFrom, valueAt } from './table.ts'

/** The groups of the rows of a query, with their keys. */
export interface Grouped extends Grouping {
  /** The start of the bucket of each group. */
  times: number[]
  /** A row of each group, from which its key columns are read. */
  rows: number[]
}

/**
 * Groups the matching rows of a timeframe. If only time decides, the rows are in the right order already.
 *
 * @param providers The providers, the preferred one first; undefined to keep the rows of every source.
 */
export function group(
  planned: Plan,
  timeframe: Bucket,
  providers: readonly string[] | undefined,
): Grouped {
  const { table, keys, matches } = planned
  const isByTime = keys.length === 0 && !matches
  const grouped = isByTime
    ? groupByTime(planned, timeframe)
    : sortByGroup(assign(planned, timeframe))
  const ranks = providers && prefersSources(planned) ? sourceRanks(table, providers) : undefined
  return ranks ? preferSources(grouped, ranks) : grouped
}

/** Groups rows by time only: rows are in the order of time, so the rows of a bucket are consecutive. */
function groupByTime({ table, truncation }: Plan, timeframe: Bucket): Grouped {
  const { time } = table
  const first = firstFrom(time, timeframe.start)
  const last = firstFrom(time, timeframe.end)
  if (last <= first) return { starts: [0], order: undefined, first, times: [], rows: [] }
  if (!truncation) {
    const times = [timeframe.start]
    return { starts: [0, last - first], order: undefined, first, times, rows: [first] }
  }
  const [unit, value] = [unitOf(truncation), truncation.value ?? 1]
  const starts: number[] = []
  const times: number[] = []
  for (let row = first; row < last; ) {
    const bucket = bucketOf(time[row] as number, unit, value)
    starts.push(row - first)
    times.push(bucket.start)
    row = nextFrom(time, bucket.end, row, last)
  }
  starts.push(last - first)
  return { starts, order: undefined, first, times, rows: [] }
}

/** Returns the first row after `row` and before `last` that is not before a moment, otherwise `last`. */
function nextFrom(time: Float64Array, moment: number, row: number, last: number): number {
  let step = 1
  while (row + step < last && (time[row + step] as number) < moment) step *= 2
  let [low, high] = [row + (step >>> 1) + 1, Math.min(row + step, last)]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((time[middle] as number) < moment) low = middle + 1
    else high = middle
  }
  return low
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
function assign({ table, truncation, keys, matches }: Plan, timeframe: Bucket): Assignment {
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
  for (let row = first; row < last; row += 1) {
    if (matches && matches(row) !== true) continue
    const moment = time[row] as number
    if (truncation && moment >= bucket.end) {
      bucket = bucketOf(moment, unitOf(truncation), truncation.value ?? 1)
      ids.clear()
    }
    const key = groupKeyOf(keys, row)
    groups[row - first] = ids.get(key) ?? addGroup(key, row)
  }
  return { first, groups, times, rows }
}

function groupKeyOf(keys: Plan['keys'], row: number): string {
  return keys.length === 0 ? '' : JSON.stringify(keys.map(({ column }) => valueAt(column, row)))
}

/** Greater than every rank of a source. */
const worstRank = 0x7fff_ffff

/** Keeps in each group only the rows of its best source. */
function preferSources(
  grouped: Grouped,
  { types, providers, ofTypes, ofProviders }: SourceRanks,
): Grouped {
  const { starts } = grouped
  const groups = grouped.times.length
  const order = grouped.order?.slice() ?? consecutive(grouped.first, starts[groups] as number)
  const keptStarts = new Uint32Array(groups + 1)
  let size = 0
  for (let group = 0; group < groups; group += 1) {
    const end = starts[group + 1] as number
    let best = worstRank
    for (let at = starts[group] as number; at < end; at += 1) {
      const row = order[at] as number
      // Every code has a rank.
      const ofType = ofTypes[(types[row] as number) + 1] as number
      const rank = ofType + (ofProviders[(providers[row] as number) + 1] as number)
      if (rank < best) {
        best = rank
        size = keptStarts[group] as number
      }
      // The next row overwrites one of another source: a branch that the processor cannot predict takes longer.
      order[size] = row
      size += rank === best ? 1 : 0
    }
    keptStarts[group + 1] = size
  }
  return { ...grouped, starts: keptStarts, order }
}

function consecutive(first: number, length: number): Int32Array {
  const rows = new Int32Array(length)
  for (let at = 0; at < length; at += 1) rows[at] = first + at
  return rows
}

/**
 * Whether each group keeps only its best source. A query without groups has all sources, and so has one that groups by
 * the source itself.
 */
function prefersSources({ truncation, keys }: Plan): boolean {
  const names = keys.map(({ name }) => name)
  const namesSource = names.includes('source_provider') && names.includes('source_type')
  return !namesSource && (truncation !== undefined || keys.length > 0)
}

/** Orders the rows by group; the rows of a group keep their order. */
function sortByGroup({ first, groups, times, rows }: Assignment): Grouped {
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
  return { starts, order, first, times, rows }
}
