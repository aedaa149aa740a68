import { ownFields, readField } from '../shared/own-fields.ts'

const maxDepth = 1000

/** What a value must be to be sent as JSON, for use in an issue. */
export const jsonRequirement = `a value that JSON can represent, at most ${maxDepth} levels deep`

// A registered symbol, so that it is the same in two copies of this file.
const unreadableKey = Symbol.for('health-lab-sdk.unreadable')

/** Replaces a value that cannot be copied. Spreading the object into another one keeps the mark. */
const unreadable = Object.freeze({ [unreadableKey]: true })

/** Returns whether a value replaces one that could not be copied. */
export function isUnreadable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, unreadableKey)
}

/**
 * Copies a value as JSON would represent it, so that later changes of the original have no effect. A value that cannot be
 * copied becomes one for which {@link isUnreadable} is true; the call that uses it is then rejected.
 */
export function copyJson<Value>(value: Value): Value {
  // The copy has the fields of the original.
  return tryRead(() => copyValue(value, '', 0) as Value)
}

/** Copies a query. An iterable, such as `URLSearchParams`, has no fields to read parameters from. */
function copyQuery<Query extends object | undefined>(query: Query): Query {
  if (query === undefined) return query
  const hasFields = typeof query === 'object' && query !== null && !(Symbol.iterator in query)
  // As in `tryRead`.
  return hasFields ? copyJson(query) : (unreadable as Query & object)
}

/** Copies the arguments of a call: path parameters, query and body. */
export function copyInput<Input extends { params?: unknown; query?: unknown; body?: unknown }>(
  input: Input,
): Input {
  const copy = ownFields(input)
  if ('params' in copy) copy.params = copyJson(copy.params)
  // Callers without types may pass anything; `copyQuery` checks it.
  if ('query' in copy) copy.query = copyQuery(copy.query as object | undefined)
  if ('body' in copy) copy.body = copyJson(copy.body)
  return copy
}

/** Returns what `read` returns, or a value for which {@link isUnreadable} is true when `read` throws. */
export function tryRead<Value>(read: () => Value): Value {
  try {
    return read()
  } catch {
    // The caller checks for the mark before it uses the value.
    return unreadable as Value
  }
}

/** Returns whether `JSON.rawJSON` created an object, which is frozen. Not every platform has it, and the types lack it. */
const { isRawJSON: isRawJson } = JSON as { isRawJSON?: (value: unknown) => boolean }

/** Copies own fields only, as `JSON.stringify` does; a cycle ends at the maximum depth. */
function copyValue(value: unknown, key: string, depth: number): unknown {
  if (typeof value === 'bigint') throw new TypeError()
  if (typeof value !== 'object' || value === null) return value
  if (isUnreadable(value) || depth > maxDepth) throw new RangeError()
  const toJSON = 'toJSON' in value && readField(value, 'toJSON')
  if (typeof toJSON === 'function') return copyValue(toJSON.call(value, key), key, depth + 1)
  if (isBoxed(value)) return copyValue(value.valueOf(), key, depth + 1)
  if (isRawJson?.(value)) return value
  return Array.isArray(value) ? copyArray(value, depth) : copyObject(value, depth)
}

/** Returns whether an object of any realm has a primitive value, which JSON contains in its place. */
function isBoxed(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return false
  return boxes.has(Object.prototype.toString.call(value))
}

const boxes = new Set(['String', 'Number', 'Boolean', 'BigInt'].map((name) => `[object ${name}]`))

function copyArray(items: readonly unknown[], depth: number): unknown[] {
  const copy: unknown[] = []
  for (let at = 0; at < items.length; at += 1)
    copy.push(copyValue(items[at], String(at), depth + 1))
  return copy
}

function copyObject(value: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = ownFields({})
  for (const [key, field] of Object.entries(value)) copy[key] = copyValue(field, key, depth + 1)
  return copy
}
