import type {
  AggregationItem,
  ColumnGroup,
  ColumnItem,
  ColumnReference,
  GroupKeyItem,
  SelectItem,
} from '../../src/contract/aggregate.ts'
import { sourceColumnTypes } from '../../src/contract/values/columns.ts'
import type { Column } from './table.ts'

export interface QueryIssue {
  /** The path of the invalid part in the request. */
  loc: (string | number)[]
  message: string
}

/** Returns a column of the query's resource. Reports an unknown name as an issue at `loc`. */
export type ColumnAt = (name: unknown, loc: QueryIssue['loc']) => Column | undefined

/** A column named in a query's `arg`. */
export interface NamedColumn {
  /** The resource, or undefined for the query's own resource. */
  resource: string | undefined
  /** The column's name. It can be of any type, because zod does not check the value of a `__proto__` key. */
  column: unknown
  /** The key in `arg`, for error messages. */
  key: string
}

/** Returns the object that names an item's column: its `arg`, or the item itself, such as `{ sleep: 'type' }`. */
export function argOf(
  item: AggregationItem | ColumnItem | ColumnGroup | ColumnReference,
): Readonly<Record<string, unknown>> {
  return item.arg ?? item
}

/** Returns the path from an item to a key of the object that {@link argOf} returns. */
export function keyPath(item: { arg?: unknown }, key: string): string[] {
  return item.arg === undefined ? [key] : ['arg', key]
}

export function isGroupKey(item: SelectItem): item is GroupKeyItem {
  return item.arg === undefined && Object.hasOwn(item, 'group_key')
}

/** Returns whether an item uses `date_part`, which the mock does not support. */
export function hasDatePart(item: object): boolean {
  return Object.hasOwn(item, 'date_part')
}

export function datePartIssue(loc: QueryIssue['loc']): QueryIssue {
  return { loc: [...loc, 'date_part'], message: 'date_part is not supported. Use date_trunc' }
}

/**
 * Parses an `arg`: `{ sleep: 'score' }`, `{ timeseries: 'glucose', field: 'value' }` or `{ source: 'source_type' }`.
 */
export function readArg(arg: Readonly<Record<string, unknown>>): NamedColumn[] {
  if (Object.hasOwn(arg, 'timeseries') && Object.hasOwn(arg, 'field')) {
    return [{ resource: String(arg['timeseries']), column: arg['field'], key: 'field' }]
  }
  return Object.entries(arg).map(([key, column]) => {
    const isSource = key === 'source' && Object.hasOwn(sourceColumnTypes, String(column))
    return { resource: isSource ? undefined : key, column, key }
  })
}

/** Returns the resource named by a `date_trunc`'s `index`, or undefined for `timeseries`, the query's own resource. */
export function readIndex(index: unknown): string | undefined {
  return index === 'timeseries' ? undefined : String(index)
}
