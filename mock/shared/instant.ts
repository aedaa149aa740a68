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
 * Parses a time in the format that databases print, such as `2025-02-17 23:10:00+00`. Some engines cannot parse this
 * format.
 */
function parseTime(text: string): Date {
  return new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
}
