import { momentOfLocal, offsetAt } from '../../../base/time-zone.ts'
import { isFloating, zoneCell } from '../../../life/devices/offsets.ts'
import { dateTime } from '../../clock/time.ts'

/** The state that decides about the times of health data. */
export interface HealthTimeContext {
  /** The health data, which knows the time zones of users. */
  data: { zoneOf(userId: string): string }
}

/** The time of a row of health data as the service sends it. */
export interface RowTime {
  /** Seconds east of UTC; null if the provider does not send the time zone. */
  offset: number | null
  /** Returns a local time of the row as the service sends it, in UTC; null for NaN. */
  utc(local: number): string | null
}

/**
 * Returns how the service sends the times of a row. Tables contain floating local time; the time zone is that of the row,
 * or else that of its user. Time series have no column for it.
 */
export function rowTime(
  table: string,
  userId: string,
  cells: { time_zone?: unknown; source_provider?: unknown },
  local: number,
  { data }: HealthTimeContext,
): RowTime {
  const provider = String(cells.source_provider ?? 'manual')
  const ofUser = data.zoneOf(userId)
  const known = cells.time_zone === undefined ? zoneCell(provider, table, ofUser) : cells.time_zone
  const zone = isFloating(provider) ? 'UTC' : String(known ?? ofUser)
  const moment = (time: number) => momentOfLocal(zone, time)
  return {
    offset: known === null || isFloating(provider) ? null : offsetAt(zone, moment(local)),
    utc: (time) => (Number.isNaN(time) ? null : wireTime(moment(time))),
  }
}

/** Returns the form of a moment in health data: in UTC with its offset, such as `2025-06-01T07:00:00+00:00`. */
export function wireTime(moment: number): string {
  return dateTime(moment).replace(/(?:\.000)?Z$/, '+00:00')
}
