import type { AggregateRequest, AggregateTable } from '../../../src/contract/aggregate.ts'
import { aggregateColumns, timeseriesColumns } from '../../../src/contract/values/columns.ts'
import { day, hour } from '../../shared/time-units.ts'
import type { Point } from './layout.ts'

export const numericColumns: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({ ...aggregateColumns, heartrate: timeseriesColumns }).map(
    ([resource, columns]) => [resource, namesOfNumbers(columns)],
  ),
)

function namesOfNumbers(columns: Readonly<Record<string, string>>): string[] {
  return Object.entries(columns).flatMap(([name, type]) =>
    type === 'integer' || type === 'number' ? [name] : [],
  )
}

/** The column that the form initially selects for a resource. Default: the resource's first column. */
export const defaultColumns: ReadonlyMap<string, string> = new Map([
  ['sleep', 'score'],
  ['activity', 'steps'],
  ['body', 'weight_kilogram'],
  ['workout', 'calories'],
])

export function toQuery(values: FormData): AggregateRequest {
  const value = (name: string) => String(values.get(name))
  const resource = value('resource')
  return {
    timeframe: {
      type: 'relative',
      anchor: value('anchor'),
      past: { unit: value('unit'), value: Number(value('length')) },
    },
    queries: [
      {
        select: [{ arg: { [resource]: value('column') }, func: value('func') }],
        group_by: [{ date_trunc: { unit: value('group'), value: 1 }, arg: { index: resource } }],
      },
    ],
  }
}

/** Returns the chart's title for the form's values, such as `max of activity.steps by week`. */
export function titleOf(values: FormData): string {
  const value = (name: string) => String(values.get(name))
  return `${value('func')} of ${value('resource')}.${value('column')} by ${value('group')}`
}

/** Returns a point for each row of a table with an index and one column. Values that are not numbers become null. */
export function pointsOf({ index = [], ...columns }: AggregateTable): Point[] {
  const [values = []] = Object.values(columns)
  return index.map((at, row) => {
    const value = values[row]
    return { at: String(at), value: typeof value === 'number' ? value : null }
  })
}

/** The maximum time between adjacent groups, by unit, in milliseconds. A longer interval is a gap. */
const longestSteps: Readonly<Record<string, number>> = {
  hour: 1.5 * hour,
  day: 1.5 * day,
  week: 7.5 * day,
  month: 31.5 * day,
}

/** Adds a point without a value in each gap, so no line is drawn across the gap. */
export function markGaps(points: readonly Point[], unit: string): Point[] {
  const longest = longestSteps[unit] ?? Number.POSITIVE_INFINITY
  return points.flatMap((point, index) => {
    const before = points[index - 1]
    const isGap = before && timeOf(point) - timeOf(before) > longest
    return isGap ? [{ at: middleOf(before, point), value: null }, point] : [point]
  })
}

function timeOf({ at }: Point): number {
  return Date.parse(`${at.slice(0, 19)}Z`)
}

function middleOf(one: Point, other: Point): string {
  return new Date((timeOf(one) + timeOf(other)) / 2).toISOString().slice(0, 19)
}
