import { day, hour, minute } from '../shared/time-units.ts'

/** Calendar arithmetic in floating local time: the local date and time in milliseconds, as if the zone were UTC. */

const widths = { minute, hour, day, week: 7 * day } as const
type Unit = keyof typeof widths | 'month' | 'year'

export interface Bucket {
  /** The start, inclusive. */
  start: number
  /** The end, exclusive. */
  end: number
}

/** The first Monday of 1970, because weeks start on Monday. */
const firstMonday = 4 * widths.day

/**
 * Returns the bucket of `count` units that contains the given time. Buckets are aligned to the start of 1970, and weeks
 * to the first Monday of that year.
 */
export function bucketOf(moment: number, unit: Unit, count: number): Bucket {
  if (unit === 'month' || unit === 'year') {
    const months = unit === 'year' ? count * 12 : count
    const date = new Date(moment)
    const month = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
    const first = Math.floor(month / months) * months
    return { start: startOfMonth(first), end: startOfMonth(first + months) }
  }
  const width = widths[unit] * count
  const origin = unit === 'week' ? firstMonday : 0
  const start = Math.floor((moment - origin) / width) * width + origin
  return { start, end: start + width }
}

/** Returns the start of a month. Month 0 is January 1970. */
function startOfMonth(month: number): number {
  return new Date(0).setUTCFullYear(1970, month, 1)
}

/** Returns the period of `count` units that ends on the anchor day (`YYYY-MM-DD`), inclusive. */
export function periodEndingWith(anchor: string, unit: Unit, count: number): Bucket {
  const end = Date.parse(`${anchor}T00:00:00Z`) + widths.day
  if (unit !== 'month' && unit !== 'year') return { start: end - widths[unit] * count, end }
  return { start: monthsBefore(end, unit === 'year' ? count * 12 : count), end }
}

/** Returns the same day of the month `months` earlier, or that month's last day if the month is too short. */
function monthsBefore(moment: number, months: number): number {
  const date = new Date(moment)
  const dayOfMonth = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() - months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  return date.setUTCDate(Math.min(dayOfMonth, lastDay))
}

/** The maximum length of a period or a bucket, in years. */
export const mostYears = 10_000

export function isTooLong(unit: Unit, count: number): boolean {
  if (unit === 'year') return count > mostYears
  if (unit === 'month') return count > mostYears * 12
  return count * widths[unit] > mostYears * 365 * widths.day
}

/**
 * Formats a floating local time, such as `2025-02-17T00:00:00`. Years before 0 or after 9999 have a sign and six
 * digits.
 */
export function formatFloating(moment: number): string {
  return new Date(moment).toISOString().replace(/\.\d+Z$/, '')
}

const twoDigits = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'))
/** Each minute of a day, in the format `T09:05:`. */
const minutesOfDay = Array.from(
  { length: 24 * 60 },
  (_, at) => `T${twoDigits[Math.floor(at / 60)]}:${twoDigits[at % 60]}:`,
)

/** Returns a formatter that caches the date, which is faster for consecutive times on the same day. */
export function timeFormatter(): (moment: number) => string {
  let lastDay = Number.NaN
  let date = ''
  return (moment) => {
    const dayNumber = Math.floor(moment / widths.day)
    if (dayNumber !== lastDay) date = formatFloating(dayNumber * widths.day).slice(0, -9)
    lastDay = dayNumber
    const second = Math.floor((moment - dayNumber * widths.day) / 1000)
    return `${date}${minutesOfDay[Math.floor(second / 60)]}${twoDigits[second % 60]}`
  }
}

export interface TimeText {
  /** Floating local time: the date and time in milliseconds, as if they were UTC. */
  local: number
  /** The Unix timestamp in milliseconds, or undefined if the string has no offset. */
  moment: number | undefined
}

const pattern =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:[T ](?<time>\d{2}:\d{2}(?::\d{2})?)(?<fraction>\.\d+)?(?<offset>Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

/**
 * Parses an ISO 8601 date or date-time, with or without seconds and an offset. A space may replace the `T`. A date
 * without a time means midnight. Returns undefined for an invalid time.
 */
export function readTime(text: string): TimeText | undefined {
  const { date, time = '00:00', fraction = '', offset } = pattern.exec(text)?.groups ?? {}
  if (date === undefined || !isDay(date)) return undefined
  const local = Date.parse(`${date}T${time}Z`) + Number(`0${fraction}`) * 1000
  if (Number.isNaN(local)) return undefined
  return { local, moment: offset === undefined ? undefined : local - offsetOf(offset) }
}

/** Returns whether a date exists. `Date.parse` reads 30 February as a day in March. */
function isDay(date: string): boolean {
  const midnight = Date.parse(date)
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date)
}

function offsetOf(offset: string): number {
  if (/z/i.test(offset)) return 0
  const [hours, minutes] = [offset.slice(1, 3), offset.slice(-2)]
  const length = Number(hours) * 60 + (offset.length > 3 ? Number(minutes) : 0)
  return (offset.startsWith('-') ? -length : length) * minute
}
