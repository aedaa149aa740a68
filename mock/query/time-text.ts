import { minute } from '../shared/time-units.ts'

export interface TimeText {
  /** Floating local time: the date and time in milliseconds, as if they were UTC. */
  local: number
  /** The Unix timestamp in milliseconds, or undefined without an offset. */
  moment: number | undefined
}

const pattern =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:[T ](?<time>\d{2}:\d{2}(?::\d{2})?)(?<fraction>\.\d+)?(?<offset>Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

/**
 * Parses an ISO 8601 date or date-time, with or without seconds and an offset. A space may replace the `T`. A date means
 * midnight. Returns undefined for an invalid time.
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
