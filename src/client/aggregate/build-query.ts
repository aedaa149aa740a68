import type {
  ColumnGroup,
  DateTruncGroup,
  GroupByItem,
  Query,
  RelativeTimeframe,
} from '../../contract/aggregate.ts'
import type { AggregateColumn } from '../../contract/values/columns.ts'
import type { AggregationFunction, Open, TimeUnit } from '../../contract/values/known-values.ts'
import type {
  Aggregation,
  ColumnsOf,
  GroupKey,
  QueryBuilder,
  Resource,
  Selection,
} from './query-types.ts'

/**
 * Builds a timeframe that ends on the anchor day, inclusive (specification 2.10).
 *
 * @param value The number of units, at least 1.
 * @param unit The unit, such as `day`.
 * @param anchor The last day, `YYYY-MM-DD`.
 * @example
 * past(30, 'day', '2025-06-01') // 3 May to 1 June
 */
export function past(value: number, unit: Open<TimeUnit>, anchor: string): RelativeTimeframe {
  return { type: 'relative', anchor, past: { unit, value } }
}

/**
 * Builds a query for one or more aggregations over one resource (specification 2.10). Its table has an `index` column
 * and one column per aggregation, named after the function, such as `mean`. If a function is used again, the name
 * includes the aggregated column, as in `mean.efficiency` (assumption). Add {@link groupKey} to include the grouping
 * values.
 *
 * @example
 * query(mean('sleep', 'score'), max('sleep', 'score'))
 *   .groupBy(dateTrunc('sleep', 1, 'week'))
 *   .where(where`source_provider = ${'oura'}`)
 */
export function query<const Selections extends readonly Selection[]>(
  ...selections: Selections
): QueryBuilder<'index' | ColumnsOf<Selections>> {
  return build({ select: [...selections] })
}

/** Creates a builder. Its methods are on the prototype, so requests and comparisons ignore them. */
function build<Column extends string>(
  fields: Pick<Query, 'select' | 'group_by'>,
): QueryBuilder<Column> {
  const methods = {
    groupBy: (...group_by: GroupByItem[]) => build({ ...fields, group_by }),
    where: (expression: string) => ({ ...fields, where: expression }),
  }
  return Object.assign(Object.create(methods), fields)
}

/**
 * Groups by time, truncated to `value` units (specification 2.10). Weeks start on Monday.
 *
 * @param value The number of units, at least 1.
 */
export function dateTrunc(resource: Resource, value: number, unit: Open<TimeUnit>): DateTruncGroup {
  return { date_trunc: { unit, value }, arg: { index: resource } }
}

/**
 * Groups by the values of a column, such as `type` in `sleep`. The `source` resource provides the columns
 * `source_provider`, `source_type` and `source_app_id` for every resource (assumption).
 *
 * @param resource The column's resource, such as `sleep`.
 */
export function column<Name extends Resource>(
  resource: Name,
  name: Open<AggregateColumn<Name>>,
): ColumnGroup {
  return { arg: { [resource]: name } }
}

/**
 * Selects the grouping values, as the columns `group_key.0`, `group_key.1` and so on (assumption).
 *
 * @param key The zero-based position of an item in `groupBy`. Default: all items.
 * @example
 * query(sum('activity', 'steps'), groupKey(1))
 *   .groupBy(dateTrunc('activity', 1, 'day'), column('source', 'source_provider'))
 */
export function groupKey<const Key extends number | '*' = '*'>(
  key: Key = '*' as Key, // matches the type parameter's default
): GroupKey<Key> {
  return { group_key: key }
}

function aggregation<Func extends AggregationFunction>(func: Func) {
  return <Name extends Resource, Column extends Open<AggregateColumn<Name>>>(
    resource: Name,
    name: Column,
  ): Aggregation<Func, Column> => ({ arg: { [resource]: name }, func })
}

/** Selects the arithmetic mean of a column. */
export const mean = aggregation('mean')
/** Selects the minimum of a column. */
export const min = aggregation('min')
/** Selects the maximum of a column. */
export const max = aggregation('max')
/** Selects the sum of a column. */
export const sum = aggregation('sum')
/** Selects the number of non-null values in a column. */
export const count = aggregation('count')
/** Selects the median of a column: the middle value, or the mean of the two middle values. */
export const median = aggregation('median')
/** Selects the sample standard deviation of a column. */
export const stddev = aggregation('stddev')
/** Selects a column's earliest non-null value. */
export const oldest = aggregation('oldest')
/** Selects a column's latest non-null value. */
export const newest = aggregation('newest')

/** A value for a comparison in a `where` expression. */
export type WhereValue = string | number | boolean | null

/**
 * Builds a `where` expression. Interpolated values are escaped: a string with quotes remains a string and cannot change
 * the expression.
 *
 * @throws {TypeError} when a value is not a string, finite number, boolean or null.
 * @example
 * where`score >= ${80} AND source_provider = ${provider}`
 */
export function where(parts: TemplateStringsArray, ...values: WhereValue[]): string {
  return parts.reduce((expression, part, at) => expression + formatLiteral(values[at - 1]) + part)
}

function formatLiteral(value: WhereValue | undefined): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  if (typeof value === 'boolean' || value === null) return String(value)
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  throw new TypeError('where: expected a string, a finite number, a boolean or null')
}
