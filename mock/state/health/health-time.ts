import { present } from '../../../src/shared/narrow.ts'
import { isFloating, zoneCell } from '../../living/devices/offsets.ts'
import { isTable, timeColumns } from '../../living/history/record-table.ts'
import { columnAt, type Table, valueAt } from '../../query/table.ts'
import { momentOfLocal, offsetAt } from '../../shared/time-zone.ts'
import { dateTime } from '../clock/time.ts'
import type { SummaryPort } from '../ports.ts'

export interface RowTime {
  /** The offset in seconds east of UTC, or null if the provider does not send the time zone. */
  offset: number | null
  /** Returns the time in a column, as a Unix timestamp in milliseconds, or NaN if the cell is null. */
  moment(column: string): number
  /** Returns the time in a column, as a string in UTC, or null if the cell is null. */
  utc(column: string): string | null
}

interface UserRow {
  resource: string
  user_id: string
  table: Table
  row: number
}

export function timeColumn(resource: string): string {
  return isTable(resource) ? timeColumns[resource] : 'timestamp'
}

/**
 * Returns a row's times. Tables contain local times without an offset. They are in the row's time zone or, if the row
 * has none, in the user's time zone from `zones`. Time series have no time zone column. Generated rows also contain the
 * exact moments. Local times that a provider marks as UTC are read as UTC.
 */
export function rowTime(
  { resource, user_id, table, row }: UserRow,
  zones: SummaryPort['data'],
): RowTime {
  const cell = (name: string) => {
    const column = columnAt(table, name)
    return column && valueAt(column, row)
  }
  const provider = String(cell('source_provider') ?? 'manual')
  const ofUser = zones.zoneOf(user_id)
  const ofRow = cell('time_zone')
  const known = ofRow === undefined ? zoneCell(provider, resource, ofUser) : ofRow
  const zone = isFloating(provider) ? 'UTC' : String(known ?? ofUser)
  const local = (name: string) => {
    const column = table.columns[name]
    return column?.type === 'time' ? present(column.values[row]) : Number.NaN
  }
  const moment = (name: string) => {
    const known = isFloating(provider) ? undefined : table.moments?.[name]?.[row]
    return known === undefined || Number.isNaN(known) ? momentOfLocal(zone, local(name)) : known
  }
  const offset = () => {
    const name = timeColumn(resource)
    const isMoved = table.moments !== undefined
    return isMoved ? (local(name) - moment(name)) / 1000 : offsetAt(zone, moment(name))
  }
  return {
    offset: known === null || isFloating(provider) ? null : offset(),
    moment,
    utc: (name) => (Number.isNaN(local(name)) ? null : wireTime(moment(name))),
  }
}

/** Formats a timestamp for health data: in UTC with an offset, such as `2025-06-01T07:00:00+00:00`. */
export function wireTime(moment: number): string {
  return dateTime(moment).replace(/(?:\.000)?Z$/, '+00:00')
}
