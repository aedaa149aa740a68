import { readChunk } from '../../../src/shared/read-chunk.ts'
import type { DueEffect } from '../../faults/faults.ts'
import { runAtOnce } from '../../shared/slices.ts'
import { HttpError, unprocessable } from '../http-error.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import { byteLength } from '../response.ts'

export interface RequestHead {
  method: string
  /** The URL as sent, including its origin. */
  url: string
  /** The URL's path, escaped. */
  path: string
  search: URLSearchParams
  /** The headers, by lower-case name. */
  headers: Readonly<Record<string, string>>
}

/** A request as plain values, so a server need not create a platform `Request`. */
export interface IncomingRequest extends RequestHead {
  signal: AbortSignal | undefined
  /**
   * Reads the body as a string. Returns undefined if the body is missing or empty. Returns a promise only if the body
   * is a stream.
   *
   * @throws {HttpError} 413 if the body is too large; 415 if it is compressed; 422 if it is not UTF-8.
   */
  text: () => Promise<string | undefined> | string | undefined
  /**
   * Objects to keep in memory while the request is handled, because the platform does not abort the signal of a
   * garbage-collected `Request`.
   */
  sources?: readonly unknown[]
  intervention?: Intervention
}

/** Changes how a single request is handled, without affecting concurrent requests for the same operation. */
export interface Intervention {
  onEntry?: (entry: JournalEntry) => void
  /** Effects to apply after the effects of the team's faults. */
  effects?: readonly DueEffect[]
  /** Wraps the handler's synchronous part, up to its first `await`. */
  around?: <T>(run: () => T) => T
}

/** The maximum size of a request body, in bytes. */
export const bodyLimit = 64 * 1024 * 1024

/** Converts `fetch` arguments to a request. Creates a platform `Request` only if the result would otherwise differ. */
export function toIncomingRequest(
  input: Request | string | URL,
  init: RequestInit = {},
): IncomingRequest {
  if (input instanceof Request || !isPlain(init)) {
    const request = new Request(input, init)
    return { ...fromRequest(request), sources: [input, request] }
  }
  const { method = 'GET', body } = init
  const headers = Object.fromEntries(new Headers(init.headers))
  if (typeof body === 'string') headers['content-type'] ??= 'text/plain;charset=UTF-8'
  return {
    method,
    ...splitUrl(input),
    headers,
    signal: init.signal ?? undefined,
    text: () => {
      if (typeof body !== 'string' || body === '') return undefined
      checkContentEncoding(headers)
      if (byteLength(body) > bodyLimit) throw bodyTooLarge(bodyLimit)
      return body
    },
  }
}

/** Returns whether the `Request` constructor would accept the method and the body, and change neither. */
function isPlain({ method = 'GET', body }: RequestInit): boolean {
  if (!/^(?!(?:CONNECT|TRAC[EK])$)[A-Z]+$/.test(method)) return false
  if (body === undefined || body === null) return true
  const isText = typeof body === 'string' && !body.startsWith('\uFEFF')
  return isText && method !== 'GET' && method !== 'HEAD'
}

function fromRequest(request: Request): IncomingRequest {
  const { method, url, signal, body } = request
  const headers = Object.fromEntries(request.headers)
  return {
    method,
    ...splitUrl(url),
    headers,
    signal,
    text: () => (body === null ? undefined : readStream(body, headers)),
  }
}

/** Reads a stream, and cancels it if the body is too large. */
async function readStream(
  stream: ReadableStream<Uint8Array>,
  headers: RequestHead['headers'],
): Promise<string | undefined> {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let next = await readChunk(reader); !next.done; next = await readChunk(reader)) {
    size += next.value.byteLength
    if (size > bodyLimit) {
      // Do not wait for the cancellation, which may never complete.
      reader.cancel().catch(() => {})
      throw bodyTooLarge(bodyLimit)
    }
    chunks.push(next.value)
  }
  if (size === 0) return undefined
  checkContentEncoding(headers)
  return runAtOnce(decodeBody(chunks))
}

/**
 * Decodes a UTF-8 body, one chunk per step.
 *
 * @throws {HttpError} 422 if the body is not UTF-8.
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

export function bodyTooLarge(limit: number): HttpError {
  return new HttpError(413, `The body is larger than ${limit} bytes`)
}

/** @throws {HttpError} 415 for a compressed body, because the mock does not decompress bodies. */
export function checkContentEncoding(headers: RequestHead['headers']): void {
  const encoding = headers['content-encoding'] ?? ''
  const codings = encoding.split(',').map((coding) => coding.trim().toLowerCase())
  if (codings.every((coding) => coding === '' || coding === 'identity')) return
  throw new HttpError(415, `The content encoding ${encoding} is not supported`)
}

function splitUrl(url: string | URL) {
  const { href, pathname, searchParams } = new URL(url)
  return { url: href, path: pathname, search: searchParams }
}

export function pathBelow(baseUrl: string, path: string): string {
  const base = basePathOf(baseUrl)
  return base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path
}

/** Returns a base URL's path, encoded like request paths. */
function basePathOf(baseUrl: string): string {
  const path = baseUrl.replace(/^\w+:\/\/[^/]*|\/+$/g, '')
  return /^[\w/.~-]*$/.test(path) || !URL.canParse(baseUrl)
    ? path
    : new URL(baseUrl).pathname.replace(/\/+$/, '')
}
