import { remember } from '../../../src/shared/memo.ts'
import { day, hour, minute } from '../../shared/time-units.ts'
import { offsetAt, offsetChange } from '../../shared/time-zone.ts'
import { Draws } from '../noise.ts'
import { clamp } from '../numbers.ts'
import type { Life } from '../person/life.ts'

/** A trip to another time zone. Flights take no time. */
interface Trip {
  readonly zone: string
  readonly outward: Flight
  readonly homeward: Flight
}

/** A flight to another time zone. The local date is the same before and after the flight. */
interface Flight {
  readonly date: number
  readonly at: number
}

const destinations = [
  'Europe/London',
  'America/New_York',
  'Asia/Tokyo',
  'Europe/Madrid',
  'America/Los_Angeles',
  'Asia/Kolkata',
  'Pacific/Auckland',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Pacific/Honolulu',
  'Australia/Lord_Howe',
  'Asia/Dubai',
] as const

/** A person takes at most one trip in each period of this many days, and returns before the next. */
const blockDays = 56

/** Returns the trip that includes a date, if any. A trip includes its flight dates. */
export function tripOf(life: Life, date: number): Trip | undefined {
  const trip = tripOfBlock(life, Math.floor(date / blockDays))
  if (!trip || date < trip.outward.date || date > trip.homeward.date) return undefined
  return trip
}

// The cache saves 1.5 s when a month of data is generated for ten living users.
const tripOfBlock = remember(512, (life: Life, block: number): Trip | undefined => {
  const draws = new Draws(life.seeds.trip, block)
  if (draws.next() >= life.person.persona.trips) return undefined
  const first = block * blockDays + draws.integer(2, 30)
  const last = first + draws.integer(3, 20)
  const home = life.person.zone
  const zone = draws.pick(destinations)
  const outward = flightOn(first, home, zone, draws)
  const homeward = flightOn(last, zone, home, draws)
  return outward && homeward && zone !== home ? { zone, outward, homeward } : undefined
})

/**
 * Returns a flight at a time when both zones have this date, or undefined if they share the date for less than an hour.
 */
function flightOn(date: number, from: string, to: string, draws: Draws): Flight | undefined {
  const wanted = startOfDate(from, date) + draws.integer(10 * 60, 17 * 60) * minute
  const first = Math.max(startOfDate(from, date), startOfDate(to, date))
  const last = Math.min(startOfDate(from, date + 1), startOfDate(to, date + 1))
  if (last - first < hour) return undefined
  const at = clamp(wanted, first + hour / 4, last - hour / 4)
  return { date, at: Math.floor(at / minute) * minute }
}

/** Returns the start of a calendar date in a time zone: midnight, or a later time if the clock skips midnight. */
export function startOfDate(zone: string, date: number): number {
  const digits = date * day
  // In every zone, the date starts between these two times: offsets are from -12 to +14 hours.
  const [before, after] = [digits - 16 * hour, digits + 14 * hour]
  const early = digits - offsetAt(zone, before) * 1000
  const late = digits - offsetAt(zone, after) * 1000
  if (early === late) return early
  const change = offsetChange(zone, before, after, 1000)
  return early < change ? early : Math.max(change, late)
}
