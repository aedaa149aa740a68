import { type CollectionName, collectionNames, paramsIn, recordPaths } from './paths.ts'

/** The parts of a key, such as a user's id and a provider. */
export type KeyParts = readonly (string | number)[]

/** The fields with ids of records. */
export const idFields: readonly string[] = ['id', 'user_id', 'order_id', 'appointment_id']

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

const keyFields = new Map(collectionNames.map((name) => [name, paramsIn(recordPaths[name])]))

/** Returns the fields of the key of a record. */
export function keyFieldsOf(name: CollectionName): readonly string[] {
  return keyFields.get(name) ?? []
}

/** Returns the parts of the key of a record. */
export function keyPartsOf(name: CollectionName, record: object): KeyParts {
  // Records have keys; the input of one may omit parts, and then names no record.
  const fields: Record<string, string | number> = { ...record }
  return keyFieldsOf(name).map((field) => fields[field] ?? '')
}

/** Joins the parts of a key. A single part is not copied, so that a record and its key share the string. */
export function joinKey(parts: KeyParts): string {
  return parts.length === 1 ? String(lowerUuid(parts[0])) : parts.map(lowerUuid).join('/')
}

/** Returns a copy of fields of a record, with its ids as the service returns them. */
export function withLowerIds<Values>(values: Values): Values {
  const ids = Object.entries(Object(values)).filter(([name]) => idFields.includes(name))
  return { ...values, ...Object.fromEntries(ids.map(([name, id]) => [name, lowerUuid(id)])) }
}

/** Returns a UUID in lower case, in which the service compares and returns them; any other value unchanged. */
export function lowerUuid<T>(value: T): T {
  if (typeof value !== 'string') return value
  const lower = value.toLowerCase()
  // An equal copy would only take memory. Most values are equal, and comparing is faster than the pattern.
  if (lower === value || !uuidPattern.test(value)) return value
  // The type of a string stays, because only the case of its letters changes.
  return lower as typeof value
}
