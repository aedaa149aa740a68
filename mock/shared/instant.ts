const timePattern = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)$/

/** Converts a date, or a time with an offset, to UTC. Returns any other value unchanged. */
export function toInstant(value: unknown): unknown {
  if (!(value instanceof Date) && !(typeof value === 'string' && timePattern.test(value))) {
    return value
  }
  const moment = typeof value === 'string' ? parseTime(value) : value
  return Number.isNaN(moment.getTime()) ? value : moment.toISOString()
}

/**
 * Parses a time in the form that databases print, such as `2025-02-17 23:10:00+00`. Some engines cannot parse this
 * form.
 */
function parseTime(text: string): Date {
  return new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
}
