const word = /^[A-Za-z][A-Za-z0-9_]{0,40}$/

/** Describes a value for a message: numbers and single words as they are, everything else by its type. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') {
    return word.test(value) ? `'${value}'` : `a string of ${value.length} characters`
  }
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}
