import type { AggregateRequest, Duration, Query } from '../../src/contract/aggregate.ts'
import {
  type AggregationFunction,
  aggregationFunctions,
  type TimeUnit,
  timeUnits,
} from '../../src/contract/values/known-values.ts'
import { numericFunctions } from './aggregations.ts'
import { type Bucket, isTooLong, mostYears, periodEndingWith } from './calendar.ts'
import { excerpt, WhereError } from './expression.ts'
import { compileWhere } from './filter.ts'
import { type Column, columnAt as columnOf, type Table } from './table.ts'

/** An invalid part of a query. */
export interface QueryIssue {
  /** Its path in the request. */
  loc: (string | number)[]
  /** What was expected. */
  message: string
}

/** Returns the table of a resource; undefined for an unknown resource. */
export type Tables = (resource: string) => Table | undefined

/** A query with all names resolved. */
export interface Plan {
  /** The rows of the resource. */
  table: Table
  /** The aggregations to compute. */
  selected: Selected[]
  /** The buckets of time; undefined without `date_trunc`. */
  truncation: Duration | undefined
  /** The columns to group by. */
  keys: { name: string; column: Column }[]
  /** Returns whether a row matches `where`; undefined without `where`. */
  matches: ((row: number) => boolean | null) | undefined
  /** What is invalid. */
  issues: QueryIssue[]
}

interface Selected {
  func: AggregationFunction
  column: Column
  name: string
}

/** Returns the timeframe of a request. */
export function timeframeOf({ timeframe }: AggregateRequest): {
  bucket: Bucket
  issues: QueryIssue[]
} {
  const { anchor, past } = timeframe
  const issues = durationIssues(past, ['timeframe', 'past'])
  if (timeframe.type !== 'relative') {
    issues.push({ loc: ['timeframe', 'type'], message: 'Input should be relative' })
  }
  const bucket =
    issues.length > 0 ? nothing : periodEndingWith(anchor, unitOf(past), past.value ?? 1)
  return { bucket, issues }
}

const nothing: Bucket = { start: 0, end: 0 }

function durationIssues(duration: Duration, loc: (string | number)[]): QueryIssue[] {
  const known = timeUnits.find((unit) => unit === duration.unit)
  if (!known)
    return [{ loc: [...loc, 'unit'], message: `Input should be one of ${timeUnits.join(', ')}` }]
  if (!isTooLong(known, duration.value ?? 1)) return []
  return [{ loc: [...loc, 'value'], message: `Input should be at most ${mostYears} years` }]
}

/** Returns the unit of a duration without issues. */
export function unitOf({ unit }: Duration): TimeUnit {
  // `durationIssues` has checked it.
  return unit as TimeUnit
}

/** Resolves the names of a query, and collects its issues. */
export function plan(query: Query, tables: Tables, loc: (string | number)[]): Plan {
  const issues: QueryIssue[] = []
  const resource = resourceOf(query, loc, issues)
  const table = resource === undefined ? undefined : tables(resource)
  if (resource !== undefined && !table) {
    issues.push({ loc: [...loc, 'select'], message: `Unknown resource ${excerpt(resource)}` })
  }
  const source = table ?? { time: new Float64Array(0), columns: {} }
  const known = Object.keys(source.columns).join(', ')
  const columnAt = (name: unknown, at: (string | number)[]) => {
    // zod does not check the value of a key `__proto__`, so it can have any type.
    const text = typeof name === 'string' ? name : ''
    const column = columnOf(source, text)
    if (!column && table) {
      issues.push({ loc: at, message: `Unknown column ${excerpt(text)}. Use one of ${known}` })
    }
    return column
  }
  const selected = selectedOf(query, loc, columnAt, issues)
  const { truncation, keys } = groupsOf(query, loc, columnAt, issues)
  return {
    table: source,
    selected,
    truncation,
    keys,
    matches: testOf(query, source, loc, issues),
    issues,
  }
}

/** Returns the resource that a query names in its select and group_by. */
function resourceOf(
  query: Query,
  loc: (string | number)[],
  issues: QueryIssue[],
): string | undefined {
  const named = new Set<string>()
  query.select.forEach(({ arg }, at) => {
    const names = Object.keys(arg)
    if (names.length !== 1) {
      issues.push({
        loc: [...loc, 'select', at, 'arg'],
        message: 'Input should name exactly one resource',
      })
    }
    for (const name of names) named.add(name)
  })
  for (const { arg, date_trunc } of query.group_by ?? []) {
    for (const name of date_trunc ? [arg['index'] as string] : Object.keys(arg)) named.add(name)
  }
  if (query.select.length === 0) {
    issues.push({ loc: [...loc, 'select'], message: 'Input should have at least one aggregation' })
  }
  if (named.size > 1) {
    const found = excerpt([...named].join(', '))
    const message = `Input should have one resource in a query, found ${found}`
    issues.push({ loc: [...loc, 'select'], message })
  }
  return [...named][0]
}

type ColumnAt = (name: unknown, loc: (string | number)[]) => Column | undefined

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
      const message = `Input should be one of ${aggregationFunctions.join(', ')}`
      issues.push({ loc: [...place, 'func'], message })
      return []
    }
    if (column && column.type !== 'number' && numericFunctions.includes(known)) {
      issues.push({
        loc: [...place, 'func'],
        message: `${known} needs a column of numbers, but ${columnName} is ${column.type}`,
      })
    }
    const name = taken.has(known) ? `${known}.${columnName}` : known
    if (taken.has(name))
      issues.push({
        loc: place,
        message: `Duplicate aggregation: ${known} of ${excerpt(columnName)}`,
      })
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
      issues.push(...durationIssues(date_trunc, [...place, 'date_trunc']))
      if (truncation)
        issues.push({ loc: place, message: 'Input should have at most one date_trunc' })
      truncation = date_trunc
      return
    }
    for (const [resource, name] of Object.entries(arg)) {
      const column = columnAt(name, [...place, 'arg', resource])
      const isThere = keys.some((key) => key.name === name)
      if (isThere) issues.push({ loc: place, message: `Duplicate column ${excerpt(name)}` })
      else if (column) keys.push({ name, column })
    }
  })
  return { truncation, keys }
}

function testOf(
  query: Query,
  table: Table,
  loc: (string | number)[],
  issues: QueryIssue[],
): Plan['matches'] {
  if (query.where === undefined || query.where === null) return undefined
  try {
    return compileWhere(query.where, table, Object.keys(table.columns))
  } catch (error) {
    if (!(error instanceof WhereError)) throw error
    issues.push({ loc: [...loc, 'where'], message: `Invalid expression ${error.message}` })
    return undefined
  }
}
