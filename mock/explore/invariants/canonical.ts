import { isObject } from '../../../src/contract/schema/object.ts'

/** Returns a string that is equal for equal JSON values, whatever the order of their fields. */
export function canonical(value: unknown): string {
  return JSON.stringify(sortFields(value)) ?? 'undefined'
}

function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields)
  if (!isObject(value)) return value
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined && inner !== null)
  const sorted = fields.sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(sorted.map(([name, inner]) => [name, sortFields(inner)]))
}
