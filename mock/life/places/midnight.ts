import { day, hour } from '../../base/time-units.ts'
import { offsetAt, offsetChange } from '../../base/time-zone.ts'
import { cached } from '../cache.ts'

/** The latest midnights by zone: the calendar of a zone is the same for all its people. */
const midnights = new Map<string, Map<number, number>>()
const mostZones = 64
const mostDates = 1500

/**
 * Returns the first moment of a calendar date in a time zone. That is midnight, or a later time where the clock skips
 * midnight.
 */
export function startOfDate(zone: string, date: number): number {
  const dates = cached(midnights, zone, mostZones, () => new Map<number, number>())
  return cached(dates, date, mostDates, () => findStart(zone, date))
}

function findStart(zone: string, date: number): number {
  const digits = date * day
  // Every zone has the date between these moments: offsets are from -12 to +14 hours.
  const [before, after] = [digits - 16 * hour, digits + 14 * hour]
  const early = digits - offsetAt(zone, before) * 1000
  const late = digits - offsetAt(zone, after) * 1000
  if (early === late) return early
  const change = offsetChange(zone, before, after, 1000)
  return early < change ? early : Math.max(change, late)
}
