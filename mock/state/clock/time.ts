import * as z from 'zod/mini'
import { type SpanUnit, spanUnits, timeSpanPattern } from '../../base/time-units.ts'
import { MockError } from '../../errors.ts'

/** A length of time: milliseconds, or a string such as `'500ms'`, `'3s'`, `'15m'`, `'48h'`, `'7d'`. */
export type TimeSpan = number | `${number}${SpanUnit}`

/** A moment: a date, its milliseconds since 1970, or an ISO 8601 string. */
export type Instant = Date | number | string

/** The latest moment that a `Date` can hold, in milliseconds since 1970. */
export const latestMoment = 8.64e15

const timeSpanForm = new RegExp(`^${timeSpanPattern}$`)

/** The schema of a {@link TimeSpan}. */
export const timeSpanSchema = z.union([
  z.number().check(z.gte(0)),
  z.string().check(z.regex(timeSpanForm, "a time span such as '15m'")),
])

/** Returns the milliseconds of a length of time, rounded to an integer. */
export function spanOf(span: TimeSpan): number {
  const text = typeof span === 'number' || typeof span === 'string' ? String(span) : ''
  const [, digits, unit = 'ms'] = timeSpanForm.exec(text) ?? []
  if (digits === undefined) {
    throw new MockError(
      'invalid_time',
      `Expected a time span of at least 0, in milliseconds or as a string such as '15m', but got ${quote(span)}.`,
    )
  }
  const whole = Math.round(Number(digits) * spanUnits[unit as SpanUnit])
  if (whole <= latestMoment) return whole
  throw new MockError(
    'invalid_time',
    `Expected a time span of at most ${latestMoment} ms, but got ${quote(span)}.`,
  )
}

const isoText =
  /^((?:\d{4}|[+-]\d{6})-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?$/

/** Returns the milliseconds since 1970 of a moment. A string without an offset is in UTC. */
export function momentOf(instant: Instant): number {
  const moment = typeof instant === 'string' ? momentOfText(instant) : momentOfNumber(instant)
  if (!Number.isNaN(moment)) return moment
  throw new MockError(
    'invalid_time',
    `Expected a time: a Date, milliseconds since 1970 or a string such as '2025-06-01T09:00:00Z', but got ${quote(instant)}.`,
  )
}

function momentOfNumber(instant: Date | number): number {
  const isInstant = instant instanceof Date || typeof instant === 'number'
  return isInstant ? new Date(instant).getTime() : Number.NaN
}

/** Returns the milliseconds since 1970 of a date or time in ISO 8601; NaN for any other text. */
export function momentOfText(text: string): number {
  const [, date, time = 'T00:00', offset = 'Z'] = isoText.exec(text) ?? []
  // Some engines read the 30th of February as the 2nd of March.
  const midnight = new Date(`${date}T00:00Z`)
  const isDate = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(`${date}T`)
  return isDate ? new Date(`${date}${time}${offset}`).getTime() : Number.NaN
}

/**
 * Returns a moment, in milliseconds since 1970, that has not passed.
 *
 * @throws {MockError} `invalid_time` if it is before `now`, or no time.
 */
export function momentFrom(now: number, instant: Instant): number {
  const moment = momentOf(instant)
  if (moment >= now) return moment
  throw new MockError(
    'invalid_time',
    `Cannot move time back to ${new Date(moment).toISOString()}. Use ${new Date(now).toISOString()} or later.`,
  )
}

/**
 * Returns the moment if it is in the calendar.
 *
 * @throws {MockError} `invalid_time` if it is after the last moment that a `Date` can hold.
 */
export function checkMoment(moment: number): number {
  if (moment <= latestMoment) return moment
  throw new MockError(
    'invalid_time',
    `The time ${moment} is after the latest time that a Date can hold, ${latestMoment} ms since 1970 (${new Date(latestMoment).toISOString()}). Use a shorter time span.`,
  )
}

let latest: { moment: number; text: string } | undefined

/** Returns the wire form of a moment: ISO 8601, UTC. Records of the same moment share the string. */
export function dateTime(moment: number): string {
  if (moment !== latest?.moment) {
    latest = { moment, text: new Date(checkMoment(moment)).toISOString() }
  }
  return latest.text
}

function quote(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}
