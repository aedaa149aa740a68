import {
  type AggregateResource,
  aggregateColumns,
  type ColumnType,
  timeseriesColumns,
} from '../../../../src/contract/values/columns.ts'
import { isKnown } from '../../../../src/contract/values/known-values.ts'
import { supportedResources } from '../../../../src/contract/values/resources.ts'
import { localTime } from '../../../base/time-zone.ts'
import { MockError } from '../../../errors.ts'
import { zoneCell } from '../../../life/devices/offsets.ts'
import { formatFloating } from '../../../query/calendar.ts'
import { buildTable, type CellValue, rowOf, type Table, timeOrder } from '../../../query/table.ts'
import { dateTime } from '../../clock/time.ts'
import type { RecordContext } from '../record-context.ts'
import { timeColumn } from './health-time.ts'

/** One row of a user's health data, which aggregate queries and summaries read. */
export interface HealthRow {
  /** The id of the row, a UUID. */
  id: string
  /** The user whose data it is. */
  user_id: string
  /** A table, such as `sleep`, or a time series, such as `heartrate`. */
  resource: string
  /** By column; times are floating local time, such as `2025-02-17T23:10:00`. */
  values: Readonly<Record<string, CellValue>>
  /** The virtual time of the last `update`; absent before it. Events and summaries then have the time of the row. */
  updated_at?: string
}

/** A row of health data to create. */
export interface HealthRowInput {
  /** A UUID. Default: a random one. */
  id?: string
  /** The user whose data it is. */
  user_id: string
  /** A table, such as `sleep`, or a time series, such as `heartrate`. */
  resource: string
  /**
   * By column. Defaults: the time of the row is the virtual time in the user's time zone, its source an Oura ring, its
   * `time_zone` that of the user if the provider sends it, any other column null.
   */
  values?: Readonly<Record<string, CellValue>>
}

/** Names in the list of supported resources that are neither tables nor time series. */
const notQueried = [
  'connection',
  'order',
  'result',
  'match_review',
  'appointment',
  'device',
  'device_legacy',
  'workouts',
  'workout_stream',
  'sleep_cycle',
  'sleep_stream',
  'hypnogram',
]
const tableNames = Object.keys(aggregateColumns) as AggregateResource[]
const seriesNames = supportedResources.filter(
  (name) => !notQueried.includes(name) && !isKnown(tableNames, name),
)

/** The resources that queries can read. */
export const queryResources: readonly string[] = [...tableNames, ...seriesNames]

/** Returns the types of the columns of a resource. */
export function columnsOf(resource: string): Readonly<Record<string, ColumnType>> {
  return isKnown(tableNames, resource) ? aggregateColumns[resource] : timeseriesColumns
}

/** Returns rows of a resource as a table. */
export function rowsTable(resource: string, rows: readonly HealthRow[]): Table {
  return addRows(buildTable(columnsOf(resource), timeColumn(resource), []), resource, rows)
}

/** Adds the rows of a test to a table. The moments of added rows are NaN: their local time decides. */
export function addRows(table: Table, resource: string, added: readonly HealthRow[]): Table {
  if (added.length === 0) return table
  const time = timeColumn(resource)
  const known = Array.from(table.time.keys(), (row) => rowOf(table, row))
  const rows = [...known, ...added.map(({ values }) => values)]
  const order = timeOrder(rows, time)
  const move = (values: ArrayLike<number>) =>
    Float64Array.from(order, (from) => values[from] ?? Number.NaN)
  const { moments, sentAt = { first: [], latest: [] } } = table
  const moved = Object.entries(moments ?? {}).map(([name, values]) => [name, move(values)])
  const latest = [
    ...known.map((_, row) => sentAt.latest[row] ?? Number.NaN),
    ...added.map(({ updated_at }) => Date.parse(updated_at ?? '')),
  ]
  return {
    ...buildTable(columnsOf(resource), time, rows),
    ...(moments && { moments: Object.fromEntries(moved) }),
    sentAt: { first: move(sentAt.first), latest: move(latest) },
  }
}

/**
 * Makes a row; fills omitted columns.
 *
 * @throws {MockError} `invalid_state` for an unknown resource or column.
 */
export function makeRow(
  input: HealthRowInput,
  { random, clock }: RecordContext,
  zone: string,
): HealthRow {
  const { user_id, resource, values = {} } = input
  if (!isKnown(queryResources, resource)) {
    throw new MockError(
      'invalid_state',
      `Unknown resource '${resource}'. Use one of ${queryResources.join(', ')}.`,
    )
  }
  checkColumns(resource, values)
  const columns = columnsOf(resource)
  const id = input.id ?? random.uuid()
  const nulls = Object.fromEntries(Object.keys(columns).map((name) => [name, null]))
  const provider = String(values['source_provider'] ?? 'oura')
  const filled = {
    ...nulls,
    ...('id' in columns ? { id } : {}),
    [timeColumn(resource)]: formatFloating(localTime(zone, clock.moment)),
    ...('time_zone' in columns ? { time_zone: zoneCell(provider, resource, zone) } : {}),
    source_provider: provider,
    source_type: 'ring',
  }
  return { id, user_id, resource, values: { ...filled, ...values } }
}

/**
 * Returns the changes of a row: values that are not given stay.
 *
 * @throws {MockError} `invalid_state` for an unknown column.
 */
export function changeRow(
  row: HealthRow,
  changes: Partial<HealthRow>,
  moment: number,
): Partial<HealthRow> {
  const updated_at = dateTime(moment)
  if (!changes.values) return { updated_at, ...changes }
  checkColumns(changes.resource ?? row.resource, changes.values)
  return { updated_at, ...changes, values: { ...row.values, ...changes.values } }
}

/** @throws {MockError} `invalid_state` for an unknown column. */
function checkColumns(resource: string, values: Readonly<Record<string, CellValue>>): void {
  const columns = columnsOf(resource)
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(columns, name))
  if (unknown === undefined) return
  const known = Object.keys(columns).join(', ')
  throw new MockError(
    'invalid_state',
    `Unknown column '${unknown}' of ${resource}. Use one of ${known}.`,
  )
}
