import type { Issue } from '../contract/schema-tools/check.ts'
import { isObject } from '../shared/narrow.ts'
import { isUnreadable } from './copy-input.ts'

/** The value of a query parameter. Null and undefined are not sent. */
export type QueryValue = string | number | boolean | null | undefined

/** Query parameters, keyed by name. Each list item is sent as a separate parameter. */
export type QueryValues = Record<string, QueryValue | readonly QueryValue[]>

export function pathIssues({ names }: PathTemplate, params: Record<string, unknown>): Issue[] {
  return names
    .filter((name) => !isSegment(ownParam(params, name)))
    .map((name) => ({
      path: name,
      expected: 'a non-empty string without slashes that is not . or ..',
    }))
}

/** Returns a path parameter. Ignores inherited properties, such as `constructor`. */
export function ownParam(params: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(params, name) ? params[name] : undefined
}

/** Checks the query parameters. Their names may be sensitive data, so they are not printed. */
export function queryIssues(query: object): Issue[] {
  if (!isObject(query) || isUnreadable(query)) {
    return [{ path: 'query', expected: 'an object of query parameters' }]
  }
  const isValid = Object.entries(query).every(
    ([name, value]) => name.isWellFormed() && [value].flat().every(isQueryValue),
  )
  return isValid
    ? []
    : [
        {
          path: 'query.*',
          expected: 'strings of valid Unicode, numbers, booleans or lists of them',
        },
      ]
}

function isQueryValue(value: unknown): value is QueryValue {
  if (value === undefined || value === null) return true
  if (typeof value === 'string') return value.isWellFormed()
  return typeof value === 'number' || typeof value === 'boolean'
}

export interface PathTemplate {
  names: readonly string[]
  /** The constant parts around the placeholders. A path with n placeholders has n + 1 constants. */
  constants: readonly string[]
}

export function splitPath(path: string): PathTemplate {
  // The capturing group makes `split` return constants and names alternately.
  const parts = path.split(/\{(\w+)\}/)
  return {
    names: parts.filter((_, at) => at % 2 === 1),
    constants: parts.filter((_, at) => at % 2 === 0),
  }
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

export function buildUrl(
  baseUrl: string,
  { names, constants }: PathTemplate,
  params: Record<string, unknown> = {},
  query?: QueryValues,
): string {
  let url = baseUrl + constants[0]
  for (const [at, name] of names.entries()) {
    url += encodeURIComponent(String(ownParam(params, name))) + constants[at + 1]
  }
  const pairs = query ? queryPairs(query) : []
  return pairs.length === 0 ? url : `${url}?${new URLSearchParams(pairs)}`
}

function queryPairs(query: QueryValues): string[][] {
  return Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((item) => item !== undefined && item !== null)
      .map((item) => [name, String(item)]),
  )
}
