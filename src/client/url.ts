import type { Issue } from '../contract/schema/check.ts'
import { isUnreadable } from './input-copy.ts'

/** A query parameter; of a list each item is sent, and null or undefined is left out. */
export type QueryValue = string | number | boolean | null | undefined
/** Query parameters by name. */
export type QueryValues = Record<string, QueryValue | readonly QueryValue[]>

/** The issues of path parameters: each must stay one segment of the path. */
export function pathIssues(path: string, params: Record<string, unknown>): Issue[] {
  return placeholders(path)
    .filter((name) => !isSegment(ownParam(params, name)))
    .map((name) => ({ path: name, expected: 'a non-empty text without slashes, and not . or ..' }))
}

/** A path parameter; a name such as `constructor` finds nothing that was not given. */
export function ownParam(params: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(params, name) ? params[name] : undefined
}

/** The issues of query parameters, whose names may be the caller's own: each value must be one that a URL can carry. */
export function queryIssues(query: object): Issue[] {
  const isObject = typeof query === 'object' && query !== null && !Array.isArray(query)
  if (!isObject || isUnreadable(query)) {
    return [{ path: 'query', expected: 'an object of query parameters' }]
  }
  const isValid = Object.values(query).every((value) => [value].flat().every(isQueryValue))
  return isValid
    ? []
    : [{ path: 'query.*', expected: 'strings, numbers, booleans or lists of them' }]
}

function isQueryValue(value: unknown): value is QueryValue {
  if (value === undefined || value === null) return true
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

const placeholder = /\{(\w+)\}/g

function placeholders(path: string): string[] {
  return path.match(placeholder)?.map((braced) => braced.slice(1, -1)) ?? []
}

function isSegment(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value !== '.' &&
    value !== '..' &&
    !/[/\\]/.test(value) &&
    value.isWellFormed()
  )
}

/** The absolute URL of a call: the base, the template's path with its parameters, the query. */
export function urlOf(
  baseUrl: string,
  path: string,
  params: Record<string, unknown> = {},
  query?: QueryValues,
): string {
  const filled = path.replace(placeholder, (_, name) =>
    encodeURIComponent(String(ownParam(params, name))),
  )
  const pairs = query ? queryPairs(query) : []
  return pairs.length === 0
    ? `${baseUrl}${filled}`
    : `${baseUrl}${filled}?${new URLSearchParams(pairs)}`
}

/** Absent and null values are left out, arrays repeat their name. */
function queryPairs(query: QueryValues): string[][] {
  return Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((item) => item !== undefined && item !== null)
      .map((item) => [name, String(item)]),
  )
}
