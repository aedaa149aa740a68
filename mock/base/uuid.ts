const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Returns a UUID in lower case, in which the service compares and returns them; any other value unchanged. */
export function lowerUuid<T>(value: T): T {
  if (typeof value !== 'string' || !uuidPattern.test(value)) return value
  const lower = value.toLowerCase()
  // The type of a string stays, because only the case of its letters changes. An equal copy would only take memory.
  return lower === value ? value : (lower as typeof value)
}
