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

/** An invalid part of a query. */
export interface QueryIssue {
  /** The path in the request. */
  loc: (string | number)[]
  /** What was expected. */
  message: string
}

/** Returns a column of the query's resource by its name, and reports an unknown name at its place. */
export type ColumnAt = (name: unknown, loc: QueryIssue['loc']) => Column | undefined

/** A column that an `arg` of a query names. */
export interface NamedColumn {
  /** The resource; undefined for that of the query. */
  resource: string | undefined
  /** The column's name, of any type: zod does not check the value of a key `__proto__`. */
  column: unknown
  /** The key in `arg`, for error messages. */
  key: string
}

/** Returns what names the column of an item: its `arg`, or the item itself: `{ sleep: 'type' }`. */
export function argOf(
  item: AggregationItem | ColumnItem | ColumnGroup | ColumnReference,
): Readonly<Record<string, unknown>> {
  return item.arg ?? item
}

/** Returns the path of a key of {@link argOf} within an item. */
export function keyPath(item: { arg?: unknown }, key: string): string[] {
  return item.arg === undefined ? [key] : ['arg', key]
}

/** Returns whether a selected item is a group key. */
export function isGroupKey(item: SelectItem): item is GroupKeyItem {
  return item.arg === undefined && Object.hasOwn(item, 'group_key')
}

/** Returns whether an item is a date part, which the mock does not compute. */
export function hasDatePart(item: object): boolean {
  return Object.hasOwn(item, 'date_part')
}

/** Reports an item with a date part. */
export function datePartIssue(loc: QueryIssue['loc']): QueryIssue {
  return { loc: [...loc, 'date_part'], message: 'date_part is not supported. Use date_trunc' }
}

/** Reads an `arg`: `{ sleep: 'score' }`, `{ timeseries: 'glucose', field: 'value' }` or `{ source: 'source_type' }`. */
export function readArg(arg: Readonly<Record<string, unknown>>): NamedColumn[] {
  if (Object.hasOwn(arg, 'timeseries') && Object.hasOwn(arg, 'field')) {
    return [{ resource: String(arg['timeseries']), column: arg['field'], key: 'field' }]
  }
  return Object.entries(arg).map(([key, column]) => {
    const isSource = key === 'source' && Object.hasOwn(sourceColumnTypes, String(column))
    return { resource: isSource ? undefined : key, column, key }
  })
}

/** Reads the `index` of a truncated date: a resource, or `timeseries` for that of the query. */
export function readIndex(index: unknown): string | undefined {
  return index === 'timeseries' ? undefined : String(index)
}
