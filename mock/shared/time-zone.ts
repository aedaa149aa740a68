import { firstIndex } from './lists.ts'
import { day } from './time-units.ts'

/** Time zones: IANA names such as `Europe/Berlin`, or fixed offsets such as `+02:00`. */

const fixedOffset = /^([+-])([01]\d|2[0-3]):([0-5]\d)$/

/** Returns whether a string names a time zone. */
export function isTimeZone(text: string): boolean {
  // The first format of a program takes milliseconds, and UTC is the default.
  return text === 'UTC' || fixedOffset.test(text) || formatOf(text) !== undefined
}

/** Returns the offset of a zone at a moment, in seconds east of UTC; 0 for an unknown zone. */
export function offsetAt(zone: string, moment: number): number {
  if (zone === 'UTC') return 0
  if (fixedOffset.test(zone)) return secondsOf(zone)
  return offsetOfDay(zone, Math.floor(moment / day)) ?? findOffset(zone, moment)
}

/** Returns the first moment at which a zone has another offset than at `from`, in steps from there; `until` without one. */
export function offsetChange(zone: string, from: number, until: number, step: number): number {
  const before = offsetAt(zone, from)
  const steps = Math.ceil((until - from) / step)
  return from + firstIndex(steps, (at) => offsetAt(zone, from + at * step) !== before) * step
}

// To find an offset takes 22 us, and each sample has one.
/** Offsets by zone and day of UTC, because the platform takes long to find them; undefined on days of a change. */
const offsets = new Map<string, Map<number, number | undefined>>()
const keptDays = 5000
const keptZones = 500

function offsetOfDay(zone: string, date: number): number | undefined {
  const ofZone = offsets.get(zone) ?? new Map<number, number | undefined>()
  if (ofZone.has(date)) return ofZone.get(date)
  if (ofZone.size >= keptDays) ofZone.clear()
  // Rows of tests may have any string as a zone.
  if (offsets.size >= keptZones) offsets.clear()
  const first = findOffset(zone, date * day)
  const offset = first === findOffset(zone, (date + 1) * day - 1) ? first : undefined
  offsets.set(zone, ofZone.set(date, offset))
  return offset
}

function findOffset(zone: string, moment: number): number {
  return secondsOf(offsetName(zone, moment))
}

/** Returns the digits of the local clock at a moment, as milliseconds of UTC with the same digits. */
export function localTime(zone: string, moment: number): number {
  return moment + offsetAt(zone, moment) * 1000
}

/** Returns the moment of a local time. One that the clock skips or shows twice gets one of its readings. */
export function momentOfLocal(zone: string, local: number): number {
  const guess = local - offsetAt(zone, local) * 1000
  const moment = local - offsetAt(zone, guess) * 1000
  return localTime(zone, moment) === local ? moment : guess
}

// To make a format takes 0.4 ms.
const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns an offset such as `+02:00`; an empty string for none. */
function offsetName(zone: string, moment: number): string {
  const parts = formatOf(zone)?.formatToParts(moment) ?? []
  return parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '') ?? ''
}

/** Returns the format of a zone; undefined for an unknown zone. */
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

/** Returns the seconds of an offset such as `+05:30` or `-00:44:30`; none of an empty one. */
function secondsOf(offset: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = offset.slice(1).split(':').map(Number)
  return (offset.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds)
}

/** Returns the IANA names of the platform. */
export function timeZoneNames(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')]
}
