const word = /^[A-Za-z][A-Za-z0-9_.]{0,40}$/
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Describes a value of the service for a message: numbers and single words as they are, everything else by its type. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') {
    if (word.test(value)) return `'${value}'`
    return uuid.test(value) ? 'a UUID' : `a string of ${value.length} characters`
  }
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

/** Describes a value that a case expects. It is one that the case sent, so it is safe to show, unless it is an id. */
export function describeExpected(value: unknown): string {
  if (typeof value !== 'string' || uuid.test(value) || value.length > 60)
    return describeValue(value)
  return `'${value}'`
}

/** Describes what came instead of an expected value. */
export function describeFound(found: unknown, expected: unknown): string {
  const text = describeValue(found)
  return text === describeValue(expected) ? text.replace(/^an? /, 'another ') : text
}
