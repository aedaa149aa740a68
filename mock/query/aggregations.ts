import type { AggregationFunction } from '../../src/contract/values/known-values.ts'
import type { Slices } from '../shared/slices.ts'
import { timeFormatter } from './calendar.ts'
import { compareText } from './filter.ts'
import { type Grouping, GroupRows } from './group-rows.ts'
import type { CellValue, Column } from './table.ts'

/** The functions that accept only number columns. */
export const numericFunctions: readonly string[] = ['mean', 'sum', 'median', 'stddev']

export interface ColumnAggregation {
  func: AggregationFunction
  column: Column
}

/** Computes the aggregations for each group, ignoring nulls. Each result contains one cell per group. */
export async function aggregate<Item extends ColumnAggregation>(
  aggregations: readonly Item[],
  grouping: Grouping,
  slices: Slices,
): Promise<Map<Item, CellValue[]>> {
  const prepared = aggregations.map(prepare)
  const { starts, order, ranks } = grouping
  const rows = order || ranks ? new GroupRows(grouping) : undefined
  let work = 0
  for (let group = 0; group + 1 < starts.length; group += 1) {
    const [from, to] = [starts[group] as number, starts[group + 1] as number]
    rows?.read(from, to)
    for (const { values, compute, cellOf, cells } of prepared) {
      work += groupWork + (to - from) * rowWork
      if (work > stepWork) {
        await slices.spend(work)
        work = 0
      }
      const result = rows ? compute(rows.valuesOf(values), 0, rows.size) : compute(values, from, to)
      cells.push(Number.isNaN(result) ? null : cellOf(result))
    }
  }
  return new Map(aggregations.map((item, at) => [item, prepared[at]?.cells ?? []]))
}

/** The estimated costs per group and per row of an aggregation, in microseconds. */
const groupWork = 0.1
const rowWork = 0.02
/** `slices.spend` is called after about this many microseconds of work. */
const stepWork = 1000

function prepare({ func, column }: ColumnAggregation) {
  return { ...numericColumn(column, func), compute: functions[func], cells: [] as CellValue[] }
}

/** A column converted to numbers, with NaN for null. `cellOf` converts a result back to a cell. */
interface NumericColumn {
  values: Float64Array
  cellOf: (result: number) => CellValue
}

function numericColumn(column: Column, func: AggregationFunction): NumericColumn {
  const unchanged = (result: number) => result
  if (column.type === 'number') return { values: column.values, cellOf: unchanged }
  const isCounted = func === 'count'
  if (column.type === 'time') {
    return { values: column.values, cellOf: isCounted ? unchanged : timeFormatter() }
  }
  const sorted = [...column.dictionary].sort(compareText)
  const ranks = new Map(sorted.map((text, rank) => [text, rank]))
  const rankOf = column.dictionary.map((text) => ranks.get(text) as number)
  const values = new Float64Array(column.codes.length)
  for (let row = 0; row < values.length; row += 1) {
    values[row] = rankOf[column.codes[row] as number] ?? Number.NaN
  }
  return { values, cellOf: isCounted ? unchanged : (rank) => sorted[rank] ?? null }
}

/** Aggregates the values from index `from` (inclusive) to index `to` (exclusive). NaN means no result. */
type Aggregator = (values: Float64Array, from: number, to: number) => number

const functions: Record<AggregationFunction, Aggregator> = {
  mean: meanOf,
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
    const { total, size } = sumOf(values, from, to)
    return size === 0 ? Number.NaN : total
  },
  count: (values, from, to) => sumOf(values, from, to).size,
  median: (values, from, to) => {
    const sorted = values
      .slice(from, to)
      .filter((value) => !Number.isNaN(value))
      .sort()
    const middle = (sorted.length - 1) / 2
    // The median of an even number of values is the mean of the two middle values.
    const [below = Number.NaN, above = Number.NaN] = [
      sorted[Math.floor(middle)],
      sorted[Math.ceil(middle)],
    ]
    return (below + above) / 2
  },
  /** The sample standard deviation, which requires at least two values. Two passes are more accurate than one. */
  stddev: (values, from, to) => {
    const center = meanOf(values, from, to)
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

function meanOf(values: Float64Array, from: number, to: number): number {
  const { total, size } = sumOf(values, from, to)
  return size === 0 ? Number.NaN : total / size
}

function sumOf(values: Float64Array, from: number, to: number): { total: number; size: number } {
  let total = 0
  for (let at = from; at < to; at += 1) total += values[at] as number
  return Number.isNaN(total) ? sumOfNumbers(values, from, to) : { total, size: to - from }
}

function sumOfNumbers(values: Float64Array, from: number, to: number) {
  let total = 0
  let size = 0
  for (let at = from; at < to; at += 1) {
    const value = values[at] as number
    if (Number.isNaN(value)) continue
    total += value
    size += 1
  }
  return { total, size }
}
