import type * as z from 'zod/mini'
import type { Endpoint } from '../../../src/contract/schema-tools/endpoint.ts'
import { definitionInside, shapeOf } from '../../../src/contract/schema-tools/walk.ts'
import { runAtOnce, Slices, sliceWork } from '../../shared/slices.ts'
import type { ValidationDetail } from '../http-error.ts'
import { parseJsonInSteps } from './parse-json.ts'

export interface ParsedBody {
  /** The JSON value, the raw string if the JSON is invalid, or undefined if there is no body. */
  body: unknown
  malformed?: ValidationDetail
}

export interface ParsedRequest extends ParsedBody {
  params: Record<string, string>
  query: Record<string, unknown>
}

export type RequestSchemas = Pick<Endpoint, 'params' | 'query' | 'body'>

/** The maximum nesting depth of a body. The depth is limited because bodies are processed recursively. */
export const deepestNesting = 100

/** The estimated time to parse or check one character of a body, in microseconds. */
const characterWork = 0.03

/** The estimated time for one parsing step, in microseconds. */
const stepWork = 2500

/** Returns whether a body is so large that parsing and checking it need separate slices. */
export function isLargeBody(text: string | undefined): boolean {
  return text !== undefined && text.length * characterWork >= sliceWork
}

export function parseRequestBody(
  text: string | undefined,
  signal?: AbortSignal,
): ParsedBody | Promise<ParsedBody> {
  if (!text) return { body: undefined }
  return isLargeBody(text) ? parseInSlices(text, signal) : runAtOnce(parseInSteps(text))
}

async function parseInSlices(text: string, signal: AbortSignal | undefined): Promise<ParsedBody> {
  const slices = new Slices(signal)
  const parsed = await slices.run(parseInSteps(text), stepWork)
  await slices.spend(sliceWork)
  return parsed
}

function* parseInSteps(text: string): Generator<void, ParsedBody> {
  try {
    return { body: yield* parseJsonInSteps(text, deepestNesting) }
  } catch (error) {
    const msg = error instanceof RangeError ? error.message : 'JSON decode error'
    return { body: text, malformed: { type: 'json_invalid', loc: ['body'], msg, input: {} } }
  }
}

/** Combines the parts of a request, and parses the query's values into numbers, booleans, strings and lists. */
export function parseRequest(
  { query: schema }: RequestSchemas,
  params: Record<string, string>,
  search: URLSearchParams,
  content: ParsedBody,
): ParsedRequest {
  return { params, query: schema ? parseQuery(schema, search) : {}, ...content }
}

/** Parses the query. Ignores parameters that the schema does not define. */
function parseQuery(schema: z.ZodMiniType, search: URLSearchParams): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  if (search.size === 0) return query
  for (const [name, field] of Object.entries(shapeOf(schema))) {
    const values = search.getAll(name)
    if (values.length > 0) query[name] = parseParameter(field, values)
  }
  return query
}

/**
 * Parses a parameter. A repeated parameter becomes a list if the schema allows it. A value of the wrong type stays a
 * string, so validation rejects it.
 */
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
