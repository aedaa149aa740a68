import { isObject } from '../../src/contract/schema-tools/object.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns the names of a stored row's fields that differ from the sent row. Differences in the source have names such as
 * `source.app_id`.
 */
export function differentFields(stored: Fields, sent: Fields): string[] {
  return Object.keys(stored).flatMap((name) => {
    const [found, expected] = [stored[name], sent[name]]
    if (name === 'source' && isObject(found) && isObject(expected)) {
      return differentParts(found, expected).map((part) => `${name}.${part}`)
    }
    return isSame(found, expected) ? [] : [name]
  })
}

/** Compared even if the stored source omits them. */
const sourceFields = ['provider', 'type', 'app_id']

/** Returns the fields in which two sources differ. A missing field equals null. */
function differentParts(stored: Fields, sent: Fields): string[] {
  const names = new Set([...sourceFields, ...Object.keys(stored)])
  return [...names].filter((name) => !isSame(stored[name] ?? null, sent[name] ?? null))
}

function isSame(found: unknown, expected: unknown): boolean {
  return found === expected || canonical(found) === canonical(expected)
}

/** Formats a value as JSON with sorted keys. Times with an offset are converted to UTC. */
function canonical(value: unknown): string {
  const sorted = (_: string, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : toInstant(inner)
  return JSON.stringify(value, sorted) ?? 'undefined'
}

const timePattern = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)$/

/** Converts a date, or a time with an offset, to UTC. Returns any other value unchanged. */
export function toInstant(value: unknown): unknown {
  if (!(value instanceof Date) && !(typeof value === 'string' && timePattern.test(value))) {
    return value
  }
  const moment = typeof value === 'string' ? parseTime(value) : value
  return Number.isNaN(moment.getTime()) ? value : moment.toISOString()
}

/** Parses a time as databases print it, such as `2025-02-17 23:10:00+00`, which some engines cannot parse. */
function parseTime(text: string): Date {
  return new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
}
