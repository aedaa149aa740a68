/** Freezes plain values deeply, in place. An object that cannot be extended is frozen already, or has a lazy field. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && Object.isExtensible(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}

/** Returns whether an object cannot change: records are frozen in depth. */
export function isFixed(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.isFrozen(value)
}

/** Prints an object on Node as if its lazy fields were plain. */
const inspect = Symbol.for('nodejs.util.inspect.custom')

/**
 * Returns a frozen copy of an object in which one field is made at its first reading. The field is a property of the
 * object itself, so that copies, comparisons and JSON contain it.
 *
 * @param make Returns the frozen value.
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
