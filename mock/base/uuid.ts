const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Returns a UUID in lower case, in which the service compares and returns them; any other value unchanged. */
export function lowerUuid<T>(value: T): T {
  if (typeof value !== 'string') return value
  const lower = value.toLowerCase()
  // An equal copy would only take memory. Most values are equal, and comparing is faster than the pattern.
  if (lower === value || !uuidPattern.test(value)) return value
  // The type of a string stays, because only the case of its letters changes.
  return lower as typeof value
}
