import { remember } from '../../../src/shared/memo.ts'
import { day, minute } from '../../shared/time-units.ts'
import { localTime, momentOfLocal } from '../../shared/time-zone.ts'
import type { Life } from '../person/life.ts'
import type { ZoneChange } from './day-plan.ts'
import { startOfDate, tripOf } from './trips.ts'

export interface DaySpan {
  readonly date: number
  readonly start: number
  readonly end: number
  readonly zones: readonly ZoneChange[]
}

// The cache saves 0.2 s when a month of data is generated for ten living users.
export const daySpanOf = remember(4096, (life: Life, date: number): DaySpan => {
  const trip = tripOf(life, date)
  const home = life.person.zone
  if (!trip) return spanIn(date, [home])
  const { outward, homeward, zone } = trip
  if (date === outward.date) return spanIn(date, [home, zone], outward.at)
  if (date === homeward.date) return spanIn(date, [zone, home], homeward.at)
  return spanIn(date, [zone])
})

function spanIn(
  date: number,
  [first, second]: readonly [string, string?],
  flight?: number,
): DaySpan {
  const start = startOfDate(first, date)
  const end = startOfDate(second ?? first, date + 1)
  const zones = [{ from: start, zone: first }]
  if (second !== undefined && flight !== undefined) zones.push({ from: flight, zone: second })
  return { date, start, end, zones }
}

export function flightOf({ zones }: DaySpan): number | undefined {
  return zones[1]?.from
}

/**
 * Converts a local time, in minutes after midnight, to a timestamp. The time can be outside the day: negative minutes
 * are on the day before. A time that the clock skips is moved forward by the length of the gap. On the day of a flight,
 * times before the flight are in the first zone.
 */
export function momentAt(span: DaySpan, minuteOfDay: number): number {
  const { start, end, date, zones } = span
  if (end - start === day || minuteOfDay < 0) return start + minuteOfDay * minute
  const digits = date * day + minuteOfDay * minute
  const [first, second] = zones
  const early = momentIn(first?.zone ?? 'UTC', digits)
  if (!second || early < second.from) return early
  return Math.max(second.from, momentIn(second.zone, digits))
}

/** Returns whether a timestamp's local time occurs twice because the clock is set back on this day. */
export function isShownTwice({ start, end, zones }: DaySpan, moment: number): boolean {
  const repeated = end - start - day
  const zone = zones[0]?.zone ?? 'UTC'
  if (repeated <= 0 || zones.length > 1) return false
  const local = localTime(zone, moment)
  return [moment - repeated, moment + repeated].some((other) => localTime(zone, other) === local)
}

function momentIn(zone: string, digits: number): number {
  const moment = momentOfLocal(zone, digits)
  return localTime(zone, moment) < digits ? moment + digits - localTime(zone, moment) : moment
}
