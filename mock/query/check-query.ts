import type { AggregateRequest, Duration, Query } from '../../src/contract/aggregate.ts'
import { type TimeUnit, timeUnits } from '../../src/contract/values/known-values.ts'
import { present } from '../../src/shared/narrow.ts'
import { type Bucket, isTooLong, mostYears, periodEndingWith } from './calendar.ts'
import {
  argOf,
  type ColumnAt,
  datePartIssue,
  hasDatePart,
  isGroupKey,
  keyPath,
  type QueryIssue,
  readArg,
  readIndex,
} from './column-notation.ts'
import { excerpt, WhereError } from './expression.ts'
import { type Condition, compileWhere } from './filter.ts'
import { type Groups, type Key, type Selected, selectedOf } from './selection.ts'
import { columnAt as columnOf, type Table } from './table.ts'

/** Returns a resource's table, or undefined for an unknown resource. */
export type Tables = (resource: string) => Table | undefined | Promise<Table | undefined>

export interface QueryPlan {
  table: Table
  /** The result columns after `index`, in order. */
  selected: Selected[]
  /** The length of the time buckets, or undefined without `date_trunc`. */
  truncation: Duration | undefined
  keys: Key[]
  /** Undefined without `where`. */
  condition: Condition | undefined
  issues: QueryIssue[]
}

/** Returns the request's timeframe and its issues. If there are issues, the returned timeframe is empty. */
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
    issues.length > 0 ? nothing : periodEndingWith(anchor, timeUnitOf(past), past.value ?? 1)
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

export function timeUnitOf({ unit }: Duration): TimeUnit {
  // `durationIssues` has checked the unit.
  return present(timeUnits.find((known) => known === unit))
}

/** Checks a query against its resource's table. Returns a plan, which can run only if it has no `issues`. */
export async function checkQuery(
  query: Query,
  tables: Tables,
  loc: (string | number)[],
): Promise<QueryPlan> {
  const issues: QueryIssue[] = []
  const resource = resourceOf(query, loc, issues)
  const table = resource === undefined ? undefined : await tables(resource)
  if (resource !== undefined && !table) {
    issues.push({ loc: [...loc, 'select'], message: `Unknown resource ${excerpt(resource)}` })
  }
  const source = table ?? { time: new Float64Array(0), columns: {} }
  const known = Object.keys(source.columns).join(', ')
  const columnAt = (name: unknown, at: (string | number)[]) => {
    // zod does not check the value of a `__proto__` key, so the name can be of any type.
    const text = typeof name === 'string' ? name : ''
    const column = columnOf(source, text)
    if (!column && table) {
      issues.push({ loc: at, message: `Unknown column ${excerpt(text)}. Use one of ${known}` })
    }
    return column
  }
  const groups = groupsOf(query, loc, columnAt, issues)
  const selected = selectedOf({ query, loc }, groups, columnAt, issues)
  const { truncation, keys } = groups
  return {
    table: source,
    selected,
    truncation,
    keys,
    condition: conditionOf(query, source, loc, issues),
    issues,
  }
}

function resourceOf(
  query: Query,
  loc: (string | number)[],
  issues: QueryIssue[],
): string | undefined {
  const named = new Set<string>()
  query.select.forEach((item, at) => {
    if (isGroupKey(item) || hasDatePart(item)) return
    const columns = readArg(argOf(item))
    if (columns.length !== 1) {
      issues.push({
        loc: [...loc, 'select', at, 'arg'],
        message: 'Input should name exactly one resource',
      })
    }
    for (const { resource } of columns) if (resource !== undefined) named.add(resource)
  })
  for (const item of query.group_by ?? []) {
    if (hasDatePart(item)) continue
    const names = item.date_trunc
      ? [readIndex(item.arg['index'])]
      : readArg(argOf(item)).map(({ resource }) => resource)
    for (const name of names) if (name !== undefined) named.add(name)
  }
  if (query.select.length === 0) {
    issues.push({ loc: [...loc, 'select'], message: 'Input should have at least one aggregation' })
  } else if (named.size === 0 && issues.length === 0) {
    issues.push({ loc: [...loc, 'select'], message: 'Input should name a resource' })
  }
  if (named.size > 1) {
    const found = excerpt([...named].join(', '))
    const message = `Input should name one resource per query, found ${found}`
    issues.push({ loc: [...loc, 'select'], message })
  }
  return [...named][0]
}

function groupsOf(
  query: Query,
  loc: (string | number)[],
  columnAt: ColumnAt,
  issues: QueryIssue[],
): Groups {
  let truncation: Duration | undefined
  const order: Groups['order'] = []
  const keys: Key[] = []
  query.group_by?.forEach((item, at) => {
    const place = [...loc, 'group_by', at]
    if (hasDatePart(item)) {
      issues.push(datePartIssue(place))
      return
    }
    if (item.date_trunc) {
      issues.push(...durationIssues(item.date_trunc, [...place, 'date_trunc']))
      if (truncation)
        issues.push({ loc: place, message: 'Input should have at most one date_trunc' })
      truncation = item.date_trunc
      order.push('time')
      return
    }
    for (const { column: name, key } of readArg(argOf(item))) {
      const column = columnAt(name, [...place, ...keyPath(item, key)])
      if (keys.some((other) => other.name === name)) {
        issues.push({ loc: place, message: `Duplicate column ${excerpt(String(name))}` })
      } else if (column) keys.push({ name: String(name), column })
    }
    order.push(...keys.slice(order.filter((part) => part !== 'time').length))
  })
  return { truncation, keys, order }
}

function conditionOf(
  query: Query,
  table: Table,
  loc: (string | number)[],
  issues: QueryIssue[],
): QueryPlan['condition'] {
  if (query.where === undefined || query.where === null) return undefined
  try {
    return compileWhere(query.where, table, Object.keys(table.columns))
  } catch (error) {
    if (!(error instanceof WhereError)) throw error
    issues.push({ loc: [...loc, 'where'], message: `Invalid expression ${error.message}` })
    return undefined
  }
}
