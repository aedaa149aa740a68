import type { Issue } from '../contract/schema/check.ts'
import { isUnreadable } from './input-copy.ts'

/** Headers to add to requests: by name, as `Headers`, or as pairs of name and value. */
export type ExtraHeaders =
  | Record<string, string>
  | Headers
  | Iterable<readonly [name: string, value: string]>

/** The header that carries the API key. */
export const keyHeader = 'x-service-api-key'

type Pair = [name: string, value: string]

/**
 * Names and values of headers, copied. Callers without types may give anything; {@link headerIssues} checks it.
 *
 * @throws when they are no headers at all.
 */
export function headerPairs(headers: ExtraHeaders): Pair[] {
  if (typeof headers !== 'object' || headers === null || isUnreadable(headers))
    throw new TypeError()
  if (!(Symbol.iterator in headers)) return Object.entries(headers)
  return Array.from(headers, (pair) => {
    const [name, value, ...rest] = pair
    if (rest.length > 0) throw new TypeError()
    return [name, value]
  })
}

/** The issues of headers. */
export function headerIssues(headers: ExtraHeaders = {}): Issue[] {
  try {
    return headerPairs(headers).flatMap(pairIssues)
  } catch {
    return [{ path: 'headers', expected: 'an object, Headers or pairs of name and value' }]
  }
}

function pairIssues([name, value]: Pair): Issue[] {
  if (typeof name !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    return [{ path: 'headers', expected: 'valid header names' }]
  }
  const path = `headers.${name}`
  if (name.toLowerCase() === keyHeader) return [{ path, expected: 'the key in apiKey instead' }]
  return isHeaderValue(value) ? [] : [{ path, expected: 'a text that a header can carry' }]
}

/** Whether fetch accepts a string as a header's value; its own error would quote it. */
function isHeaderValue(value: unknown): boolean {
  return typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
}

/** Headers by their names in lower case, so that a call's replace those of the client. Equal names become one, as in `Headers`. */
export function lowerCased(headers: ExtraHeaders = {}): Record<string, string> {
  const byName = new Map<string, string>()
  for (const [name, value] of headerPairs(headers)) {
    const key = name.toLowerCase()
    const before = byName.get(key)
    byName.set(key, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(byName)
}
