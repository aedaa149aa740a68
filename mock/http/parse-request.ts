import type * as z from 'zod/mini'
import type { Endpoint } from '../../src/contract/schema/endpoint.ts'
import { definitionInside, shapeOf } from '../../src/contract/schema/walk.ts'
import type { ValidationDetail } from './http-error.ts'

/** The values of a request before validation. */
export interface ParsedRequest {
  params: Record<string, string>
  query: Record<string, unknown>
  /** The JSON value of the body, or its text if it is invalid JSON; undefined without a body. */
  body: unknown
  /** The reason why the body is invalid JSON. */
  malformed?: ValidationDetail
}

/** The schemas of an endpoint's request. */
export type RequestSchemas = Pick<Endpoint, 'params' | 'query' | 'body'>

/** The largest number of nested objects and arrays in a body. Functions that read or write bodies are recursive. */
export const deepestNesting = 100

/** Parses the query into numbers, booleans, strings and lists, and the body as JSON. */
export function parseRequest(
  endpoint: RequestSchemas,
  params: Record<string, string>,
  search: URLSearchParams,
  text: string | undefined,
): ParsedRequest {
  const query = endpoint.query ? parseQuery(endpoint.query, search) : {}
  if (!endpoint.body || text === undefined || text === '') return { params, query, body: undefined }
  if (isDeeperThan(deepestNesting, text)) {
    const malformed = invalidJson(`JSON should have at most ${deepestNesting} levels`)
    return { params, query, body: text, malformed }
  }
  try {
    return { params, query, body: JSON.parse(text) }
  } catch {
    return { params, query, body: text, malformed: invalidJson('JSON decode error') }
  }
}

function invalidJson(msg: string): ValidationDetail {
  return { type: 'json_invalid', loc: ['body'], msg, input: {} }
}

/** Returns whether JSON has more levels of objects and arrays than a limit, without parsing it. */
export function isDeeperThan(limit: number, json: string): boolean {
  let depth = 0
  for (let index = 0; index < json.length && depth <= limit; index += 1) {
    const code = json.charCodeAt(index)
    if (code === codes.quote) index = endOfString(json, index)
    else if (code === codes.bracket || code === codes.brace) depth += 1
    else if (code === codes.closingBracket || code === codes.closingBrace) depth -= 1
  }
  return depth > limit
}

/** How many values are counted in one step. */
const valuesPerStep = 10_000

/**
 * Returns whether JSON has more values than a limit, without parsing it; an empty object or array counts as two. A step for
 * every 10,000 values.
 */
export function* hasMoreValuesThan(limit: number, json: string): Generator<void, boolean> {
  let count = 1
  for (let index = 0; index < json.length && count <= limit; index += 1) {
    const code = json.charCodeAt(index)
    if (code === codes.quote) index = endOfString(json, index)
    else if (code === codes.comma || code === codes.bracket || code === codes.brace) count += 1
    else continue
    if (count % valuesPerStep === 0) yield
  }
  return count > limit
}

const codes = {
  quote: 34,
  comma: 44,
  bracket: 91,
  backslash: 92,
  closingBracket: 93,
  brace: 123,
  closingBrace: 125,
}

/** Returns the index of the quote that closes a JSON string; the length of the JSON if none does. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end - 1
    while (json.charCodeAt(before) === codes.backslash) before -= 1
    // An odd number of backslashes escapes the quote.
    if ((end - before) % 2 === 1) return end
  }
  return json.length
}

/** Parses the parameters that the schema has, and ignores others. */
function parseQuery(schema: z.ZodMiniType, search: URLSearchParams): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  if (search.size === 0) return query
  for (const [name, field] of Object.entries(shapeOf(schema))) {
    const values = search.getAll(name)
    if (values.length > 0) query[name] = parseParameter(field, values)
  }
  return query
}

/** A repeated parameter becomes a list. A value of another type stays a string, so that validation rejects it. */
function parseParameter(schema: z.ZodMiniType | undefined, values: string[]): unknown {
  const { type, options } = definitionInside(schema)
  if (type === 'union') {
    const [single] = options ?? []
    return values.length === 1
      ? parseParameter(single, values)
      : values.map((value) => parseParameter(single, [value]))
  }
  const value = values.at(-1) ?? ''
  if (type === 'number') return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
  if (type === 'boolean') return booleans.get(value.toLowerCase()) ?? value
  return value
}

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])
