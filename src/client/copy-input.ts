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
export function copyQuery<Query extends object | undefined>(query: Query): Query {
  if (query === undefined) return query
  const hasFields = typeof query === 'object' && query !== null && !(Symbol.iterator in query)
  // As in `tryRead`.
  return hasFields ? copyJson(query) : (unreadable as Query & object)
}

/** Copies the arguments of a call: path parameters, query and body. */
export function copyInput<Input extends { params?: unknown; query?: unknown; body?: unknown }>(
  input: Input,
): Input {
  const copy: Input = { ...input }
  if ('params' in input) copy.params = copyJson(input.params)
  // Callers without types may pass anything; `copyQuery` checks it.
  if ('query' in input) copy.query = copyQuery(input.query as object | undefined)
  if ('body' in input) copy.body = copyJson(input.body)
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

/** Copies own fields only, as `JSON.stringify` does; a cycle ends at the maximum depth. */
function copyValue(value: unknown, key: string, depth: number): unknown {
  if (typeof value === 'bigint') throw new TypeError()
  if (typeof value !== 'object' || value === null) return value
  if (isUnreadable(value) || depth > maxDepth) throw new RangeError()
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON === 'function') return copyValue(toJSON.call(value, key), key, depth + 1)
  if (isBoxed(value)) return value.valueOf()
  return Array.isArray(value) ? copyArray(value, depth) : copyObject(value, depth)
}

function isBoxed(value: object): boolean {
  return value instanceof String || value instanceof Number || value instanceof Boolean
}

function copyArray(items: readonly unknown[], depth: number): unknown[] {
  const copy: unknown[] = []
  for (let at = 0; at < items.length; at += 1)
    copy.push(copyValue(items[at], String(at), depth + 1))
  return copy
}

function copyObject(value: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const item = copyValue((value as Record<string, unknown>)[key], key, depth + 1)
    // An assignment would change the prototype instead.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: item, enumerable: true })
    else copy[key] = item
  }
  return copy
}
