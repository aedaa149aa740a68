import * as z from 'zod/mini'
import { type Definition, unwrap } from '../../src/contract/schema/definition.ts'
import type { Endpoint } from '../../src/contract/schema/endpoint.ts'
import type { Strictness } from '../../src/contract/schema/schema.ts'
import { Refusal, unprocessable, type ValidationDetail } from '../base/refusal.ts'
import { byteLength } from '../base/response.ts'
import { detailsOf, insistent } from './validation.ts'

/** A request as it came in, in plain values, so that a server need not make those of the platform. */
export interface Incoming {
  method: string
  /** As it was asked for, with its origin. */
  url: string
  /** The path of the URL, escaped. */
  path: string
  search: URLSearchParams
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>
  signal: AbortSignal | undefined
  /**
   * The text of the body; undefined without one.
   *
   * @throws {Refusal} 413 when it has too many bytes.
   */
  text: () => Promise<string | undefined>
}

/** The largest body of a request, in bytes: 64 MiB. */
export const bodyLimit = 64 * 1024 * 1024

/** The largest number of objects and arrays inside each other in a body; what reads or writes them is recursive. */
export const deepestNesting = 100

/** Reads what `fetch` is called with; a body of plain text needs no `Request` to be made of it. */
export function incoming(input: Request | string | URL, init: RequestInit = {}): Incoming {
  const { body } = init
  const isPlain = typeof body === 'string' || body === undefined || body === null
  if (input instanceof Request || !isPlain) return incomingRequest(new Request(input, init))
  return {
    method: (init.method ?? 'GET').toUpperCase(),
    ...urlParts(new URL(input)),
    headers: Object.fromEntries(new Headers(init.headers)),
    signal: init.signal ?? undefined,
    text: async () => boundedText(body ?? undefined),
  }
}

function incomingRequest(request: Request): Incoming {
  return {
    method: request.method,
    ...urlParts(new URL(request.url)),
    headers: Object.fromEntries(request.headers),
    signal: request.signal,
    text: async () => (request.body === null ? undefined : streamedText(request.body)),
  }
}

function boundedText(text: string | undefined): string | undefined {
  if (text !== undefined && byteLength(text) > bodyLimit) throw tooLarge(bodyLimit)
  return text
}

/** Reads a body chunk by chunk, and stops the stream as soon as it is too large. */
async function streamedText(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength
    if (size > bodyLimit) {
      // The response does not wait for the stream, which may never stop.
      reader.cancel().catch(() => {})
      throw tooLarge(bodyLimit)
    }
    text += decoder.decode(next.value, { stream: true })
  }
  return text + decoder.decode()
}

/** The response to a body of more bytes than a limit. */
export function tooLarge(limit: number): Refusal {
  return new Refusal(413, `The body is larger than ${limit} bytes`)
}

function urlParts({ href, pathname, searchParams }: URL) {
  return { url: href, path: pathname, search: searchParams }
}

/** What a request says, still unchecked. */
export interface Said {
  params: Record<string, string>
  query: Record<string, unknown>
  /** Undefined without a body. */
  body: unknown
  /** Why the body is no JSON. */
  malformed?: ValidationDetail
}

/** Rules of a request that the contract's schemas cannot express. The values may still be of any type. */
export type Rules = (said: Said) => ValidationDetail[]

/** What an endpoint asks for. */
type Asked = Pick<Endpoint, 'params' | 'query' | 'body'>

/** Takes a request apart: numbers and booleans of the query as such, the body as JSON. */
export function takeApart(
  endpoint: Asked,
  params: Record<string, string>,
  search: URLSearchParams,
  text: string | undefined,
): Said {
  const query = endpoint.query ? queryOf(endpoint.query, search) : {}
  if (!endpoint.body || text === undefined || text === '') return { params, query, body: undefined }
  const malformed = (msg: string) => {
    return { type: 'json_invalid', loc: ['body'], msg, input: {} }
  }
  if (isDeeperThan(deepestNesting, text)) {
    const msg = `JSON should have at most ${deepestNesting} levels`
    return { params, query, body: text, malformed: malformed(msg) }
  }
  try {
    return { params, query, body: JSON.parse(text) }
  } catch {
    return { params, query, body: text, malformed: malformed('JSON decode error') }
  }
}

/** Whether JSON has more levels of objects and arrays; decided before any of them is made. */
export function isDeeperThan(limit: number, json: string): boolean {
  let depth = 0
  for (let at = 0; at < json.length && depth <= limit; at += 1) {
    const letter = json.charCodeAt(at)
    if (letter === letters.quote) at = endOfString(json, at)
    else if (letter === letters.bracket || letter === letters.brace) depth += 1
    else if (letter === letters.closingBracket || letter === letters.closingBrace) depth -= 1
  }
  return depth > limit
}

const letters = {
  quote: 34,
  bracket: 91,
  backslash: 92,
  closingBracket: 93,
  brace: 123,
  closingBrace: 125,
}

/** The place of the quote that closes a JSON string; the end of the text without one. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let before = at - 1
    while (json.charCodeAt(before) === letters.backslash) before -= 1
    // An odd number of backslashes escapes the quote.
    if ((at - before) % 2 === 1) return at
  }
  return json.length
}

/**
 * Holds a request against its endpoint; every location that is wrong is named in one 422.
 *
 * @throws {Refusal} 422
 */
export function checkRequest(
  { endpoint, rules }: { endpoint: Asked; rules: Rules },
  said: Said,
  strictEnumerations: boolean,
): void {
  const kinds: Strictness[] = strictEnumerations
    ? ['required', 'value', 'format']
    : ['required', 'format']
  const details = [
    ...(endpoint.params
      ? detailsOf(insistent(paramsOf(endpoint.params), kinds), said.params, 'path')
      : []),
    ...(endpoint.query ? detailsOf(insistent(endpoint.query, kinds), said.query, 'query') : []),
    ...bodyDetails(endpoint, said, kinds),
    ...rules(said),
  ]
  if (details.length > 0) throw unprocessable(details)
}

function bodyDetails(endpoint: Asked, said: Said, kinds: Strictness[]): ValidationDetail[] {
  if (!endpoint.body) return []
  if (said.malformed) return [said.malformed]
  return detailsOf(insistent(endpoint.body, kinds), said.body, 'body')
}

const paramSchemas = new WeakMap<object, z.ZodMiniType>()

/** The parameters of a path as one schema. */
function paramsOf(params: Record<string, z.ZodMiniType>): z.ZodMiniType {
  const schema = paramSchemas.get(params) ?? z.object(params)
  paramSchemas.set(params, schema)
  return schema
}

/** The parameters that the schema knows; others are ignored. */
function queryOf(schema: z.ZodMiniType, search: URLSearchParams): Record<string, unknown> {
  const { shape = {} } = schema._zod.def as Definition
  const query: Record<string, unknown> = {}
  if (search.size === 0) return query
  for (const [name, field] of Object.entries(shape)) {
    const texts = search.getAll(name)
    if (texts.length > 0) query[name] = parameterOf(unwrap(field), texts)
  }
  return query
}

/** A parameter that is repeated is a list; text that is not of the type asked for stays text, and is refused later. */
function parameterOf(schema: z.ZodMiniType | undefined, texts: string[]): unknown {
  const def = schema?._zod.def as Definition | undefined
  if (def?.type === 'union') {
    const [single] = def.options ?? []
    return texts.length === 1
      ? parameterOf(single, texts)
      : texts.map((text) => parameterOf(single, [text]))
  }
  const text = texts.at(-1) ?? ''
  if (def?.type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  if (def?.type === 'boolean') return booleans.get(text.toLowerCase()) ?? text
  return text
}

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])
