import type {
  AggregateTable,
  ColumnGroup,
  DateTruncGroup,
  GroupByItem,
  Query,
  QueryConfig,
  RelativeTimeframe,
  SelectItem,
} from '../contract/aggregate.ts'
import type { AggregateColumn, AggregateResource } from '../contract/values/columns.ts'
import type { AggregationFunction, Open, TimeUnit } from '../contract/values/known-values.ts'

/** A resource of aggregate queries: known ones complete, every other name is a time series. */
export type Resource = Open<AggregateResource | 'heartrate' | 'glucose' | 'steps' | 'hrv'>

/** An aggregation that knows its function, so that the columns of the answer are known. */
export interface Aggregation<Func extends string = string> extends SelectItem {
  func: Func
}

/** A query under construction, which can be sent as it is: its own fields are those of {@link Query}. */
export interface QueryBuilder<Column extends string = string> {
  readonly select: SelectItem[]
  readonly group_by?: GroupByItem[]
  /** Groups by truncated time, by columns, or both. */
  groupBy(...items: GroupByItem[]): QueryBuilder<Column>
  /** Keeps only the rows for which an expression holds; write it with the {@link where} template. */
  where(expression: string): BuiltQuery<Column>
}

/** A finished query, which knows the columns of its answer. */
export interface BuiltQuery<Column extends string = string> extends Query {
  readonly [columnsOf]?: Column
}
declare const columnsOf: unique symbol

/** A query as a literal or as the helpers build it. */
export type AnyQuery = Query | QueryBuilder

/** A request whose queries may be literals or built with the helpers (specification 4.11). */
export interface QueriesRequest<Queries extends readonly AnyQuery[]> {
  timeframe: RelativeTimeframe
  queries: readonly [...Queries]
  config?: QueryConfig | null | undefined
}

/** One value of an answered column. */
export type AggregateValue = number | string | null

/** The table that answers a query: of one that the helpers built the columns are known, of a literal they are open. */
export type TableOf<Asked extends AnyQuery> = Asked extends
  | QueryBuilder<infer Column>
  | { readonly [columnsOf]?: infer Column extends string }
  ? string extends Column
    ? AggregateTable
    : AggregateTable & { [Name in Column]: AggregateValue[] }
  : AggregateTable

/** The answers to a request's queries, in their order. */
export interface QueriesResult<Queries extends readonly AnyQuery[]> {
  results: { [At in keyof Queries]: { table: TableOf<Queries[At]> } }
}

/**
 * The period that ends with an anchor day, anchor included (specification 2.10).
 *
 * @param value How many units, at least 1.
 * @param anchor `YYYY-MM-DD`.
 * @example
 * past(30, 'day', '2025-06-01') // 3 May to 1 June
 */
export function past(value: number, unit: Open<TimeUnit>, anchor: string): RelativeTimeframe {
  return { type: 'relative', anchor, past: { unit, value } }
}

/**
 * A query for one or more aggregations of one resource (specification 2.10). The columns of its answer are `index` and
 * one per aggregation, named by its function.
 *
 * @example
 * query(mean('sleep', 'score'), max('sleep', 'score'))
 *   .groupBy(dateTrunc('sleep', 1, 'week'))
 *   .where(where`source_provider = ${'oura'}`)
 */
export function query<const Aggregations extends readonly Aggregation[]>(
  ...aggregations: Aggregations
): QueryBuilder<'index' | Aggregations[number]['func']> {
  return build({ select: [...aggregations] })
}

/** Own fields are the wire's; the two methods are inherited, so that they are neither sent nor compared. */
function build<Column extends string>(
  wire: Pick<Query, 'select' | 'group_by'>,
): QueryBuilder<Column> {
  const methods = {
    groupBy: (...group_by: GroupByItem[]) => build({ ...wire, group_by }),
    where: (expression: string) => ({ ...wire, where: expression }),
  }
  return Object.assign(Object.create(methods), wire)
}

/** Groups by time, truncated to `value` units (specification 2.10). Weeks start on Monday. */
export function dateTrunc(resource: Resource, value: number, unit: Open<TimeUnit>): DateTruncGroup {
  return { date_trunc: { unit, value }, arg: { index: resource } }
}

/** Groups by the values of a column, such as `source_provider`. */
export function column<Name extends Resource>(
  resource: Name,
  name: Open<AggregateColumn<Name>>,
): ColumnGroup {
  return { arg: { [resource]: name } }
}

function aggregation<Func extends AggregationFunction>(func: Func) {
  return <Name extends Resource>(
    resource: Name,
    name: Open<AggregateColumn<Name>>,
  ): Aggregation<Func> => ({ arg: { [resource]: name }, func })
}

/** The arithmetic mean of a column. */
export const mean = aggregation('mean')
/** The least value of a column. */
export const min = aggregation('min')
/** The greatest value of a column. */
export const max = aggregation('max')
/** The sum of a column. */
export const sum = aggregation('sum')
/** How many values a column has; nulls do not count. */
export const count = aggregation('count')
/** The middle value of a column, or the mean of the two middle ones. */
export const median = aggregation('median')
/** The sample standard deviation of a column. */
export const stddev = aggregation('stddev')
/** The value of the earliest row. */
export const oldest = aggregation('oldest')
/** The value of the latest row. */
export const newest = aggregation('newest')

/** A value that a `where` expression can compare with. */
export type WhereValue = string | number | boolean | null

/**
 * Writes a `where` expression. Interpolated values are escaped: a text with quotes stays a text and cannot change the
 * expression.
 *
 * @throws {TypeError} when a value is no text, finite number, boolean or null.
 * @example
 * where`score >= ${80} AND source_provider = ${provider}`
 */
export function where(parts: TemplateStringsArray, ...values: WhereValue[]): string {
  return parts.reduce((written, part, at) => written + literal(values[at - 1]) + part)
}

function literal(value: WhereValue | undefined): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  if (typeof value === 'boolean' || value === null) return String(value)
  if (typeof value === 'number' && Number.isFinite(value)) return plainNumber(value)
  throw new TypeError('where: expected a text, a finite number, a boolean or null')
}

function plainNumber(value: number): string {
  return Object.is(value, -0) ? '0' : String(value)
}

/** The names of a table's columns, `index` first. */
export function columns<Table extends AggregateTable>(result: {
  table: Table
}): (keyof Table & string)[] {
  const names = Object.keys(result.table)
  return ['index', ...names.filter((name) => name !== 'index')].filter((name) =>
    names.includes(name),
  )
}

/**
 * Turns a columnar table into one object per row.
 *
 * @throws {RangeError} when the columns are not of equal length.
 * @example
 * const [sleep] = result.results
 * for (const { index, mean } of rows(sleep)) console.log(index, mean)
 */
export function rows<Table extends AggregateTable>(result: {
  table: Table
}): { [Column in keyof Table]: Table[Column][number] }[] {
  const entries = Object.entries(result.table)
  const lengths = new Set(entries.map(([, values]) => values.length))
  if (lengths.size > 1) {
    const told = entries.map(([, values]) => values.length).join(', ')
    throw new RangeError(`rows: the table is ragged, its columns have ${told} values`)
  }
  const [length = 0] = lengths
  return Array.from({ length }, (_, row) => {
    const values = entries.map(([name, column]) => [name, column[row]])
    return Object.fromEntries(values) as { [Column in keyof Table]: Table[Column][number] }
  })
}
