const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Returns a UUID in lower case, in which the service compares and returns them; any other value unchanged. */
export function lowerUuid<T>(value: T): T {
  // The type of a string stays, because only the case of its letters changes.
  return typeof value === 'string' && uuidPattern.test(value) ? (value.toLowerCase() as T) : value
}
