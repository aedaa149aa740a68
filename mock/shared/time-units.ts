/** The number of milliseconds in each time span unit. */
export const spanUnits = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A time span unit: milliseconds, seconds, minutes, hours or days. */
export type SpanUnit = keyof typeof spanUnits

/** A regular expression, without anchors, for time span strings such as `15m`. */
export const timeSpanPattern = `(\\d+(?:\\.\\d+)?)(${Object.keys(spanUnits).join('|')})?`

/** Milliseconds in a minute. */
export const minute = spanUnits.m

/** Milliseconds in an hour. */
export const hour = spanUnits.h

/** Milliseconds in a day. */
export const day = spanUnits.d

const timePattern = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)$/

/**
 * Converts a `Date`, or a date-time with an offset, to an ISO 8601 string in UTC. Returns any other value unchanged.
 */
export function toInstant(value: unknown): unknown {
  if (!(value instanceof Date) && !(typeof value === 'string' && timePattern.test(value))) {
    return value
  }
  const moment = typeof value === 'string' ? parseTime(value) : value
  return Number.isNaN(moment.getTime()) ? value : moment.toISOString()
}

/**
 * Parses a time in the format that databases print, such as `2025-02-17 23:10:00+00`. Some JavaScript engines cannot
 * parse this format.
 */
function parseTime(text: string): Date {
  return new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
}
