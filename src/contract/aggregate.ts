import * as z from 'zod/mini'
import { endpoint } from './schema/endpoint.ts'
import { date, integer, maybe, openEnum, uuid } from './schema/schema.ts'
import {
  type AggregationFunction,
  aggregationFunctions,
  type Open,
  type TimeUnit,
  timeUnits,
} from './values/known-values.ts'

/** The media type of the Parquet answer (specification 4.11). */
export const parquetMediaType = 'application/vnd.service.tar+gzip+parquet'

/** A length of time: `value` units (specification 2.10). */
export interface Duration {
  unit: Open<TimeUnit>
  /** A positive integer. Default: 1 (presumed). */
  value?: number | undefined
}
export const Duration = z.object({ unit: openEnum(timeUnits), value: z.optional(integer(1)) })

/** The period that ends with the anchor day, anchor included (specification 2.10). */
export interface RelativeTimeframe {
  type: Open<'relative'>
  /** `YYYY-MM-DD`. */
  anchor: string
  past: Duration
}
export const RelativeTimeframe = z.object({
  type: openEnum(['relative']),
  anchor: date,
  past: Duration,
})

/** One computed column (specification 2.10). */
export interface SelectItem {
  /** One resource name, mapped to one of its columns: `{ sleep: 'score' }`. */
  arg: Record<string, string>
  func: Open<AggregationFunction>
}
export const SelectItem = z.object({
  arg: z.record(z.string(), z.string()),
  func: openEnum(aggregationFunctions),
})

/** Groups rows by a truncated date (specification 2.10). */
export interface DateTruncGroup {
  date_trunc: Duration
  /** The resource whose time is truncated: `{ index: 'sleep' }`. */
  arg: { index: string }
}
/** Groups rows by the values of a column (as presumed): `{ arg: { sleep: 'source_provider' } }`. */
export interface ColumnGroup {
  date_trunc?: undefined
  arg: Record<string, string>
}
/** What rows are grouped by: truncated time, or the values of a column. */
export type GroupByItem = DateTruncGroup | ColumnGroup
export const GroupByItem = z.union([
  z.object({ date_trunc: Duration, arg: z.object({ index: z.string() }) }),
  z.object({ date_trunc: z.optional(z.undefined()), arg: z.record(z.string(), z.string()) }),
])

/** One query: aggregations over the rows of one resource (specification 2.10). */
export interface Query {
  select: SelectItem[]
  group_by?: GroupByItem[] | null | undefined
  /** A filter on rows, applied before grouping. */
  where?: string | null | undefined
}
export const Query = z.object({
  select: z.array(SelectItem),
  group_by: maybe(z.array(GroupByItem)),
  where: maybe(z.string()),
})

/** How the queries of a request are answered (specification 2.10). */
export interface QueryConfig {
  /** Provider slugs, the preferred one first. */
  provider_priority_overrides?: string[] | null | undefined
}
export const QueryConfig = z.object({ provider_priority_overrides: maybe(z.array(z.string())) })

/** Aggregate queries over one timeframe (specification 4.11). */
export interface AggregateRequest {
  timeframe: RelativeTimeframe
  queries: Query[]
  config?: QueryConfig | null | undefined
}
export const AggregateRequest = z.object({
  timeframe: RelativeTimeframe,
  queries: z.array(Query),
  config: maybe(QueryConfig),
})

/** A table of equal-length columns: `index` and one per aggregation (specification 4.11). */
export type AggregateTable = Record<string, unknown[]>

/** The answer to one query (specification 2.10). */
export interface AggregationResult {
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

/** The answers, one per query, in the order in which the queries were declared (specification 4.11). */
export interface AggregateResult {
  results: AggregationResult[]
}
export const AggregateResult = z.object({ results: z.array(AggregationResult) })

const facts = {
  method: 'POST',
  path: '/aggregate/v1/user/{user_id}/query',
  spec: '4.11',
  effect: 'read',
  params: { user_id: uuid },
  body: AggregateRequest,
} as const

export const queryAggregate = endpoint({
  ...facts,
  id: 'aggregate.query',
  responses: { 200: AggregateResult },
})

const byCount = new Map<number, typeof queryAggregate>()

/** The endpoint of a request with so many queries: its response has one result for each (specification 4.11). */
export function queryAggregateOf(count: number): typeof queryAggregate {
  const known = byCount.get(count) ?? queryAggregateExpecting(count)
  byCount.set(count, known)
  return known
}

function queryAggregateExpecting(count: number): typeof queryAggregate {
  const hasOneEach = ({ length }: AggregationResult[]) => length === count
  const error = resultsExpected(count)
  const results = z.array(AggregationResult).check(z.refine(hasOneEach, { error }))
  return { ...queryAggregate, responses: { 200: z.object({ results }) } }
}

/** What the specification says of the number of results. */
export function resultsExpected(count: number): string {
  return `one result for each query (${count})`
}

export const queryParquet = endpoint({
  ...facts,
  id: 'aggregate.queryParquet',
  responses: { 200: 'binary' },
  accept: parquetMediaType,
})
