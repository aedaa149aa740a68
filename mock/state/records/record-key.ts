import { lowerUuid } from '../../../src/shared/narrow.ts'
import { type CollectionName, collectionNames, paramsIn, recordPaths } from './paths.ts'

/** The parts of a record's key, such as a user id and a provider. */
export type KeyParts = readonly (string | number)[]

export const idFields: readonly string[] = ['id', 'user_id', 'order_id', 'appointment_id']

const keyFields = new Map(collectionNames.map((name) => [name, paramsIn(recordPaths[name])]))

export function keyFieldsOf(name: CollectionName): readonly string[] {
  return keyFields.get(name) ?? []
}

export function keyPartsOf(name: CollectionName, record: object): KeyParts {
  // Input that omits a part of the key identifies no record.
  const fields: Record<string, string | number> = { ...record }
  return keyFieldsOf(name).map((field) => fields[field] ?? '')
}

/** Joins the parts of a key. Returns a single part without copying it, so the record and the key share the string. */
export function joinKey(parts: KeyParts): string {
  return parts.length === 1 ? String(lowerUuid(parts[0])) : parts.map(lowerUuid).join('/')
}

/** Returns a copy of a record's fields. UUIDs in id fields are in lower case, as in the service's responses. */
export function withLowerIds<Values>(values: Values): Values {
  const ids = Object.entries(Object(values)).filter(([name]) => idFields.includes(name))
  return { ...values, ...Object.fromEntries(ids.map(([name, id]) => [name, lowerUuid(id)])) }
}
