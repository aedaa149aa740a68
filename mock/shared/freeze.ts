/**
 * Freezes a plain value deeply, in place. Skips objects that cannot be extended, which are already frozen or have a
 * lazy field.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && Object.isExtensible(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}

/** Returns whether a value is a frozen object. Its fields are not checked, because records are always frozen deeply. */
export function isFixed(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.isFrozen(value)
}

/** Node calls this method to print an object. Lazy fields are printed like plain fields. */
const inspect = Symbol.for('nodejs.util.inspect.custom')

/**
 * Returns a frozen copy of an object, with one field that is computed on first read. The field is an own property, so
 * copies, comparisons and JSON include it.
 *
 * @param make Computes the field's value, which must be frozen.
 */
export function withLazyField<T extends object, Name extends keyof T & string>(
  object: T,
  name: Name,
  make: () => T[Name],
): T {
  const lazy = { ...object }
  const get = () => {
    const value = make()
    Object.defineProperty(lazy, name, { value, writable: false, configurable: false })
    return value
  }
  for (const key of Object.keys(lazy)) {
    if (key !== name) Object.defineProperty(lazy, key, { writable: false, configurable: false })
  }
  Object.defineProperty(lazy, name, { get, enumerable: true, configurable: true })
  Object.defineProperty(lazy, inspect, { value: () => ({ ...lazy }) })
  return Object.preventExtensions(lazy)
}
