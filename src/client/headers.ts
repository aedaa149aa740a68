import type { Issue } from '../contract/schema-tools/check.ts'
import { headers as wireHeaders } from '../contract/wire.ts'
import { isUnreadable } from './copy-input.ts'

/** Headers to add to requests: an object keyed by name, a `Headers` object, or name-value pairs. */
export type ExtraHeaders =
  | Record<string, string>
  | Headers
  | Iterable<readonly [name: string, value: string]>

type Pair = [name: string, value: string]

export type HeaderPair = readonly [name: string, value: string]

/** Returns the headers as pairs. Untyped callers may pass anything, so {@link headerIssues} checks the pairs. */
export function headerPairs(headers: unknown): Pair[] {
  if (typeof headers !== 'object' || headers === null || isUnreadable(headers))
    throw new TypeError()
  if (!(Symbol.iterator in headers)) return Object.entries(headers)
  return Array.from(Object(headers), (pair: Pair) => {
    const [name, value, ...rest] = pair
    if (rest.length > 0) throw new TypeError()
    return [name, value]
  })
}

export function headerIssues(headers: unknown): Issue[] {
  try {
    return headerPairs(headers).flatMap(pairIssues)
  } catch {
    return [{ path: 'headers', expected: 'an object, Headers or a list of [name, value] pairs' }]
  }
}

function pairIssues([name, value]: Pair): Issue[] {
  if (typeof name !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    return [{ path: 'headers', expected: 'valid header names' }]
  }
  // A name with other characters may be data, such as a key that was passed in place of the name.
  const path = `headers.${/^[a-z-]+$/i.test(name) ? name : '*'}`
  if (name.toLowerCase() === wireHeaders.apiKey)
    return [{ path, expected: 'no API key here; pass it as the apiKey option' }]
  return isHeaderValue(value) ? [] : [{ path, expected: 'a valid header value' }]
}

/** Checks the value before fetch does, because fetch's error quotes the value. */
function isHeaderValue(value: unknown): boolean {
  return typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
}

/**
 * Converts header names to lower case, so a call's headers replace the client's. Joins the values of repeated names, as
 * `Headers` does.
 */
export function toLowerCaseHeaders(headers: ExtraHeaders = {}): HeaderPair[] {
  const byName = new Map<string, string>()
  for (const [name, value] of headerPairs(headers)) {
    const key = name.toLowerCase()
    const before = byName.get(key)
    byName.set(key, before === undefined ? value : `${before}, ${value}`)
  }
  return [...byName]
}
