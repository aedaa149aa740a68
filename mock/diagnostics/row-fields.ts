import { isObject } from '../../src/contract/schema-tools/object.ts'
import { toInstant } from '../shared/instant.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns the names of a stored row's fields that differ from the sent row. Source fields have names such as
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

/** A missing field equals null. */
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
