import {
  type AggregateRequest,
  type AggregationFunction,
  aggregationFunctions,
  type Duration,
  type Query,
  type TimeUnit,
  timeUnits,
} from '../../src/contract/aggregate.ts'
import { aggregate, type Grouping, numericFunctions } from './aggregations.ts'
import { type Bucket, bucketOf, floating, periodEndingWith } from './calendar.ts'
import { compare, compileWhere } from './filter.ts'
import { type Column, firstFrom, type Table, valueAt } from './table.ts'
import { WhereError } from './where.ts'

/** One thing that a query asks for and that does not exist, with its place in the request. */
export interface QueryIssue {
  loc: (string | number)[]
  message: string
}

/** A request that cannot be answered, with every reason. */
export class QueryError extends Error {
  readonly issues: readonly QueryIssue[]

  constructor(issues: readonly QueryIssue[]) {
    super(issues.map(({ loc, message }) => `${loc.join('.')}: ${message}`).join('; '))
    this.issues = issues
  }
}

/** A column of an answer: its name, what its values are, and the values. */
export interface ResultColumn {
  name: string
  type: 'integer' | 'number' | 'text' | 'time'
  values: (number | string | null)[]
}

/** The tables of a user, by resource; undefined where there is no such resource. */
export type Tables = (resource: string) => Table | undefined

/** Answers every query of a request, in order. Throws a {@link QueryError} that names all that is wrong. */
export function runQueries(request: AggregateRequest, tables: Tables): ResultColumn[][] {
  const timeframe = timeframeOf(request)
  const plans = request.queries.map((query, at) => plan(query, tables, ['queries', at]))
  const issues = [...timeframe.issues, ...plans.flatMap((planned) => planned.issues)]
  if (issues.length > 0) throw new QueryError(issues)
  const priorities = request.config?.provider_priority_overrides ?? []
  return plans.map((planned) => run(planned, timeframe.bucket, priorities))
}

function timeframeOf({ timeframe }: AggregateRequest): { bucket: Bucket; issues: QueryIssue[] } {
  const { anchor, past } = timeframe
  const issues = unitIssues(past, ['timeframe', 'past'])
  if (timeframe.type !== 'relative') {
    issues.push({ loc: ['timeframe', 'type'], message: 'expected relative' })
  }
  const bucket =
    issues.length > 0 ? nothing : periodEndingWith(anchor, unitOf(past), past.value ?? 1)
  return { bucket, issues }
}

const nothing: Bucket = { start: 0, end: 0 }

function unitIssues({ unit }: Duration, loc: (string | number)[]): QueryIssue[] {
  const isKnown = timeUnits.some((known) => known === unit)
  return isKnown
    ? []
    : [{ loc: [...loc, 'unit'], message: `expected one of ${timeUnits.join(', ')}` }]
}

/** The unit of a duration that has no issues. */
function unitOf({ unit }: Duration): TimeUnit {
  return unit as TimeUnit // unitIssues found it known
}

interface Selected {
  func: AggregationFunction
  column: Column
  name: string
}

/** A query whose names are all resolved. */
interface Plan {
  table: Table
  selected: Selected[]
  truncation: Duration | undefined
  keys: { name: string; column: Column }[]
  test: ((row: number) => boolean | null) | undefined
  issues: QueryIssue[]
}

function plan(query: Query, tables: Tables, loc: (string | number)[]): Plan {
  const issues: QueryIssue[] = []
  const resource = resourceOf(query, loc, issues)
  const table = resource === undefined ? undefined : tables(resource)
  if (resource !== undefined && !table) {
    issues.push({ loc: [...loc, 'select'], message: `no resource ${resource}` })
  }
  const source = table ?? { time: new Float64Array(0), columns: {} }
  const columnAt = (name: string, at: (string | number)[]) => {
    const column = source.columns[name]
    const known = Object.keys(source.columns).join(', ')
    if (!column && table) issues.push({ loc: at, message: `no column ${name}; there are ${known}` })
    return column
  }
  const selected = selectedOf(query, loc, columnAt, issues)
  const { truncation, keys } = groupsOf(query, loc, columnAt, issues)
  return {
    table: source,
    selected,
    truncation,
    keys,
    test: testOf(query, source, loc, issues),
    issues,
  }
}

/** The one resource that a query names in its select and group_by. */
function resourceOf(
  query: Query,
  loc: (string | number)[],
  issues: QueryIssue[],
): string | undefined {
  const named = new Set<string>()
  query.select.forEach(({ arg }, at) => {
    const names = Object.keys(arg)
    if (names.length !== 1) {
      issues.push({ loc: [...loc, 'select', at, 'arg'], message: 'expected exactly one resource' })
    }
    for (const name of names) named.add(name)
  })
  for (const { arg, date_trunc } of query.group_by ?? []) {
    for (const name of date_trunc ? [arg['index'] as string] : Object.keys(arg)) named.add(name)
  }
  if (query.select.length === 0) {
    issues.push({ loc: [...loc, 'select'], message: 'expected at least one aggregation' })
  }
  if (named.size > 1) {
    const message = `expected one resource in a query, found ${[...named].join(', ')}`
    issues.push({ loc: [...loc, 'select'], message })
  }
  return [...named][0]
}

type ColumnAt = (name: string, loc: (string | number)[]) => Column | undefined

function selectedOf(
  query: Query,
  loc: (string | number)[],
  columnAt: ColumnAt,
  issues: QueryIssue[],
): Selected[] {
  const taken = new Set<string>()
  return query.select.flatMap(({ arg, func }, at) => {
    const place = [...loc, 'select', at]
    const [[resource, columnName] = ['', '']] = Object.entries(arg)
    const column = columnAt(columnName, [...place, 'arg', resource])
    const known = aggregationFunctions.find((candidate) => candidate === func)
    if (!known) {
      const message = `expected one of ${aggregationFunctions.join(', ')}`
      issues.push({ loc: [...place, 'func'], message })
      return []
    }
    if (column && column.type !== 'number' && numericFunctions.includes(known)) {
      issues.push({
        loc: [...place, 'func'],
        message: `${columnName} is ${column.type}, which has no ${known}`,
      })
    }
    const name = taken.has(known) ? `${known}.${columnName}` : known
    if (taken.has(name))
      issues.push({ loc: place, message: `${known} of ${columnName} is there already` })
    taken.add(name)
    return column ? [{ func: known, column, name }] : []
  })
}

function groupsOf(
  query: Query,
  loc: (string | number)[],
  columnAt: ColumnAt,
  issues: QueryIssue[],
): Pick<Plan, 'truncation' | 'keys'> {
  let truncation: Duration | undefined
  const keys: Plan['keys'] = []
  query.group_by?.forEach(({ date_trunc, arg }, at) => {
    const place = [...loc, 'group_by', at]
    if (date_trunc) {
      issues.push(...unitIssues(date_trunc, [...place, 'date_trunc']))
      if (truncation) issues.push({ loc: place, message: 'expected at most one date_trunc' })
      truncation = date_trunc
      return
    }
    for (const [resource, name] of Object.entries(arg)) {
      const column = columnAt(name, [...place, 'arg', resource])
      if (column) keys.push({ name, column })
    }
  })
  return { truncation, keys }
}

function testOf(
  query: Query,
  table: Table,
  loc: (string | number)[],
  issues: QueryIssue[],
): Plan['test'] {
  if (query.where === undefined || query.where === null) return undefined
  try {
    return compileWhere(query.where, table, Object.keys(table.columns))
  } catch (error) {
    if (!(error instanceof WhereError)) throw error
    issues.push({ loc: [...loc, 'where'], message: error.message })
    return undefined
  }
}

/** The groups of a query's rows: which row is in which, and the key of each. */
interface Grouped extends Grouping {
  /** Of each group the start of its time. */
  times: number[]
  /** Of each group a row, from which its key columns are read. */
  rows: number[]
}

function run(planned: Plan, timeframe: Bucket, priorities: readonly string[]): ResultColumn[] {
  const grouped = group(planned, timeframe)
  if (priorities.length > 0) preferSources(planned.table, grouped, priorities)
  const order = groupOrder(planned, grouped)
  const computed = planned.selected.map(({ func, column, name }): ResultColumn => {
    const values = aggregate(func, column, grouped)
    return { name, type: typeOf(func, column), values: order.map((at) => values[at] ?? null) }
  })
  return [...keyColumns(planned, grouped, order), ...computed]
}

/**
 * Puts each row of the timeframe into a group. Rows come in the order of time, so a bucket of time is left once and for
 * all when a row passes its end.
 */
function group({ table, truncation, keys, test }: Plan, timeframe: Bucket): Grouped {
  const { time } = table
  const first = firstFrom(time, timeframe.start)
  const last = firstFrom(time, timeframe.end)
  const groups = new Int32Array(last - first).fill(-1)
  const times: number[] = []
  const rows: number[] = []
  const isOne = !truncation && keys.length === 0
  if (isOne) {
    times.push(timeframe.start)
    rows.push(first)
  }
  const ids = new Map<string, number>()
  let bucket: Bucket = isOne
    ? timeframe
    : { start: timeframe.start, end: truncation ? timeframe.start : timeframe.end }
  let current = isOne ? 0 : -1

  for (let row = first; row < last; row += 1) {
    if (test && test(row) !== true) continue
    const moment = time[row] as number
    if (truncation && moment >= bucket.end) {
      bucket = bucketOf(moment, unitOf(truncation), truncation.value ?? 1)
      current = -1
      ids.clear()
    }
    if (keys.length > 0) current = ids.get(keyOf(keys, row)) ?? -1
    if (current === -1) {
      current = times.length
      times.push(bucket.start)
      rows.push(row)
      if (keys.length > 0) ids.set(keyOf(keys, row), current)
    }
    groups[row - first] = current
  }
  return { first, groups, count: times.length, times, rows }
}

function keyOf(keys: Plan['keys'], row: number): string {
  return JSON.stringify(keys.map(({ column }) => valueAt(column, row)))
}

/** Leaves in each group only the rows of its most preferred source; sources that are not named come last, together. */
function preferSources(table: Table, grouped: Grouped, priorities: readonly string[]): void {
  const column = table.columns['source_provider']
  if (column?.type !== 'text') return
  const ranks = Int32Array.from(column.dictionary, (slug) => {
    const rank = priorities.indexOf(slug)
    return rank === -1 ? priorities.length : rank
  })
  const rankOf = (row: number) => ranks[column.codes[row] as number] ?? priorities.length
  const { first, groups, count } = grouped
  const best = new Int32Array(count).fill(priorities.length)
  groups.forEach((group, at) => {
    if (group >= 0) best[group] = Math.min(best[group] as number, rankOf(first + at))
  })
  groups.forEach((group, at) => {
    if (group >= 0 && rankOf(first + at) > (best[group] as number)) groups[at] = -1
  })
}

/** The groups by time, then by their key columns; null comes last. */
function groupOrder({ keys }: Plan, { times, rows, count }: Grouped): number[] {
  const order = Array.from({ length: count }, (_, at) => at)
  if (keys.length === 0) return order
  return order.sort((one, other) => {
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
  return compare(one, other)
}

/**
 * The columns that tell which group a line is about: `index` is the truncated time, else the first key column, else the
 * start of the timeframe. Further key columns bear their own names.
 */
function keyColumns(
  { truncation, keys }: Plan,
  { times, rows }: Grouped,
  order: number[],
): ResultColumn[] {
  const time: ResultColumn = {
    name: 'index',
    type: 'time',
    values: order.map((at) => floating(times[at] as number)),
  }
  const columns = keys.map(({ name, column }): ResultColumn => {
    const values = order.map((at) => valueAt(column, rows[at] as number))
    return { name, type: typeOf('newest', column), values }
  })
  const [firstKey, ...others] = columns
  if (truncation || !firstKey) return [time, ...columns]
  return [{ ...firstKey, name: 'index' }, ...others]
}

function typeOf(func: AggregationFunction, column: Column): ResultColumn['type'] {
  if (func === 'count') return 'integer'
  if (column.type !== 'number') return column.type
  const keepsIntegers = func === 'min' || func === 'max' || func === 'oldest' || func === 'newest'
  return column.isInteger && keepsIntegers ? 'integer' : 'number'
}
