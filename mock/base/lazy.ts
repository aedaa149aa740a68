/** Returns a function that makes a value at its first call. */
export function lazy<T extends object>(make: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= make()
    return value
  }
}
