import { minute } from '../shared/time-units.ts'

/** A time as a string. */
export interface TimeText {
  /** Its digits as milliseconds of UTC: floating local time. */
  local: number
  /** Milliseconds since 1970 in UTC; undefined without an offset. */
  moment: number | undefined
}

const pattern =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:[T ](?<time>\d{2}:\d{2}(?::\d{2})?)(?<fraction>\.\d+)?(?<offset>Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

/**
 * Reads a date or a date-time of ISO 8601, with or without seconds and an offset; a space may be in the place of the `T`.
 * A date is its midnight. Returns undefined for a string that is not a time.
 */
export function readTime(text: string): TimeText | undefined {
  const { date, time = '00:00', fraction = '', offset } = pattern.exec(text)?.groups ?? {}
  if (date === undefined || !isDay(date)) return undefined
  const local = Date.parse(`${date}T${time}Z`) + Number(`0${fraction}`) * 1000
  if (Number.isNaN(local)) return undefined
  return { local, moment: offset === undefined ? undefined : local - offsetOf(offset) }
}

/** Whether a date exists: the platform reads 30 February as a day of March. */
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
