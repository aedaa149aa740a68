import type {
  AggregateTable,
  AggregationItem,
  GroupByItem,
  GroupKeyItem,
  Query,
  QueryConfig,
  RelativeTimeframe,
  SelectItem,
} from '../../contract/aggregate.ts'
import type { AggregateResource } from '../../contract/values/columns.ts'
import type { Open } from '../../contract/values/known-values.ts'

/**
 * A resource of aggregate queries: editors complete the known ones; every other name is a time series. In groups, `source`
 * is the source of any resource, and `timeseries` the time series of the query.
 */
export type Resource = Open<AggregateResource | 'heartrate' | 'glucose' | 'steps' | 'hrv'>

/** An aggregation with a typed function and column, from which the columns of the table are derived. */
export interface Aggregation<Func extends string = string, Column extends string = string>
  extends AggregationItem {
  /** One resource name, mapped to one of its columns. */
  arg: Record<string, Column>
  /** The aggregation function, which also names the column of the table. */
  func: Func
}

/** The values by which rows are grouped, of one item of `group_by` or of all. */
export interface GroupKey<Key extends number | '*' = number | '*'> extends GroupKeyItem {
  /** The position of the item, from 0, or `*`. */
  group_key: Key
}

/** What a query selects. */
export type Selection = Aggregation | GroupKey

/**
 * The columns of the table of a query: `mean` for the first aggregation with the function `mean`, `mean.efficiency` for a
 * further one of the column `efficiency`, and `group_key.0` for the first group key.
 *
 * @typeParam Selections What a query selects, in its order.
 * @typeParam Taken The names of the columns before.
 */
export type ColumnsOf<
  Selections extends readonly Selection[],
  Taken = never,
> = Selections extends readonly [infer First, ...infer Rest extends readonly Selection[]]
  ? First extends Aggregation<infer Func, infer Column>
    ? (Func extends Taken ? `${Func}.${Column}` : Func) | ColumnsOf<Rest, Taken | Func>
    : ColumnOf<First> | ColumnsOf<Rest, Taken>
  : ColumnOf<Selections[number]>

/** The column of one selection, if no other one has the same function. */
type ColumnOf<Selected> =
  Selected extends Aggregation<infer Func>
    ? Func
    : Selected extends GroupKey<infer Key>
      ? `group_key.${Key extends number ? Key : number}`
      : never

/**
 * A query that helpers build. It can be sent at any time: its own fields are those of {@link Query}. Its methods keep the types
 * of the columns, also in a function that takes any builder.
 */
export interface QueryBuilder<Column extends string = string> {
  /** The aggregations and group keys, in order. */
  readonly select: SelectItem[]
  /** The groups; absent without `groupBy`. */
  readonly group_by?: GroupByItem[]
  /** The columns of the table; exists in types only. */
  readonly [columnsOf]?: Column
  /** Groups by truncated time, by columns, or both. Replaces earlier groups. */
  groupBy(...items: GroupByItem[]): this
  /** Keeps only the rows that match an expression; write it with the {@link where} template. Finishes the query. */
  where(expression: string): BuiltQuery<ColumnIn<this>>
}

/** A finished query with typed columns. */
export interface BuiltQuery<Column extends string = string> extends Query {
  /** The columns of the table; exists in types only. */
  readonly [columnsOf]?: Column
}

/** The columns of the table of a query. */
type ColumnIn<Q> = Q extends { readonly [columnsOf]?: infer Column extends string }
  ? Column
  : string
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
export type TableOf<Q extends AnyQuery> =
  string extends ColumnIn<Q>
    ? AggregateTable
    : AggregateTable & { [Name in ColumnIn<Q>]: AggregateValue[] }

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
