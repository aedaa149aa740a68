export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The default maximum number of issues to find in a value. A large value may have millions of issues. */
export const maxIssues = 100

export function keysOf<Table extends object>(table: Table): (keyof Table & string)[] {
  // TypeScript returns `string[]`, because a value may have more fields than its type.
  return Object.keys(table) as (keyof Table & string)[]
}

export function tableOf<const Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key) => Value,
): Record<Key, Value> {
  // Every key has an entry.
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>
}

export function isKeyOf<Table extends object>(
  table: Table,
  name: string,
): name is keyof Table & string {
  return Object.hasOwn(table, name)
}

/**
 * Asserts that a value exists, such as the item at a valid index, when the compiler cannot prove it.
 *
 * @throws {TypeError} when the value is missing, which would be a bug in the package.
 */
export function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('Expected a value, found undefined.')
  return value
}

/** Returns an own property, or undefined for an inherited one, such as `constructor`. */
export function ownValue<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/**
 * Returns whether a value is a `Uint8Array` from any realm. With jsdom in Jest, `TextEncoder` uses another realm's
 * class.
 */
export function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return Object.prototype.toString.call(value) === '[object Uint8Array]'
}

export const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Converts a UUID to lower case, the form in which the service compares and returns UUIDs. Returns any other value
 * unchanged.
 */
export function lowerUuid<T>(value: T): T {
  if (typeof value !== 'string') return value
  const lower = value.toLowerCase()
  // Most values are lower-case already, and an equal copy would waste memory. Comparing strings is also faster than
  // matching a pattern.
  if (lower === value || !uuidPattern.test(value)) return value
  // Only the case of letters changes, so the type stays the same.
  return lower as typeof value
}
