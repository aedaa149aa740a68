import type { AggregateRequest } from '../../src/contract/aggregate.ts'
import type { AggregationFunction } from '../../src/contract/values/known-values.ts'
import { present } from '../../src/shared/narrow.ts'
import { Slices } from '../shared/slices.ts'
import { aggregate } from './aggregations.ts'
import { type Bucket, timeFormatter } from './calendar.ts'
import { checkQuery, type QueryPlan, type Tables, timeframeOf } from './check-query.ts'
import type { QueryIssue } from './column-notation.ts'
import { compareText } from './filter.ts'
import { type Grouped, group } from './groups.ts'
import type { Key } from './selection.ts'
import { type Column, valueAt } from './table.ts'
import { maxOperands } from './where.ts'

export class QueryError extends Error {
  readonly issues: readonly QueryIssue[]

  constructor(found: readonly QueryIssue[]) {
    const issues = found.slice(0, 1000)
    super(issues.map(({ loc, message }) => `${loc.join('.')}: ${message}`).join('; '))
    this.issues = issues
  }
}

export interface ResultColumn {
  /** `index`, a function such as `mean` or `mean.score`, a column such as `score`, or a key such as `group_key.0`. */
  name: string
  /** `time` values are floating local times. */
  type: 'integer' | 'number' | 'text' | 'time'
  /** One value per row. */
  values: (number | string | null)[]
}

/**
 * These limits prevent a request from exhausting memory. They are our assumption, because the specification defines
 * none.
 */
const maxQueries = 100
const maxCells = 250_000

/**
 * Runs a request's queries in order, in slices.
 *
 * @param tableOf Returns a resource's rows. Rows outside the timeframe are ignored.
 * @param providers The team's providers in order of preference, or undefined to use the rows of every source.
 * @param slices Divides the work, and stops it when the caller aborts the request.
 * @throws {QueryError} for an invalid request.
 */
export async function runQueries(
  request: AggregateRequest,
  tableOf: (resource: string, timeframe: Bucket) => ReturnType<Tables>,
  providers?: readonly string[] | undefined,
  slices: Slices = new Slices(),
): Promise<ResultColumn[][]> {
  const { length } = request.queries
  if (length > maxQueries) {
    throw limitError(['queries'], `at most ${maxQueries} queries in a request, found ${length}`)
  }
  const timeframe = timeframeOf(request)
  const tables = (resource: string) => tableOf(resource, timeframe.bucket)
  const plans = await planAll(request.queries, tables, slices)
  const issues = [...timeframe.issues, ...plans.flatMap((planned) => planned.issues)]
  if (issues.length > 0) throw new QueryError(issues)
  const overrides = request.config?.provider_priority_overrides ?? []
  const priorities = providers && [...overrides, ...providers]
  const results: ResultColumn[][] = []
  let cells = 0
  for (const [at, planned] of plans.entries()) {
    const grouped = await group(planned, timeframe.bucket, { providers: priorities, slices })
    cells += grouped.times.length * (planned.selected.length + 1)
    if (cells > maxCells) {
      throw limitError(['queries', at], `at most ${maxCells} result cells (rows x columns)`)
    }
    results.push(await run(planned, grouped, slices))
  }
  await slices.spend(cells * cellWork)
  return results
}

async function planAll(
  queries: AggregateRequest['queries'],
  tables: Tables,
  slices: Slices,
): Promise<QueryPlan[]> {
  const plans: QueryPlan[] = []
  let operands = 0
  for (const [at, query] of queries.entries()) {
    const planned = await checkQuery(query, tables, ['queries', at])
    operands += planned.condition?.operands ?? 0
    if (operands > maxOperands) {
      const limit = `at most ${maxOperands} values and columns in the expressions of all queries`
      throw limitError(['queries', at, 'where'], limit)
    }
    plans.push(planned)
    await slices.spend(planWork)
  }
  return plans
}

/** The estimated time to check and serialize one cell of the results, in microseconds. */
const cellWork = 0.1

/** The estimated time to plan a query with an expression of moderate length, in microseconds. */
const planWork = 500

function limitError(loc: QueryIssue['loc'], limit: string): QueryError {
  return new QueryError([{ loc, message: `Input should have ${limit}. Send several requests` }])
}

async function run(planned: QueryPlan, grouped: Grouped, slices: Slices): Promise<ResultColumn[]> {
  const order = groupOrder(planned, grouped)
  const aggregations = planned.selected.filter((selected) => 'func' in selected)
  const cells = await aggregate(aggregations, grouped, slices)
  const others = planned.selected.map((selected): ResultColumn => {
    const { name } = selected
    if ('key' in selected) return keyColumn(name, selected.key, grouped, order)
    const values = inOrder(cells.get(selected) ?? [], order)
    return { name, type: typeOf(selected.func, selected.column), values }
  })
  return [indexColumn(planned, grouped, order), ...others]
}

/** The group indexes in result order, or undefined if the groups are already sorted. */
type Order = number[] | undefined

function inOrder<T>(values: T[], order: Order): T[] {
  // Every index in the order has a value.
  return order?.map((at) => present(values[at])) ?? values
}

/**
 * Sorts the groups by time, then by their key columns, with nulls last. Returns undefined if they are already sorted.
 */
function groupOrder({ keys }: QueryPlan, { times, rows }: Grouped): Order {
  if (keys.length === 0) return undefined
  return times
    .map((_, at) => at)
    .sort((one, other) => {
      const byTime = present(times[one]) - present(times[other])
      if (byTime !== 0) return byTime
      for (const { column } of keys) {
        const byKey = compareKeys(
          valueAt(column, present(rows[one])),
          valueAt(column, present(rows[other])),
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

/**
 * Returns the `index` column. It contains the truncated times. Without `date_trunc`, it contains the first key or,
 * without keys, the start of the timeframe.
 */
function indexColumn(
  { truncation, keys }: QueryPlan,
  grouped: Grouped,
  order: Order,
): ResultColumn {
  return keyColumn('index', truncation ? 'time' : (keys[0] ?? 'time'), grouped, order)
}

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
