import type { AggregateRequest } from '../../src/contract/aggregate.ts'
import type { AggregationFunction } from '../../src/contract/values/known-values.ts'
import { aggregate } from './aggregations.ts'
import { type Bucket, timeFormatter } from './calendar.ts'
import type { QueryIssue } from './column-names.ts'
import { compareText } from './filter.ts'
import { type Grouped, group } from './groups.ts'
import { type Plan, plan, timeframeOf } from './plan.ts'
import type { Key } from './selection.ts'
import { type Column, type Table, valueAt } from './table.ts'

/** Thrown for an invalid request, with its first 1,000 issues. */
export class QueryError extends Error {
  /** What is invalid. */
  readonly issues: readonly QueryIssue[]

  constructor(found: readonly QueryIssue[]) {
    const issues = found.slice(0, 1000)
    super(issues.map(({ loc, message }) => `${loc.join('.')}: ${message}`).join('; '))
    this.issues = issues
  }
}

/** A column of a result. */
export interface ResultColumn {
  /** `index`, a function such as `mean`, or a group key such as `group_key.0`. */
  name: string
  /** The type of the values; `time` is floating local time. */
  type: 'integer' | 'number' | 'text' | 'time'
  /** The values by row. */
  values: (number | string | null)[]
}

/** Limits that keep a request from exhausting the memory. They are our assumption; the specification has none. */
const maxQueries = 100
const maxCells = 2_000_000

/**
 * Runs the queries of a request, in order.
 *
 * @param tableOf Returns the rows of a resource; those outside of the timeframe are not read.
 * @param providers The providers of the team, the preferred one first; undefined to count the rows of every source.
 * @throws {QueryError} with every issue of an invalid request.
 */
export function runQueries(
  request: AggregateRequest,
  tableOf: (resource: string, timeframe: Bucket) => Table | undefined,
  providers?: readonly string[] | undefined,
): ResultColumn[][] {
  const { length } = request.queries
  if (length > maxQueries) {
    throw limitError(['queries'], `at most ${maxQueries} queries in a request, found ${length}`)
  }
  const timeframe = timeframeOf(request)
  const tables = (resource: string) => tableOf(resource, timeframe.bucket)
  const plans = request.queries.map((query, at) => plan(query, tables, ['queries', at]))
  const issues = [...timeframe.issues, ...plans.flatMap((planned) => planned.issues)]
  if (issues.length > 0) throw new QueryError(issues)
  const overrides = request.config?.provider_priority_overrides ?? []
  const priorities = providers && [...overrides, ...providers]
  let cells = 0
  return plans.map((planned, at) => {
    const grouped = group(planned, timeframe.bucket, priorities)
    cells += grouped.times.length * (planned.selected.length + 1)
    if (cells > maxCells) {
      throw limitError(
        ['queries', at],
        `results of at most ${maxCells} cells (rows x columns) in total`,
      )
    }
    return run(planned, grouped)
  })
}

function limitError(loc: QueryIssue['loc'], limit: string): QueryError {
  return new QueryError([{ loc, message: `Input should have ${limit}. Send several requests` }])
}

function run(planned: Plan, grouped: Grouped): ResultColumn[] {
  const order = groupOrder(planned, grouped)
  const aggregations = planned.selected.filter((selected) => 'func' in selected)
  const cells = aggregate(aggregations, grouped)
  const others = planned.selected.map((selected): ResultColumn => {
    const { name } = selected
    if ('key' in selected) return keyColumn(name, selected.key, grouped, order)
    const values = inOrder(cells.get(selected) ?? [], order)
    return { name, type: typeOf(selected.func, selected.column), values }
  })
  return [indexColumn(planned, grouped, order), ...others]
}

/** The groups in the order of the result; undefined if they are in order already. */
type Order = number[] | undefined

function inOrder<T>(values: T[], order: Order): T[] {
  // The order contains the indexes of the values.
  return order?.map((at) => values[at] as T) ?? values
}

/** Returns the groups by time, then by their key columns, nulls last; undefined if they are in order already. */
function groupOrder({ keys }: Plan, { times, rows }: Grouped): Order {
  if (keys.length === 0) return undefined
  return times
    .map((_, at) => at)
    .sort((one, other) => {
      const byTime = (times[one] as number) - (times[other] as number)
      if (byTime !== 0) return byTime
      for (const { column } of keys) {
        const byKey = compareKeys(
          valueAt(column, rows[one] as number),
          valueAt(column, rows[other] as number),
        )
        if (byKey !== 0) return byKey
      }
      return 0
    })
}

function compareKeys(one: number | string | null, other: number | string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return compareText(one, other)
}

/** Returns `index`: the truncated time, otherwise the first key, otherwise the start of the timeframe. */
function indexColumn({ truncation, keys }: Plan, grouped: Grouped, order: Order): ResultColumn {
  return keyColumn('index', truncation ? 'time' : (keys[0] ?? 'time'), grouped, order)
}

/** Returns the values by which rows are grouped. */
function keyColumn(
  name: string,
  key: Key | 'time',
  { times, rows }: Grouped,
  order: Order,
): ResultColumn {
  if (key === 'time') {
    return { name, type: 'time', values: inOrder(times, order).map(timeFormatter()) }
  }
  const values = inOrder(rows, order).map((row) => valueAt(key.column, row))
  return { name, type: typeOf('newest', key.column), values }
}

function typeOf(func: AggregationFunction, column: Column): ResultColumn['type'] {
  if (func === 'count') return 'integer'
  if (column.type !== 'number') return column.type
  const keepsIntegers = func === 'min' || func === 'max' || func === 'oldest' || func === 'newest'
  return column.isInteger && keepsIntegers ? 'integer' : 'number'
}
