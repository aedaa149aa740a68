import { ownFields, readField } from '../shared/own-fields.ts'

const maxDepth = 1000

export const jsonRequirement = `a value that JSON can represent, at most ${maxDepth} levels deep`

// Register the symbol globally, so that all copies of this module share it.
const unreadableKey = Symbol.for('health-lab-sdk.unreadable')

/** The marker that replaces a value that cannot be copied. An object that spreads this marker is also a marker. */
const unreadable = Object.freeze({ [unreadableKey]: true })

export function isUnreadable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, unreadableKey)
}

/**
 * Copies a value as JSON represents it, so later changes to the original have no effect. A value that cannot be copied
 * is replaced by a marker (see {@link isUnreadable}), and the call that uses it rejects.
 */
export function copyJson<Value>(value: Value): Value {
  // Inputs consist of JSON values, so the copy has the same type.
  return tryRead(() => copyValue(value, '', 0) as Value)
}

/**
 * Copies query parameters. Iterables such as `URLSearchParams` are unreadable, because their parameters are not fields.
 */
function copyQuery<Query extends object | undefined>(query: Query): Query {
  if (query === undefined) return query
  const hasFields = typeof query === 'object' && query !== null && !(Symbol.iterator in query)
  // The caller checks for the marker, as in `tryRead`.
  return hasFields ? copyJson(query) : (unreadable as Query & object)
}

export function copyInput<Input extends { params?: unknown; query?: unknown; body?: unknown }>(
  input: Input,
): Input {
  const copy = ownFields(input)
  if ('params' in copy) copy.params = copyJson(copy.params)
  // Untyped callers may pass anything; `copyQuery` checks it.
  if ('query' in copy) copy.query = copyQuery(copy.query as object | undefined)
  if ('body' in copy) copy.body = copyJson(copy.body)
  return copy
}

/** Returns the result of `read`, or a marker if `read` throws (see {@link isUnreadable}). */
export function tryRead<Value>(read: () => Value): Value {
  try {
    return read()
  } catch {
    // The caller checks for the marker before it uses the value.
    return unreadable as Value
  }
}

/**
 * Detects the frozen objects that `JSON.rawJSON` creates. Some platforms, and TypeScript's types, lack this function.
 */
const { isRawJSON: isRawJson } = JSON as { isRawJSON?: (value: unknown) => boolean }

/** Copies a value with only its own fields, as `JSON.stringify` does. A cycle fails at the maximum depth. */
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

/** Returns whether an object from any realm wraps a primitive value, which JSON serializes instead of the object. */
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
