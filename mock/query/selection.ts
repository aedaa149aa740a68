import type {
  AggregationItem,
  ColumnItem,
  ColumnReference,
  Duration,
  GroupKeyItem,
  Query,
} from '../../src/contract/aggregate.ts'
import {
  type AggregationFunction,
  aggregationFunctions,
} from '../../src/contract/values/known-values.ts'
import { numericFunctions } from './aggregations.ts'
import {
  argOf,
  type ColumnAt,
  datePartIssue,
  hasDatePart,
  isGroupKey,
  keyPath,
  type QueryIssue,
  readArg,
} from './column-notation.ts'
import { excerpt } from './expression.ts'
import type { Column } from './table.ts'

export interface Key {
  name: string
  column: Column
}

/** A result column: an aggregation or a group key. The key `time` is the truncated time. */
export type Selected = { name: string } & (
  | { func: AggregationFunction; column: Column }
  | { key: Key | 'time' }
)

export interface Groups {
  /** The length of the time buckets, or undefined without `date_trunc`. */
  truncation: Duration | undefined
  keys: Key[]
  /** The truncated time and the keys, in request order. */
  order: (Key | 'time')[]
}

export function selectedOf(
  { query, loc }: { query: Query; loc: (string | number)[] },
  groups: Groups,
  columnAt: ColumnAt,
  issues: QueryIssue[],
): Selected[] {
  const selected = query.select.flatMap((item, at) => {
    const place = [...loc, 'select', at]
    if (isGroupKey(item)) return groupKeys(item, groups, place, issues)
    if (hasDatePart(item)) {
      issues.push(datePartIssue(place))
      return []
    }
    if (item.func !== undefined) return aggregationOf(item, place, columnAt, issues)
    return newestOf(item, place, columnAt)
  })
  const taken = new Set<string>()
  return selected.map((column) => {
    const name = taken.has(column.name) ? column.longName : column.name
    if (taken.has(name)) {
      issues.push({ loc: column.loc, message: `Duplicate result column: ${excerpt(name)}` })
    }
    taken.add(name)
    return { ...column, name }
  })
}

/** A selected column with its path in the request. If an earlier column has the same name, `longName` is used. */
type Candidate = Selected & { longName: string; loc: QueryIssue['loc'] }

function aggregationOf(
  { arg, func }: AggregationItem,
  loc: (string | number)[],
  columnAt: ColumnAt,
  issues: QueryIssue[],
): Candidate[] {
  const [{ column: columnName, key } = { column: '', key: '' }] = readArg(arg)
  const column = columnAt(columnName, [...loc, 'arg', key])
  const known = aggregationFunctions.find((candidate) => candidate === func)
  if (!known) {
    const message = `Input should be one of ${aggregationFunctions.join(', ')}`
    issues.push({ loc: [...loc, 'func'], message })
    return []
  }
  if (column && column.type !== 'number' && numericFunctions.includes(known)) {
    issues.push({
      loc: [...loc, 'func'],
      message: `${known} requires a number column, but ${columnName} is a ${column.type} column`,
    })
  }
  return column
    ? [{ func: known, column, name: known, longName: `${known}.${columnName}`, loc }]
    : []
}

/** Selects the newest value of a column that is selected without a function (assumption). */
function newestOf(
  item: ColumnItem | ColumnReference,
  loc: (string | number)[],
  columnAt: ColumnAt,
): Candidate[] {
  return readArg(argOf(item)).flatMap(({ column: columnName, resource, key }) => {
    const column = columnAt(columnName, [...loc, ...keyPath(item, key)])
    if (!column) return []
    const name = String(columnName)
    return [{ func: 'newest', column, name, longName: `${resource ?? key}.${name}`, loc }]
  })
}

function groupKeys(
  { group_key }: GroupKeyItem,
  { order }: Groups,
  loc: (string | number)[],
  issues: QueryIssue[],
): Candidate[] {
  const positions = group_key === '*' ? [...order.keys()] : [group_key]
  return positions.flatMap((position) => {
    const key = order[position]
    const name = `group_key.${position}`
    if (key) return [{ key, name, longName: name, loc }]
    const message = `Input should be "*" or less than ${order.length}, the number of group keys`
    issues.push({ loc: [...loc, 'group_key'], message })
    return []
  })
}
