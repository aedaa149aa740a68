import { type CollectionName, collectionNames, paramsIn, recordPaths } from './paths.ts'

/** The parts of a record's key, such as a user id and a provider. */
export type KeyParts = readonly (string | number)[]

export const idFields: readonly string[] = ['id', 'user_id', 'order_id', 'appointment_id']

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

const keyFields = new Map(collectionNames.map((name) => [name, paramsIn(recordPaths[name])]))

export function keyFieldsOf(name: CollectionName): readonly string[] {
  return keyFields.get(name) ?? []
}

export function keyPartsOf(name: CollectionName, record: object): KeyParts {
  // Input may omit parts of the key. It then identifies no record.
  const fields: Record<string, string | number> = { ...record }
  return keyFieldsOf(name).map((field) => fields[field] ?? '')
}

/** Joins the parts of a key. A single part is not copied, so that a record and its key share the string. */
export function joinKey(parts: KeyParts): string {
  return parts.length === 1 ? String(lowerUuid(parts[0])) : parts.map(lowerUuid).join('/')
}

/** Returns a copy of a record's fields, with UUIDs in lower case, as the service returns them. */
export function withLowerIds<Values>(values: Values): Values {
  const ids = Object.entries(Object(values)).filter(([name]) => idFields.includes(name))
  return { ...values, ...Object.fromEntries(ids.map(([name, id]) => [name, lowerUuid(id)])) }
}

/**
 * Converts a UUID to lower case, the form in which the service compares and returns UUIDs. Returns any other value
 * unchanged.
 */
export function lowerUuid<T>(value: T): T {
  if (typeof value !== 'string') return value
  const lower = value.toLowerCase()
  // Most values are lower-case already, and an equal copy would only use memory. Comparing is also faster than matching.
  if (lower === value || !uuidPattern.test(value)) return value
  // Only the case of letters changes, so the type stays the same.
  return lower as typeof value
}
