import * as z from 'zod/mini'
import { isKeyOf } from '../../../src/shared/narrow.ts'
import { MockError } from '../../errors.ts'
import { type SpanUnit, spanUnits, timeSpanPattern } from '../../shared/time-units.ts'
import { typed } from '../records/schemas.ts'

/** A length of time: milliseconds, or a string such as `'500ms'`, `'3s'`, `'15m'`, `'48h'`, `'7d'`. */
export type TimeSpan = number | `${number}${SpanUnit}`

/** A point in time: a `Date`, a Unix timestamp in milliseconds, or an ISO 8601 string. */
export type Instant = Date | number | string

/**
 * The latest time that a `Date` can hold, as a Unix timestamp in milliseconds. It is also the maximum time span, in
 * milliseconds.
 */
export const latestDate = 8.64e15

/**
 * The bounds of virtual time. Years in the specification have four digits, so the bounds leave a margin for record
 * dates before and after the virtual time.
 */
export const earliestMoment = Date.parse('1000-01-01T00:00:00Z')
export const latestMoment = Date.parse('9999-01-01T00:00:00Z')

/** The latest time whose year has four digits. */
const endOfDates = Date.parse('9999-12-31T23:59:59.999Z')

const timeSpanForm = new RegExp(`^${timeSpanPattern}$`)

export const timeSpanSchema = typed<TimeSpan, number | string>(
  z.union([
    z.number().check(z.gte(0)),
    z.string().check(z.regex(timeSpanForm, "a time span such as '15m'")),
  ]),
)

/** Converts a time span to milliseconds, rounded to an integer. */
export function spanOf(span: TimeSpan): number {
  const text = typeof span === 'number' || typeof span === 'string' ? String(span) : ''
  const [, digits, unit = 'ms'] = timeSpanForm.exec(text) ?? []
  if (digits === undefined || !isKeyOf(spanUnits, unit)) {
    throw new MockError(
      'invalid_time',
      `Expected a time span of at least 0, in milliseconds or as a string such as '15m', but got ${quote(span)}.`,
    )
  }
  const whole = Math.round(Number(digits) * spanUnits[unit])
  if (whole <= latestDate) return whole
  throw new MockError(
    'invalid_time',
    `Expected a time span of at most ${latestDate} ms, but got ${quote(span)}.`,
  )
}

const isoText =
  /^((?:\d{4}|[+-]\d{6})-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?$/

/** Converts a point in time to a Unix timestamp in milliseconds. A string without an offset is in UTC. */
export function momentOf(instant: Instant): number {
  const moment = typeof instant === 'string' ? momentOfText(instant) : momentOfNumber(instant)
  if (!Number.isNaN(moment)) return moment
  throw new MockError(
    'invalid_time',
    `Expected a time: a Date, a Unix timestamp in milliseconds, or a string such as '2025-06-01T09:00:00Z', but got ${quote(instant)}.`,
  )
}

function momentOfNumber(instant: Date | number): number {
  const isInstant = instant instanceof Date || typeof instant === 'number'
  return isInstant ? new Date(instant).getTime() : Number.NaN
}

/** Converts an ISO 8601 date or date-time to a Unix timestamp in milliseconds. Returns NaN for any other string. */
export function momentOfText(text: string): number {
  const [, date, time = 'T00:00', offset = 'Z'] = isoText.exec(text) ?? []
  // Some engines read the 30th of February as the 2nd of March.
  const midnight = new Date(`${date}T00:00Z`)
  const isDate = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(`${date}T`)
  return isDate ? new Date(`${date}${time}${offset}`).getTime() : Number.NaN
}

/** @throws {MockError} `invalid_time` if the value is not a time or is outside the bounds of virtual time. */
export function virtualMoment(instant: Instant): number {
  const moment = checkMoment(momentOf(instant))
  if (moment >= earliestMoment) return moment
  throw new MockError(
    'invalid_time',
    `The time ${new Date(moment).toISOString()} is before the earliest virtual time, ${new Date(earliestMoment).toISOString()}. Use a later time.`,
  )
}

/** @throws {MockError} `invalid_time` if {@link virtualMoment} rejects the value or the time is before `now`. */
export function momentFrom(now: number, instant: Instant): number {
  const moment = virtualMoment(instant)
  if (moment >= now) return moment
  throw new MockError(
    'invalid_time',
    `Cannot move time back to ${new Date(moment).toISOString()}. Use ${new Date(now).toISOString()} or later.`,
  )
}

/** @throws {MockError} `invalid_time` if the moment is after the latest virtual time. */
export function checkMoment(moment: number): number {
  if (moment <= latestMoment) return moment
  throw new MockError(
    'invalid_time',
    `The time ${moment} is after the latest time that the mock supports, ${latestMoment} (${new Date(latestMoment).toISOString()}). Use an earlier time or a shorter time span.`,
  )
}

let latest: { moment: number; text: string } | undefined

/**
 * Formats a timestamp as the service sends it, in ISO 8601 and UTC. Records created at the same time share a string.
 */
export function dateTime(moment: number): string {
  if (moment !== latest?.moment) {
    latest = { moment, text: new Date(moment).toISOString() }
  }
  return latest.text
}

/** Returns the `updated_at` of a change at `moment`. It is later than `previous`, because consumers compare the two. */
export function versionTime(moment: number, previous: number): number {
  return previous >= moment ? Math.min(previous + 1, endOfDates) : moment
}

function quote(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}
