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
 * A resource in an aggregate query. Editors suggest the known names; any other name is treated as a time series. In
 * `group_by`, `source` means the source of any resource, and `timeseries` means the query's time series.
 */
export type Resource = Open<AggregateResource | 'heartrate' | 'glucose' | 'steps' | 'hrv'>

/** An aggregation whose function and column are typed, so the table's columns can be derived. */
export interface Aggregation<Func extends string = string, Column extends string = string>
  extends AggregationItem {
  /** Maps a resource to one of its columns. */
  arg: Record<string, Column>
  /** The aggregation function, which also names the table column. */
  func: Func
}

/** Selects the grouping values of one `group_by` item, or of all items. */
export interface GroupKey<Key extends number | '*' = number | '*'> extends GroupKeyItem {
  /** The zero-based position of the `group_by` item, or `*` for all items. */
  group_key: Key
}

/** An item in a query's `select` list. */
export type Selection = Aggregation | GroupKey

/**
 * The columns of a query's table: `mean` for the first `mean` aggregation, `mean.efficiency` for a later `mean` of the
 * `efficiency` column, and `group_key.0` for the first group key.
 *
 * @typeParam Selections The query's selections, in order.
 * @typeParam Taken The functions of the preceding aggregations.
 */
export type ColumnsOf<
  Selections extends readonly Selection[],
  Taken = never,
> = Selections extends readonly [infer First, ...infer Rest extends readonly Selection[]]
  ? First extends Aggregation<infer Func, infer Column>
    ? (Func extends Taken ? `${Func}.${Column}` : Func) | ColumnsOf<Rest, Taken | Func>
    : ColumnOf<First> | ColumnsOf<Rest, Taken>
  : ColumnOf<Selections[number]>

/** The column name of a group key, or of an aggregation whose function is used for the first time. */
type ColumnOf<Selected> =
  Selected extends Aggregation<infer Func>
    ? Func
    : Selected extends GroupKey<infer Key>
      ? `group_key.${Key extends number ? Key : number}`
      : never

/**
 * A query under construction. You can send it at any time, because it has the same fields as {@link Query}. Its methods
 * preserve the column types, even in a function that accepts any builder.
 */
export interface QueryBuilder<Column extends string = string> {
  /** The aggregations and group keys, in order. */
  readonly select: SelectItem[]
  /** The grouping. Absent until you call `groupBy`. */
  readonly group_by?: GroupByItem[]
  /** The table's columns; this property exists only in the types. */
  readonly [columnsOf]?: Column
  /** Groups rows by truncated time, by columns, or by both. Replaces any earlier grouping. */
  groupBy(...items: GroupByItem[]): this
  /** Keeps only the rows that match an expression written with the {@link where} template. Completes the query. */
  where(expression: string): BuiltQuery<ColumnIn<this>>
}

/** A finished query with typed columns. */
export interface BuiltQuery<Column extends string = string> extends Query {
  /** The table's columns; this property exists only in the types. */
  readonly [columnsOf]?: Column
}

type ColumnIn<Q> = Q extends { readonly [columnsOf]?: infer Column extends string }
  ? Column
  : string
declare const columnsOf: unique symbol

/** A query, either a literal or built with the helpers. */
export type AnyQuery = Query | QueryBuilder

/** An aggregate request whose queries are literals or built with the helpers (specification 4.11). */
export interface QueriesRequest<Queries extends readonly AnyQuery[]> {
  /** The timeframe for all queries; build it with {@link past}. */
  timeframe: RelativeTimeframe
  /** The queries; `results` contains one entry per query, in the same order. */
  queries: readonly [...Queries]
  /** Settings for all queries. */
  config?: QueryConfig | null | undefined
}

/** A value in a table column. */
export type AggregateValue = number | string | null

/** A query's table. Its columns are typed only if the query was built with the helpers. */
export type TableOf<Q extends AnyQuery> =
  string extends ColumnIn<Q>
    ? AggregateTable
    : AggregateTable & { [Name in ColumnIn<Q>]: AggregateValue[] }

/** The results of a request's queries, in query order. */
export interface QueriesResult<Queries extends readonly AnyQuery[]> {
  /** One table per query. */
  results: {
    [At in keyof Queries]: {
      /** Columns of equal length: `index`, the aggregations and the selected grouping values. */
      table: TableOf<Queries[At]>
    }
  }
}
