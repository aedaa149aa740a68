import type { JournalEntry } from './journal.ts'

/** An HTTP Archive (HAR 1.2), as far as the journal fills it. */
export interface Har {
  log: { version: '1.2'; creator: { name: string; version: string }; entries: HarEntry[] }
}

/** One request of a HAR document, and its answer. */
export interface HarEntry {
  startedDateTime: string
  /** Real time is not measured. */
  time: 0
  request: {
    method: string
    url: string
    httpVersion: 'HTTP/1.1'
    cookies: readonly []
    headers: HarPair[]
    queryString: HarPair[]
    headersSize: -1
    bodySize: -1
    postData?: { mimeType: string; text: string }
  }
  /** Status 0 for a request that got no answer. */
  response: {
    status: number
    statusText: ''
    httpVersion: 'HTTP/1.1'
    cookies: readonly []
    headers: HarPair[]
    content: { size: -1; mimeType: string; text: string }
    redirectURL: ''
    headersSize: -1
    bodySize: -1
  }
  cache: {}
  timings: { send: 0; wait: 0; receive: 0 }
  /** The operation, and what became of the request. */
  comment: string
}

/** A header or query parameter of a HAR document. */
export interface HarPair {
  name: string
  value: string
}

/** Headers that neither identify nor authorise anybody. */
const plainHeaders = ['accept', 'content-type', 'content-length', 'retry-after', 'x-request-id']

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
      method,
      // The template of the path: a path that was sent holds ids.
      url: operation ? new URL(request.url).origin + path : 'unknown',
      ...protocol,
      headers: pairsOf(request.headers),
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
      headers: pairsOf(answer?.headers ?? {}),
      content: { size: -1, ...contentOf(answer?.body) },
      redirectURL: '',
      ...sizes,
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    comment: `${operation ?? 'unknown route'}: ${outcome}`,
  }
}

function pairsOf(headers: Readonly<Record<string, string>>): HarPair[] {
  return Object.entries(headers).map(([name, value]) => ({
    name,
    value: plainHeaders.includes(name) ? value : 'redacted',
  }))
}

function contentOf(body: unknown): { mimeType: string; text: string } {
  const mimeType = body instanceof Uint8Array ? 'application/octet-stream' : 'application/json'
  return { mimeType, text: JSON.stringify(typeOf(body)) ?? '' }
}

/** The shape of a value: of every text, number and boolean its type. */
function typeOf(value: unknown): unknown {
  if (value instanceof Uint8Array) return 'bytes'
  if (Array.isArray(value)) return value.map(typeOf)
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, typeOf(inner)]))
}
