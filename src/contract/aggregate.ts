import * as z from 'zod/mini'
import { ownFields } from '../shared/own-fields.ts'
import { endpoint } from './schema-tools/define-endpoint.ts'
import { date, integer, nullishString, openEnum, uuid } from './schema-tools/schema.ts'
import {
  type AggregationFunction,
  aggregationFunctions,
  type Open,
  type TimeUnit,
  timeUnits,
} from './values/known-values.ts'

/** A duration of `value` units (specification 2.10). */
export interface Duration {
  /** A time unit, such as `day` or `week`. */
  unit: Open<TimeUnit>
  /** The number of units, a positive integer. Default: 1 (an assumption). */
  value?: number | undefined
}
export const Duration = z.object({ unit: openEnum(timeUnits), value: z.optional(integer(1)) })

/** The period up to and including the anchor day (specification 2.10). */
export interface RelativeTimeframe {
  /** `relative`, the only known type. */
  type: Open<'relative'>
  /** The last day of the period, `YYYY-MM-DD`, inclusive. */
  anchor: string
  /** The period's length, such as `{ unit: 'week', value: 4 }`. */
  past: Duration
}
export const RelativeTimeframe = z.object({
  type: openEnum(['relative']),
  anchor: date,
  past: Duration,
})

/** One computed column (specification 2.10). */
export interface AggregationItem {
  /**
   * A resource, mapped to one of its columns, such as `{ sleep: 'score' }`. For a time series, you can also write
   * `{ timeseries: 'glucose', field: 'value' }` (assumption).
   */
  arg: Record<string, string>
  /** The aggregation function, such as `mean` or `newest`. */
  func: Open<AggregationFunction>
}
export const AggregationItem = z.object({
  arg: z.record(z.string(), z.string()),
  func: openEnum(aggregationFunctions),
})

/** Selects grouping values, which become the columns `group_key.0`, `group_key.1` and so on (assumption). */
export interface GroupKeyItem {
  /** The zero-based position of an item in `group_by`, or `*` for all items. */
  group_key: number | '*'
  /** Always absent; distinguishes a group key from an aggregation. */
  arg?: undefined
  /** Always absent; distinguishes a group key from an aggregation. */
  func?: undefined
}
export const GroupKeyItem = z.object({
  group_key: z.union([integer(0), z.literal('*')]),
  arg: z.optional(z.undefined()),
  func: z.optional(z.undefined()),
})

/**
 * Selects a column without aggregating it. The result contains its newest value in each group, under its name
 * (assumption).
 */
export interface ColumnItem {
  /** A resource, mapped to one of its columns, such as `{ sleep: 'type' }`. */
  arg: Record<string, string>
  /** Always absent; distinguishes a column from an aggregation. */
  func?: undefined
}
export const ColumnItem = z.object({
  arg: z.record(z.string(), z.string()),
  func: z.optional(z.undefined()),
})

/**
 * A column written without `arg` (assumption): one resource, mapped to one of its columns, such as `{ sleep: 'type' }`.
 */
export interface ColumnReference {
  /** Always absent; distinguishes a column from the other items. */
  arg?: undefined
  /** Always absent; distinguishes a column from an aggregation. */
  func?: undefined
  /** Always absent; distinguishes a column from a group key. */
  group_key?: undefined
  /** Always absent; distinguishes a column from a truncated date. */
  date_trunc?: undefined
  /** The column, keyed by its resource. */
  [resource: string]: string | undefined
}
const nameOfColumn = z
  .record(z.string(), z.string())
  .check(z.refine(isColumnReference, { error: 'one resource and its column' }))
// zod has no type for a record that excludes keys; the check rejects those keys.
export const ColumnReference = nameOfColumn as unknown as z.ZodMiniType<
  ColumnReference,
  ColumnReference
>

const otherItems = ['arg', 'func', 'group_key', 'date_trunc', 'date_part']

function isColumnReference(item: Record<string, string>): boolean {
  const names = Object.keys(item)
  return names.length === 1 && names.every((name) => !otherItems.includes(name))
}

/** Selects result columns: an aggregation, grouping values, or a plain column. */
export type SelectItem = AggregationItem | GroupKeyItem | ColumnItem | ColumnReference
export const SelectItem = z.union([AggregationItem, GroupKeyItem, ColumnItem, ColumnReference])

/** Groups rows by truncated time (specification 2.10). */
export interface DateTruncGroup {
  /** The period that each group covers, such as `{ unit: 'day', value: 1 }`. */
  date_trunc: Duration
  /** The resource whose time is truncated. */
  arg: {
    /** The resource's name, such as `sleep`; `timeseries` refers to the query's time series (assumption). */
    index: string
  }
}
/** Groups rows by the values of a column (assumption), as in `{ arg: { sleep: 'source_provider' } }`. */
export interface ColumnGroup {
  /** Always absent; distinguishes a column from a truncated date. */
  date_trunc?: undefined
  /**
   * A resource, mapped to one of its columns, such as `{ sleep: 'type' }`. `source` provides the columns
   * `source_provider`, `source_type` and `source_app_id` for every resource, as in `{ source: 'source_provider' }`.
   */
  arg: Record<string, string>
}
/** A way to group rows: by truncated time, or by the values of a column. */
export type GroupByItem = DateTruncGroup | ColumnGroup | ColumnReference
export const GroupByItem = z.union([
  z.object({ date_trunc: Duration, arg: z.object({ index: z.string() }) }),
  z.object({ date_trunc: z.optional(z.undefined()), arg: z.record(z.string(), z.string()) }),
  ColumnReference,
])

/** One query over the rows of one resource (specification 2.10). */
export interface Query {
  /** The columns to compute. */
  select: SelectItem[]
  /** How rows are grouped. Without grouping, the table has one row, or none if no row matches (assumption). */
  group_by?: GroupByItem[] | null | undefined
  /** A filter on rows, applied before grouping, such as `duration_second > 3600` (assumed grammar). */
  where?: string | null | undefined
}
export const Query = z.object({
  select: z.array(SelectItem),
  group_by: z.nullish(z.array(GroupByItem)),
  where: nullishString,
})

/** Settings for all queries in a request (specification 2.10). */
export interface QueryConfig {
  /**
   * Provider slugs, most preferred first. This order overrides the team's priorities and decides between sources of the
   * same type (an assumption).
   */
  provider_priority_overrides?: string[] | null | undefined
}
export const QueryConfig = z.object({ provider_priority_overrides: z.nullish(z.array(z.string())) })

/** Aggregate queries over one timeframe (specification 4.11). */
export interface AggregateRequest {
  /** The period to query. */
  timeframe: RelativeTimeframe
  /** The queries; the results are in the same order. */
  queries: Query[]
  /** Settings for all queries. */
  config?: QueryConfig | null | undefined
}
export const AggregateRequest = z.object({
  timeframe: RelativeTimeframe,
  queries: z.array(Query),
  config: z.nullish(QueryConfig),
})

/** A table of equal-length columns: `index` and the selected columns (specification 4.11). */
export type AggregateTable = Record<string, unknown[]>

/** The result of one query (specification 2.10). */
export interface AggregationResult {
  /** The columns, keyed by name. All have the same length. */
  table: AggregateTable
}
export const AggregationResult = z.object({
  table: z
    .record(z.string(), z.array(z.unknown()))
    .check(z.refine(hasEqualColumns, { error: 'columns of equal length' })),
})

function hasEqualColumns(table: AggregateTable): boolean {
  const [first, ...others] = Object.values(table)
  return others.every(({ length }) => length === first?.length)
}

/** The results of an aggregate request (specification 4.11). */
export interface AggregateResult {
  /** One result per query, in query order. */
  results: AggregationResult[]
}
export const AggregateResult = z.object({ results: z.array(AggregationResult) })

const request = { params: { user_id: uuid }, body: AggregateRequest }

export const queryAggregate = endpoint('aggregate.query', {
  ...request,
  responses: { 200: AggregateResult },
})

// Cached, because zod interprets each new schema, and a compiled schema is many times faster.
const byCount = new Map<number, typeof queryAggregate>()

/** Returns `queryAggregate` with a schema that requires `count` results (specification 4.11). */
export function queryAggregateOf(count: number): typeof queryAggregate {
  const known = byCount.get(count) ?? queryAggregateExpecting(count)
  byCount.set(count, known)
  return known
}

function queryAggregateExpecting(count: number): typeof queryAggregate {
  const hasOneEach = ({ length }: AggregationResult[]) => length === count
  const error = `one result for each query (${count})`
  const results = z.array(AggregationResult).check(z.refine(hasOneEach, { error }))
  const responses = ownFields({ 200: z.object({ results }) })
  return ownFields({ ...queryAggregate, responses })
}

export const queryParquet = endpoint('aggregate.queryParquet', {
  ...request,
  responses: { 200: 'binary' },
})
