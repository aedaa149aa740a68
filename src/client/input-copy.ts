const greatestDepth = 1000

/** What JSON cannot carry, in the words of an issue. */
export const carriedByJson = `a value that JSON can carry, at most ${greatestDepth} levels deep`

// Registered, so that it also holds between two copies of this file.
const unreadableKey = Symbol.for('health-lab-sdk.unreadable')

/** Takes the place of a value that cannot be copied. The mark stays when the object is spread into another one. */
const unreadable = Object.freeze({ [unreadableKey]: true })

/** Whether a value takes the place of one that could not be copied. */
export function isUnreadable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, unreadableKey)
}

/**
 * Copies a value as JSON carries it, so that later changes of the original have no effect. A value that cannot be copied
 * becomes one for which {@link isUnreadable} holds: the call that uses it is then refused.
 */
export function snapshot<Value>(value: Value): Value {
  return attempted(() => copyOf(value, '', 0) as Value)
}

/** Copies a query. An iterable, such as `URLSearchParams`, has no fields to read parameters from. */
export function snapshotQuery<Query extends object | undefined>(query: Query): Query {
  if (query === undefined) return query
  const hasFields = typeof query === 'object' && query !== null && !(Symbol.iterator in query)
  // As in `attempted`.
  return hasFields ? snapshot(query) : (unreadable as Query & object)
}

/** Copies what a call is given: path parameters, query and body. */
export function snapshotInput<Input extends { params?: unknown; query?: unknown; body?: unknown }>(
  input: Input,
): Input {
  const copy: Input = { ...input }
  if ('params' in input) copy.params = snapshot(input.params)
  if ('query' in input) copy.query = snapshotQuery(input.query as object | undefined)
  if ('body' in input) copy.body = snapshot(input.body)
  return copy
}

/** What `read` returns; when it throws, a value for which {@link isUnreadable} holds. */
export function attempted<Value>(read: () => Value): Value {
  try {
    return read()
  } catch {
    // The caller of this function checks for the mark before it uses the value.
    return unreadable as Value
  }
}

/** Only own fields count, as in `JSON.stringify`; a cycle ends at the greatest depth. */
function copyOf(value: unknown, key: string, depth: number): unknown {
  if (typeof value === 'bigint') throw new TypeError()
  if (typeof value !== 'object' || value === null) return value
  if (isUnreadable(value) || depth > greatestDepth) throw new RangeError()
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON === 'function') return copyOf(toJSON.call(value, key), key, depth + 1)
  if (isBoxed(value)) return value.valueOf()
  return Array.isArray(value) ? copyOfArray(value, depth) : copyOfObject(value, depth)
}

function isBoxed(value: object): boolean {
  return value instanceof String || value instanceof Number || value instanceof Boolean
}

function copyOfArray(items: readonly unknown[], depth: number): unknown[] {
  const copy: unknown[] = []
  for (let at = 0; at < items.length; at += 1) copy.push(copyOf(items[at], String(at), depth + 1))
  return copy
}

function copyOfObject(value: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const item = copyOf((value as Record<string, unknown>)[key], key, depth + 1)
    // An assignment would change the prototype instead.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: item, enumerable: true })
    else copy[key] = item
  }
  return copy
}
