import type { AggregationFunction } from '../../src/contract/values/known-values.ts'
import { timeFormatter } from './calendar.ts'
import { compare } from './filter.ts'
import type { CellValue, Column } from './table.ts'

/** The rows of a query, group by group; within a group they are in the order of their time. */
export interface Grouping {
  /** Where each group begins in the order, and, as one more, where the last one ends. */
  starts: ArrayLike<number>
  /** The rows in order; undefined where they follow one another from `first`. */
  order: Int32Array | undefined
  first: number
}

/** Functions that only numbers have. */
export const numericFunctions: readonly string[] = ['mean', 'sum', 'median', 'stddev']

/** Computes one aggregation of one column, for each group; nulls do not count. */
export function aggregate(
  func: AggregationFunction,
  column: Column,
  grouping: Grouping,
): CellValue[] {
  const { values, cellOf } = numbered(column, func)
  const ordered = inOrder(values, grouping)
  const compute = functions[func]
  const { starts } = grouping
  const results: CellValue[] = []
  for (let group = 0; group + 1 < starts.length; group += 1) {
    const result = compute(ordered, starts[group] as number, starts[group + 1] as number)
    results.push(Number.isNaN(result) ? null : cellOf(result))
  }
  return results
}

/** A column as numbers, in which NaN stands for null, and how a result is told. */
interface Numbered {
  values: Float64Array
  cellOf: (result: number) => CellValue
}

function numbered(column: Column, func: AggregationFunction): Numbered {
  const asIs = (result: number) => result
  if (column.type === 'number') return { values: column.values, cellOf: asIs }
  const isCounted = func === 'count'
  if (column.type === 'time') {
    return { values: column.values, cellOf: isCounted ? asIs : timeFormatter() }
  }
  const sorted = [...column.dictionary].sort(compare)
  const ranks = new Map(sorted.map((text, rank) => [text, rank]))
  const rankOf = column.dictionary.map((text) => ranks.get(text) as number)
  const values = new Float64Array(column.codes.length)
  for (let row = 0; row < values.length; row += 1) {
    values[row] = rankOf[column.codes[row] as number] ?? Number.NaN
  }
  return { values, cellOf: isCounted ? asIs : (rank) => sorted[rank] ?? null }
}

function inOrder(values: Float64Array, { order, first, starts }: Grouping): Float64Array {
  const length = starts[starts.length - 1] as number
  if (!order) return values.subarray(first, first + length)
  const ordered = new Float64Array(length)
  for (let at = 0; at < length; at += 1) ordered[at] = values[order[at] as number] as number
  return ordered
}

/** Of the values from a position to another, the latter not included; NaN where there is no result. */
type Aggregation = (values: Float64Array, from: number, to: number) => number

const functions: Record<AggregationFunction, Aggregation> = {
  mean,
  min: (values, from, to) => {
    let least = Number.NaN
    for (let at = from; at < to; at += 1) {
      const value = values[at] as number
      if (!(value >= least)) least = Number.isNaN(value) ? least : value
    }
    return least
  },
  max: (values, from, to) => {
    let greatest = Number.NaN
    for (let at = from; at < to; at += 1) {
      const value = values[at] as number
      if (!(value <= greatest)) greatest = Number.isNaN(value) ? greatest : value
    }
    return greatest
  },
  sum: (values, from, to) => {
    let total = 0
    let size = 0
    for (let at = from; at < to; at += 1) {
      const value = values[at] as number
      if (Number.isNaN(value)) continue
      total += value
      size += 1
    }
    return size === 0 ? Number.NaN : total
  },
  count: (values, from, to) => {
    let size = 0
    for (let at = from; at < to; at += 1) if (!Number.isNaN(values[at])) size += 1
    return size
  },
  median: (values, from, to) => {
    const sorted = values
      .slice(from, to)
      .filter((value) => !Number.isNaN(value))
      .sort()
    const middle = (sorted.length - 1) / 2
    const [below = Number.NaN, above = Number.NaN] = [
      sorted[Math.floor(middle)],
      sorted[Math.ceil(middle)],
    ]
    return (below + above) / 2
  },
  /** Of the sample: without a result for fewer than two values. In two passes, so that it stays exact. */
  stddev: (values, from, to) => {
    const center = mean(values, from, to)
    let total = 0
    let size = 0
    for (let at = from; at < to; at += 1) {
      const distance = (values[at] as number) - center
      if (Number.isNaN(distance)) continue
      total += distance * distance
      size += 1
    }
    return size < 2 ? Number.NaN : Math.sqrt(total / (size - 1))
  },
  oldest: (values, from, to) => {
    for (let at = from; at < to; at += 1) {
      if (!Number.isNaN(values[at])) return values[at] as number
    }
    return Number.NaN
  },
  newest: (values, from, to) => {
    for (let at = to - 1; at >= from; at -= 1) {
      if (!Number.isNaN(values[at])) return values[at] as number
    }
    return Number.NaN
  },
}

function mean(values: Float64Array, from: number, to: number): number {
  let total = 0
  let size = 0
  for (let at = from; at < to; at += 1) {
    const value = values[at] as number
    if (Number.isNaN(value)) continue
    total += value
    size += 1
  }
  return size === 0 ? Number.NaN : total / size
}
