import { readChunk } from '../../../src/shared/read-chunk.ts'
import type { DueEffect } from '../../faults/faults.ts'
import { runAtOnce } from '../../shared/slices.ts'
import { HttpError, unprocessable } from '../http-error.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import { byteLength } from '../response.ts'

/** The plain values of a request without its body. */
export interface RequestHead {
  method: string
  /** The URL as it was sent, with its origin. */
  url: string
  /** The path of the URL, escaped. */
  path: string
  search: URLSearchParams
  /** The headers, by lower-case name. */
  headers: Readonly<Record<string, string>>
}

/** A request as plain values, so that a server need not create objects of the platform. */
export interface IncomingRequest extends RequestHead {
  signal: AbortSignal | undefined
  /**
   * Reads the body as a string; undefined without a body. A promise only if the body is not in memory.
   *
   * @throws {HttpError} 413 if it is too large; 422 if it is not UTF-8.
   */
  text: () => Promise<string> | string | undefined
  /** What must exist as long as the request is handled: the platform only aborts the signal of a `Request` that still exists. */
  sources?: readonly unknown[]
  /** What happens to this request alone. Default: nothing. */
  intervention?: Intervention
}

/** What happens to one request, however many of its operation are handled at the same time. */
export interface Intervention {
  /** Receives its entry in the journal. */
  onEntry?: (entry: JournalEntry) => void
  /** Faults, after those of the team. */
  effects?: readonly DueEffect[]
  /** Runs the handler, up to its first wait. */
  around?: <T>(run: () => T) => T
}

/** The largest body of a request, in bytes: 64 MiB. */
export const bodyLimit = 64 * 1024 * 1024

/** Returns the request of the arguments of `fetch`. A string body needs no `Request` of the platform. */
export function toIncomingRequest(
  input: Request | string | URL,
  init: RequestInit = {},
): IncomingRequest {
  const { body } = init
  const isPlain = typeof body === 'string' || body === undefined || body === null
  if (input instanceof Request || !isPlain) {
    const request = new Request(input, init)
    return { ...fromRequest(request), sources: [input, request] }
  }
  return {
    method: (init.method ?? 'GET').toUpperCase(),
    ...splitUrl(input),
    headers: Object.fromEntries(new Headers(init.headers)),
    signal: init.signal ?? undefined,
    text: () => {
      if (typeof body === 'string' && byteLength(body) > bodyLimit) throw bodyTooLarge(bodyLimit)
      return body ?? undefined
    },
  }
}

function fromRequest(request: Request): IncomingRequest {
  const { method, url, headers, signal, body } = request
  return {
    method,
    ...splitUrl(url),
    headers: Object.fromEntries(headers),
    signal,
    text: () => (body === null ? undefined : readStream(body)),
  }
}

/** Reads a body chunk by chunk, and cancels the stream as soon as it is too large. */
async function readStream(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let next = await readChunk(reader); !next.done; next = await readChunk(reader)) {
    size += next.value.byteLength
    if (size > bodyLimit) {
      // Cancelling a stream may take forever; the response does not wait for it.
      reader.cancel().catch(() => {})
      throw bodyTooLarge(bodyLimit)
    }
    chunks.push(next.value)
  }
  return runAtOnce(decodeBody(chunks))
}

/**
 * Returns the text of a body; a step for each chunk.
 *
 * @throws {HttpError} 422 if it is not UTF-8.
 */
export function* decodeBody(chunks: readonly Uint8Array[]): Generator<void, string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const parts: string[] = []
  try {
    for (const chunk of chunks) {
      parts.push(decoder.decode(chunk, { stream: true }))
      yield
    }
    return parts.join('') + decoder.decode()
  } catch {
    throw unprocessable([
      { type: 'json_invalid', loc: ['body'], msg: 'JSON should be encoded as UTF-8', input: {} },
    ])
  }
}

/** Returns the error for a body with more bytes than a limit. */
export function bodyTooLarge(limit: number): HttpError {
  return new HttpError(413, `The body is larger than ${limit} bytes`)
}

function splitUrl(url: string | URL) {
  const { href, pathname, searchParams } = new URL(url)
  return { url: href, path: pathname, search: searchParams }
}

/** Returns the path of a request without that of the base URL. */
export function pathBelow(baseUrl: string, path: string): string {
  const base = basePathOf(baseUrl)
  return base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path
}

/** Returns the path of a base URL, encoded like the URLs of requests. */
function basePathOf(baseUrl: string): string {
  const path = baseUrl.replace(/^\w+:\/\/[^/]*|\/+$/g, '')
  return /^[\w/.~-]*$/.test(path) || !URL.canParse(baseUrl)
    ? path
    : new URL(baseUrl).pathname.replace(/\/+$/, '')
}
