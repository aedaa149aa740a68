/** Deeper than any request; what is deeper refers to itself. */
const deepest = 500

/**
 * Copies data the way JSON carries it, so that later changes by the caller have no effect. Values that JSON would change,
 * such as NaN, are kept: the checks refuse them.
 *
 * @throws {TypeError} when JSON cannot carry the data: a bigint, or an object that contains itself.
 */
export function copyOf<T>(data: T): T {
  // The copy has the same fields, so it has the same type.
  return copied(data, 0) as T
}

function copied(data: unknown, depth: number): unknown {
  if (typeof data === 'bigint' || depth > deepest) throw new TypeError('JSON cannot carry this')
  if (typeof data !== 'object' || data === null) return data
  if ('toJSON' in data && typeof data.toJSON === 'function') {
    return copied(data.toJSON(), depth + 1)
  }
  if (Array.isArray(data)) return Array.from(data, (item) => copied(item, depth + 1))
  const copy: Record<string, unknown> = { ...data }
  for (const name of Object.keys(copy)) copy[name] = copied(copy[name], depth + 1)
  return copy
}
