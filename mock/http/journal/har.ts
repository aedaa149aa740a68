import { endpoints } from '../../../src/contract/endpoints.ts'
import type { Endpoint } from '../../../src/contract/schema-tools/endpoint.ts'
import { shapeOf, walk } from '../../../src/contract/schema-tools/walk.ts'
import { aggregateColumns } from '../../../src/contract/values/columns.ts'
import { aggregationFunctions } from '../../../src/contract/values/known-values.ts'
import { headers, methods } from '../../../src/contract/wire.ts'
import { lazy } from '../../../src/shared/memo.ts'
import { isBytes } from '../../../src/shared/narrow.ts'
import type { Har, HarContent, HarEntry, HarPair } from './har-format.ts'
import type { JournalEntry } from './journal-entry.ts'

/** The patterns of the request header values that are not redacted, by header name. */
const requestHeaders = new Map([
  ['accept', /^(?:\*\/\*|application\/(?:json|vnd\.service\.tar\+gzip\+parquet))$/],
  ['content-type', /^application\/json$/],
])

/** The patterns of the response header values that are not redacted, by header name. */
const responseHeaders = new Map([
  [
    'content-type',
    /^(?:application\/(?:json|pdf|vnd\.service\.tar\+gzip\+parquet)|text\/(?:plain|html))$/,
  ],
  ['content-length', /^\d{1,15}$/],
  [headers.retryAfter, /^(?:\d{1,15}|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT)$/],
  [headers.requestId, /^req_\d{1,15}(?:_\d{1,15})?$/],
])

/** The headers whose value is redacted, but not the name. */
const knownHeaders = ['authorization', 'host', 'user-agent', headers.apiKey, headers.idempotencyKey]
const knownMethods: readonly string[] = [...methods, 'HEAD', 'OPTIONS']
const redacted = 'redacted'

export function exportHar(entries: readonly JournalEntry[]): Har {
  const creator = { name: 'health-lab-sdk/mock', version: '1' }
  return { log: { version: '1.2', creator, entries: entries.map(exportEntry) } }
}

function exportEntry(entry: JournalEntry): HarEntry {
  const { operation, method, path, at, request, response, outcome } = entry
  const sizes = { headersSize: -1, bodySize: -1 } as const
  const protocol = { httpVersion: 'HTTP/1.1', cookies: [] } as const
  return {
    startedDateTime: at.toISOString(),
    time: 0,
    request: {
      method: knownMethods.includes(method) ? method : redacted,
      // Use the specification's path, because the request's path contains ids.
      url: operation ? new URL(request.url).origin + path : 'unknown',
      ...protocol,
      headers: redactPairs(request.headers, requestHeaders),
      queryString: Object.entries(request.query).map(([name, value]) => ({
        name,
        value: String(redactValue(value)),
      })),
      ...sizes,
      ...(request.body === undefined ? {} : { postData: describeContent(request.body) }),
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      ...protocol,
      headers: redactPairs(response?.headers ?? {}, responseHeaders),
      content: { size: -1, ...describeContent(response?.body) },
      redirectURL: '',
      ...sizes,
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    comment: `${operation ?? 'unknown route'}: ${outcome}`,
  }
}

function redactPairs(
  values: Readonly<Record<string, string>>,
  patterns: ReadonlyMap<string, RegExp>,
): HarPair[] {
  return Object.entries(values).map(([name, value]) => ({
    name: patterns.has(name) || knownHeaders.includes(name) ? name : redacted,
    value: patterns.get(name)?.test(value) ? value : redacted,
  }))
}

function describeContent(body: unknown): HarContent {
  const mimeType = isBytes(body) ? 'application/octet-stream' : 'application/json'
  return { mimeType, text: JSON.stringify(redactValue(body)) ?? '' }
}

/**
 * Replaces strings, numbers, booleans and bytes with their types. Replaces field names that the contract does not
 * define with numbered placeholders, because a name may be data, such as an e-mail address.
 */
function redactValue(value: unknown): unknown {
  if (isBytes(value)) return 'bytes'
  if (Array.isArray(value)) return value.map(redactValue)
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value
  const known = knownNames()
  const fields = Object.entries(value).map(([name, inner], index) => [
    known.has(name) ? name : `${redacted}_${index + 1}`,
    redactValue(inner),
  ])
  return Object.fromEntries(fields)
}

const knownNames = lazy(
  () =>
    new Set([
      ...['detail', 'type', 'loc', 'msg', 'input', 'index'],
      ...aggregationFunctions,
      ...Object.keys(aggregateColumns),
      ...endpoints.flatMap(({ query, body, responses }: Endpoint) =>
        [query, body, ...Object.values(responses)].flatMap((schema) => {
          return schema === undefined || schema === 'binary'
            ? []
            : [...walk(schema)].flatMap((part) => Object.keys(shapeOf(part)))
        }),
      ),
    ]),
)
