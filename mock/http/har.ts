import type * as z from 'zod/mini'
import { endpoints } from '../../src/contract/endpoints.ts'
import type { Definition } from '../../src/contract/schema/definition.ts'
import type { Endpoint } from '../../src/contract/schema/endpoint.ts'
import { strictFormOf } from '../../src/contract/schema/schema.ts'
import { aggregateColumns } from '../../src/contract/values/columns.ts'
import { aggregationFunctions } from '../../src/contract/values/known-values.ts'
import type { Har, HarEntry, HarPair } from './har-format.ts'
import type { JournalEntry } from './journal-entry.ts'

/** Headers of requests that are shown, when their value is one of the specification. */
const requestHeaders = new Map([
  ['accept', /^(?:\*\/\*|application\/(?:json|vnd\.service\.tar\+gzip\+parquet))$/],
  ['content-type', /^application\/json$/],
])

/** Headers of responses that are shown, when their value is one that the mock gives. */
const responseHeaders = new Map([
  [
    'content-type',
    /^(?:application\/(?:json|pdf|vnd\.service\.tar\+gzip\+parquet)|text\/(?:plain|html))$/,
  ],
  ['content-length', /^\d{1,15}$/],
  ['retry-after', /^(?:\d{1,15}|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT)$/],
  ['x-request-id', /^req_\d{1,15}(?:_\d{1,15})?$/],
])

/** Headers of which only the name is shown. */
const knownHeaders = ['authorization', 'host', 'user-agent', 'x-service-api-key']
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
const redacted = 'redacted'

export function harOf(entries: readonly JournalEntry[]): Har {
  const creator = { name: 'health-lab-sdk/mock', version: '1' }
  return { log: { version: '1.2', creator, entries: entries.map(entryOf) } }
}

function entryOf({
  operation,
  method,
  path,
  at,
  request,
  answer,
  outcome,
}: JournalEntry): HarEntry {
  const sizes = { headersSize: -1, bodySize: -1 } as const
  const protocol = { httpVersion: 'HTTP/1.1', cookies: [] } as const
  return {
    startedDateTime: at.toISOString(),
    time: 0,
    request: {
      method: methods.includes(method) ? method : redacted,
      // The template of the path: a path that was sent holds ids.
      url: operation ? new URL(request.url).origin + path : 'unknown',
      ...protocol,
      headers: pairsOf(request.headers, requestHeaders),
      queryString: Object.entries(request.query).map(([name, value]) => ({
        name,
        value: String(typeOf(value)),
      })),
      ...sizes,
      ...(request.body === undefined ? {} : { postData: contentOf(request.body) }),
    },
    response: {
      status: answer?.status ?? 0,
      statusText: '',
      ...protocol,
      headers: pairsOf(answer?.headers ?? {}, responseHeaders),
      content: { size: -1, ...contentOf(answer?.body) },
      redirectURL: '',
      ...sizes,
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    comment: `${operation ?? 'unknown route'}: ${outcome}`,
  }
}

function pairsOf(
  headers: Readonly<Record<string, string>>,
  shown: ReadonlyMap<string, RegExp>,
): HarPair[] {
  return Object.entries(headers).map(([name, value]) => ({
    name: shown.has(name) || knownHeaders.includes(name) ? name : redacted,
    value: shown.get(name)?.test(value) ? value : redacted,
  }))
}

function contentOf(body: unknown): { mimeType: string; text: string } {
  const mimeType = body instanceof Uint8Array ? 'application/octet-stream' : 'application/json'
  return { mimeType, text: JSON.stringify(typeOf(body)) ?? '' }
}

/**
 * The shape of a value: of every string, number and boolean its type. Fields that the specification does not name have
 * names that somebody chose, such as an e-mail address, and are numbered instead.
 */
function typeOf(value: unknown): unknown {
  if (value instanceof Uint8Array) return 'bytes'
  if (Array.isArray(value)) return value.map(typeOf)
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value
  const known = knownNames()
  const fields = Object.entries(value).map(([name, inner], at) => [
    known.has(name) ? name : `${redacted}_${at + 1}`,
    typeOf(inner),
  ])
  return Object.fromEntries(fields)
}

let names: ReadonlySet<string> | undefined

/** Every name of a field in the specification and in the mock's error bodies. */
function knownNames(): ReadonlySet<string> {
  names ??= new Set([
    ...['detail', 'type', 'loc', 'msg', 'input', 'index'],
    ...aggregationFunctions,
    ...Object.keys(aggregateColumns),
    ...endpoints.flatMap(({ query, body, responses }: Endpoint) =>
      [query, body, ...Object.values(responses)].flatMap((schema) => {
        return schema === undefined || schema === 'binary' ? [] : namesIn(schema)
      }),
    ),
  ])
  return names
}

/** The names of the fields inside a schema. */
function namesIn(schema: z.ZodMiniType): string[] {
  const told = strictFormOf(schema)
  const {
    shape = {},
    element,
    valueType,
    innerType,
    options = [],
  } = (told?.schema ?? schema)._zod.def as Definition
  const inner = [...Object.values(shape), ...options, element, valueType, innerType]
  return [...Object.keys(shape), ...inner.flatMap((found) => (found ? namesIn(found) : []))]
}
