import type { AggregationFunction } from '../../src/contract/aggregate.ts'
import { compare } from './filter.ts'
import { type Column, valueAt } from './table.ts'

/** The rows of a query, each with its group; -1 for a row that was filtered out. */
export interface Grouping {
  /** The row that `groups[0]` is about. */
  first: number
  groups: Int32Array
  /** How many groups there are. */
  count: number
}

type Result = (number | string | null)[]
type NumberColumn = Extract<Column, { type: 'number' }>

/** Functions that only numbers have. */
export const numericFunctions: readonly string[] = ['mean', 'sum', 'median', 'stddev']

/** Computes one aggregation of one column; nulls do not count. */
export function aggregate(func: AggregationFunction, column: Column, grouping: Grouping): Result {
  if (func === 'count') return Array.from(counts(column, grouping))
  if (func === 'oldest') return atEdge(column, grouping, (_, held) => held === -1)
  if (func === 'newest') return atEdge(column, grouping, () => true)
  if (column.type !== 'number') {
    const sign = func === 'min' ? -1 : 1
    return atEdge(column, grouping, (row, held) => {
      if (held === -1) return true
      return sign * compare(valueAt(column, row), valueAt(column, held)) > 0
    })
  }
  return numeric[func](column, grouping)
}

const numeric = { mean, sum, min: extreme(-1), max: extreme(1), median, stddev }

function counts(column: Column, { first, groups, count }: Grouping): Float64Array {
  const result = new Float64Array(count)
  if (column.type === 'text') {
    const { codes } = column
    for (let at = 0; at < groups.length; at += 1) {
      const group = groups[at] as number
      if (group >= 0 && (codes[first + at] as number) >= 0)
        result[group] = (result[group] as number) + 1
    }
    return result
  }
  const { values } = column
  for (let at = 0; at < groups.length; at += 1) {
    const group = groups[at] as number
    if (group < 0) continue
    const value = values[first + at] as number
    if (!Number.isNaN(value)) result[group] = (result[group] as number) + 1
  }
  return result
}

/** Sums and counts in one pass over the rows. */
function totals({ values }: NumberColumn, { first, groups, count }: Grouping) {
  const sums = new Float64Array(count)
  const sizes = new Float64Array(count)
  for (let at = 0; at < groups.length; at += 1) {
    const group = groups[at] as number
    if (group < 0) continue
    const value = values[first + at] as number
    if (Number.isNaN(value)) continue
    sums[group] = (sums[group] as number) + value
    sizes[group] = (sizes[group] as number) + 1
  }
  return { sums, sizes }
}

function sum(column: NumberColumn, grouping: Grouping): Result {
  const { sums, sizes } = totals(column, grouping)
  return Array.from(sums, (total, group) => (sizes[group] === 0 ? null : total))
}

function mean(column: NumberColumn, grouping: Grouping): Result {
  const { sums, sizes } = totals(column, grouping)
  return Array.from(sums, (total, group) =>
    sizes[group] === 0 ? null : total / (sizes[group] as number),
  )
}

function extreme(sign: 1 | -1) {
  return ({ values }: NumberColumn, { first, groups, count }: Grouping): Result => {
    const held = new Float64Array(count).fill(Number.NaN)
    for (let at = 0; at < groups.length; at += 1) {
      const group = groups[at] as number
      if (group < 0) continue
      const value = values[first + at] as number
      const best = held[group] as number
      if (Number.isNaN(best) || (value - best) * sign > 0) held[group] = value
    }
    return Array.from(held, (value) => (Number.isNaN(value) ? null : value))
  }
}

/** The sample standard deviation; null for fewer than two values. In two passes, so that it stays exact. */
function stddev(column: NumberColumn, grouping: Grouping): Result {
  const { sums, sizes } = totals(column, grouping)
  const { first, groups, count } = grouping
  const squares = new Float64Array(count)
  for (let at = 0; at < groups.length; at += 1) {
    const group = groups[at] as number
    if (group < 0) continue
    const value = column.values[first + at] as number
    if (Number.isNaN(value)) continue
    const distance = value - (sums[group] as number) / (sizes[group] as number)
    squares[group] = (squares[group] as number) + distance * distance
  }
  return Array.from(squares, (total, group) => {
    const size = sizes[group] as number
    return size < 2 ? null : Math.sqrt(total / (size - 1))
  })
}

/** The middle value, or the mean of the two middle ones. */
function median({ values }: NumberColumn, grouping: Grouping): Result {
  const sizes = counts({ type: 'number', isInteger: false, values }, grouping)
  const starts = new Uint32Array(grouping.count + 1)
  for (let group = 0; group < grouping.count; group += 1) {
    starts[group + 1] = (starts[group] as number) + (sizes[group] as number)
  }
  const sorted = new Float64Array(starts[grouping.count] as number)
  const ends = starts.slice()
  for (let at = 0; at < grouping.groups.length; at += 1) {
    const group = grouping.groups[at] as number
    if (group < 0) continue
    const value = values[grouping.first + at] as number
    if (Number.isNaN(value)) continue
    sorted[ends[group] as number] = value
    ends[group] = (ends[group] as number) + 1
  }
  return Array.from(sizes, (size, group) => {
    if (size === 0) return null
    const slice = sorted.subarray(starts[group], starts[group + 1]).sort()
    const middle = (size - 1) / 2
    return ((slice[Math.floor(middle)] as number) + (slice[Math.ceil(middle)] as number)) / 2
  })
}

/** Of each group the value of one row: the last one for which `takes` says so against the row held so far (-1: none). */
function atEdge(
  column: Column,
  { first, groups, count }: Grouping,
  takes: (row: number, held: number) => boolean,
): Result {
  const held = new Int32Array(count).fill(-1)
  for (let at = 0; at < groups.length; at += 1) {
    const group = groups[at] as number
    const row = first + at
    if (group < 0 || valueAt(column, row) === null) continue
    if (takes(row, held[group] as number)) held[group] = row
  }
  return Array.from(held, (row) => (row === -1 ? null : valueAt(column, row)))
}
