import { aggregateColumns, seriesColumns } from '../../../src/contract/values/columns.ts'
import { isKnown } from '../../../src/contract/values/known-values.ts'
import type { ColumnType } from '../../../src/contract/values/resources.ts'
import { supportedResources } from '../../../src/contract/values/resources.ts'
import { keysOf } from '../../../src/shared/narrow.ts'
import { MockError } from '../../errors.ts'
import { zoneCell } from '../../living/devices/offsets.ts'
import { formatFloating } from '../../query/calendar.ts'
import {
  buildTable,
  type CellValue,
  isTime,
  rowOf,
  type Table,
  timeOrder,
} from '../../query/table.ts'
import { localTime } from '../../shared/time-zone.ts'
import { dateTime } from '../clock/time.ts'
import { invalidOption } from '../plain.ts'
import type { ValuePort } from '../ports.ts'
import type { HealthRow, HealthRowInput } from '../records/health-rows.ts'
import { timeColumn } from './health-time.ts'

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
const tableNames = keysOf(aggregateColumns)
const seriesNames = supportedResources.filter(
  (name) => !notQueried.includes(name) && !isKnown(tableNames, name),
)

export const queryResources: readonly string[] = [...tableNames, ...seriesNames]

export function columnsOf(resource: string): Readonly<Record<string, ColumnType>> {
  return isKnown(tableNames, resource) ? aggregateColumns[resource] : seriesColumns(resource)
}

export function rowsTable(resource: string, rows: readonly HealthRow[]): Table {
  return addRows(buildTable(columnsOf(resource), timeColumn(resource), []), resource, rows)
}

/** Adds rows to a table. The added rows' moments are NaN, so they are computed from the local times. */
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
 * @throws {MockError} `invalid_state` for an unknown resource or column; `invalid_time` for an invalid time;
 * `invalid_option` for any other invalid value.
 */
export function checkRow({ resource, values = {} }: HealthRowInput): void {
  if (!isKnown(queryResources, resource)) {
    throw new MockError(
      'invalid_state',
      `Unknown resource '${resource}'. Use one of ${queryResources.join(', ')}.`,
    )
  }
  checkValues(resource, values)
}

/** @throws {MockError} Under the same conditions as {@link checkRow}. */
export function makeRow(
  input: HealthRowInput,
  { random, clock }: ValuePort,
  zone: string,
): HealthRow {
  const { user_id, resource, values = {} } = input
  checkRow(input)
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
 * Returns the fields to change in a row. Omitted values stay unchanged.
 *
 * @throws {MockError} `invalid_state` for an unknown column; `invalid_time` for an invalid time; `invalid_option` for
 * any other invalid value.
 */
export function changeRow(
  row: HealthRow,
  changes: Partial<HealthRow>,
  moment: number,
): Partial<HealthRow> {
  const updated_at = dateTime(moment)
  if (!changes.values) return { updated_at, ...changes }
  checkValues(changes.resource ?? row.resource, changes.values)
  return { updated_at, ...changes, values: { ...row.values, ...changes.values } }
}

function checkValues(resource: string, values: Readonly<Record<string, CellValue>>): void {
  const columns = columnsOf(resource)
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(columns, name))
  if (unknown !== undefined) {
    const known = Object.keys(columns).join(', ')
    throw new MockError(
      'invalid_state',
      `Unknown column '${unknown}' of ${resource}. Use one of ${known}.`,
    )
  }
  checkCells(values)
  for (const [name, cell] of Object.entries(values)) {
    if (columns[name] === 'time') checkTime(name, cell, name !== timeColumn(resource))
  }
}

/** @throws {MockError} `invalid_option` for a value that a snapshot cannot contain. */
export function checkCells(values: Readonly<Record<string, unknown>>): void {
  for (const [name, cell] of Object.entries(values)) {
    const isPlain = typeof cell === 'string' || cell === null || cell === undefined
    if (isPlain || Number.isFinite(cell)) continue
    throw invalidOption(`values.${name}`, 'a finite number, a string or null', cell)
  }
}

function checkTime(name: string, cell: CellValue | undefined, isNullable: boolean): void {
  if (cell === undefined || (cell === null ? isNullable : isTime(cell))) return
  throw new MockError(
    'invalid_time',
    `Expected values.${name} to be a local time, such as '2025-02-17T23:10:00'.`,
  )
}
