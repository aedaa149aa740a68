import { firstIndex } from './lists.ts'
import { day } from './time-units.ts'

/** A time zone is an IANA name such as `Europe/Berlin`, or a fixed offset such as `+02:00`. */

const fixedOffset = /^([+-])([01]\d|2[0-3]):([0-5]\d)$/

export function isTimeZone(text: string): boolean {
  // Check for UTC first: it is the default, and creating the first format takes milliseconds.
  return text === 'UTC' || fixedOffset.test(text) || formatOf(text) !== undefined
}

/** Returns a zone's offset at the given time, in seconds east of UTC, or 0 for an unknown zone. */
export function offsetAt(zone: string, moment: number): number {
  if (zone === 'UTC') return 0
  if (fixedOffset.test(zone)) return secondsOf(zone)
  return offsetOfDay(zone, Math.floor(moment / day)) ?? findOffset(zone, moment)
}

/**
 * Returns the first time at which a zone's offset differs from the offset at `from`, rounded up to a multiple of `step`
 * after `from`. If the offset does not change before `until`, returns `until`, rounded in the same way.
 */
export function offsetChange(zone: string, from: number, until: number, step: number): number {
  const before = offsetAt(zone, from)
  const steps = Math.ceil((until - from) / step)
  return from + firstIndex(steps, (at) => offsetAt(zone, from + at * step) !== before) * step
}

// Computing an offset takes 22 µs, and every sample needs one.
/** Cached offsets by zone and UTC day, or undefined for days on which the offset changes. */
const offsets = new Map<string, Map<number, number | undefined>>()
const keptDays = 5000
const keptZones = 500

function offsetOfDay(zone: string, date: number): number | undefined {
  const ofZone = offsets.get(zone) ?? new Map<number, number | undefined>()
  if (ofZone.has(date)) return ofZone.get(date)
  if (ofZone.size >= keptDays) ofZone.clear()
  // Limit the number of cached zones, because rows in tests may have any string as a zone.
  if (offsets.size >= keptZones) offsets.clear()
  const first = findOffset(zone, date * day)
  const offset = first === findOffset(zone, (date + 1) * day - 1) ? first : undefined
  offsets.set(zone, ofZone.set(date, offset))
  return offset
}

function findOffset(zone: string, moment: number): number {
  return secondsOf(offsetName(zone, moment))
}

/** Converts a timestamp to local time, represented by the timestamp with the same date and time in UTC. */
export function localTime(zone: string, moment: number): number {
  return moment + offsetAt(zone, moment) * 1000
}

/**
 * Converts a local time to a timestamp. If a clock change skips the local time or makes it ambiguous, uses one of the
 * two offsets.
 */
export function momentOfLocal(zone: string, local: number): number {
  const guess = local - offsetAt(zone, local) * 1000
  const moment = local - offsetAt(zone, guess) * 1000
  return localTime(zone, moment) === local ? moment : guess
}

// Creating a format takes 0.4 ms.
const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns an offset such as `+02:00`, or an empty string for UTC and for an unknown zone. */
function offsetName(zone: string, moment: number): string {
  const parts = formatOf(zone)?.formatToParts(moment) ?? []
  return parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '') ?? ''
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(timeZone)
  if (known) return known
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    formats.set(timeZone, format)
    return format
  } catch {
    return undefined
  }
}

/** Converts an offset such as `+05:30` or `-00:44:30` to seconds, and an empty string to 0. */
function secondsOf(offset: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = offset.slice(1).split(':').map(Number)
  return (offset.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds)
}

export function timeZoneNames(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')]
}
