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
