import type {
  AggregateTable,
  GroupByItem,
  Query,
  QueryConfig,
  RelativeTimeframe,
  SelectItem,
} from '../../contract/aggregate.ts'
import type { AggregateResource } from '../../contract/values/columns.ts'
import type { Open } from '../../contract/values/known-values.ts'

/** A resource of aggregate queries: editors complete the known ones; every other name is a time series. */
export type Resource = Open<AggregateResource | 'heartrate' | 'glucose' | 'steps' | 'hrv'>

/** An aggregation with a typed function, from which the columns of the table are derived. */
export interface Aggregation<Func extends string = string> extends SelectItem {
  /** The aggregation function, which also names the column. */
  func: Func
}

/** A query that helpers build. It can be sent at any time: its own fields are those of {@link Query}. */
export interface QueryBuilder<Column extends string = string> {
  /** The aggregations, in order. */
  readonly select: SelectItem[]
  /** The groups; absent without `groupBy`. */
  readonly group_by?: GroupByItem[]
  /** Groups by truncated time, by columns, or both. Replaces earlier groups. */
  groupBy(...items: GroupByItem[]): QueryBuilder<Column>
  /** Keeps only the rows that match an expression; write it with the {@link where} template. */
  where(expression: string): BuiltQuery<Column>
}

/** A finished query with typed columns. */
export interface BuiltQuery<Column extends string = string> extends Query {
  /** The columns of the table; exists in types only. */
  readonly [columnsOf]?: Column
}
declare const columnsOf: unique symbol

/** A query: a literal, or one built with the helpers. */
export type AnyQuery = Query | QueryBuilder

/** A request of aggregate queries, which may be literals or built with the helpers (specification 4.11). */
export interface QueriesRequest<Queries extends readonly AnyQuery[]> {
  /** The period of all queries; {@link past} builds it. */
  timeframe: RelativeTimeframe
  /** The queries; `results` has one entry for each, in the same order. */
  queries: readonly [...Queries]
  /** Settings of all queries. */
  config?: QueryConfig | null | undefined
}

/** One value of a table's column. */
export type AggregateValue = number | string | null

/** The table of a query: its columns are typed if the query was built with the helpers, and open if it is a literal. */
export type TableOf<Q extends AnyQuery> = Q extends
  | QueryBuilder<infer Column>
  | { readonly [columnsOf]?: infer Column extends string }
  ? string extends Column
    ? AggregateTable
    : AggregateTable & { [Name in Column]: AggregateValue[] }
  : AggregateTable

/** The results of a request's queries, in their order. */
export interface QueriesResult<Queries extends readonly AnyQuery[]> {
  /** One table for each query. */
  results: {
    [At in keyof Queries]: {
      /** Columns of equal length: `index` and one per aggregation. */
      table: TableOf<Queries[At]>
    }
  }
}
