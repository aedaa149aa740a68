import { isObject } from '../../src/shared/narrow.ts'
import { MockError } from '../errors.ts'
import { keyOf } from '../living/events/truth.ts'
import { toInstant } from '../shared/time-units.ts'

type Row = Readonly<Record<string, unknown>>

export function listRows(rows: Iterable<Row>): readonly Row[] {
  if (typeof Object(rows)[Symbol.iterator] === 'function') return [...rows]
  throw invalidRow('the stored rows', 'an array or another iterable', rows)
}

/**
 * Returns a stored row's key, which does not depend on the format of the row's time.
 *
 * @throws {MockError} `invalid_option` with the name of the missing or invalid field, but without its value.
 */
export function keyOfStored(row: unknown): string {
  if (!isObject(row)) throw invalidRow('every stored row', 'an object', row)
  const key = keyOfInstant(row)
  if (key !== undefined) return key
  const { resource, id, timestamp } = row
  if (typeof resource !== 'string') {
    throw invalidRow('the resource of every stored row', "a string such as 'sleep'", resource)
  }
  // The id of a sample is a number, and does not identify the row.
  const isSample = typeof id === 'number' && timestamp !== undefined
  if (id !== undefined && id !== null && !isSample) {
    throw invalidRow(`the id of the stored ${resource} rows`, 'a string', id)
  }
  throw invalidSample(row)
}

/** Returns a row's key, with the time in UTC. Returns undefined if the row lacks key fields. */
export function keyOfInstant(row: Row): string | undefined {
  return keyOf({ ...row, timestamp: toInstant(row['timestamp']) })
}

/** Returns an error that names the missing or invalid key field of a row without a string id. */
function invalidSample({ resource, user_id, timestamp, source }: Row): MockError {
  const rows = `of the stored ${resource} rows without a string id`
  if (typeof toInstant(timestamp) !== 'string') {
    const expected = "the timestamp of the event's item, such as 2025-06-01T09:00:00+00:00"
    return invalidRow(`the timestamp ${rows}`, expected, timestamp)
  }
  if (!isObject(source)) {
    const expected = 'an object with provider and type, such as sourceOf(event)'
    return invalidRow(`the source ${rows}`, expected, source)
  }
  return invalidRow(`the user_id ${rows}`, 'a string', user_id)
}

function invalidRow(name: string, expected: string, found: unknown): MockError {
  return new MockError(
    'invalid_option',
    `Expected ${name} to be ${expected}, but got ${kindOf(found)}.`,
  )
}

/** Returns only a value's kind, because rows may contain personal data. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (value instanceof Date) return 'an invalid Date'
  if (value instanceof Promise) return 'a promise. Await it first'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns the names of a stored row's fields that differ from the sent row. Source fields have a prefix, as in
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

/** The source fields that are compared even if the stored source omits them. */
const sourceFields = ['provider', 'type', 'app_id']

/** Returns the source fields that differ. Treats missing fields as null. */
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
