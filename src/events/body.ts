import { kindOf } from './arguments.ts'
import { EventError } from './errors.ts'

/** A body as it was sent, unparsed. */
export type RawBody = string | Uint8Array | ArrayBuffer

/**
 * Returns the bytes of a raw body, also of one that another realm made, as in Jest.
 *
 * @throws {EventError} `body_parsed`
 */
export function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (ArrayBuffer.isView(body)) {
    return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  }
  // The tag names the type in every realm.
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') {
    return new Uint8Array(body as ArrayBuffer)
  }
  throw new EventError(
    'body_parsed',
    `Expected the raw body as a string or bytes, but it is ${kindOf(body)}: the signature is computed over its bytes. With Express, use express.raw({ type: '*/*' }) for this route, before any JSON parser.`,
  )
}

/** Collects a body of at most `limit` bytes; returns undefined when it is larger. */
export async function collect(
  chunks: AsyncIterable<unknown>,
  limit: number,
): Promise<Uint8Array | undefined> {
  let bytes = new Uint8Array()
  let length = 0
  for await (const chunk of chunks) {
    const part = bytesOf(chunk)
    const end = length + part.length
    if (end > limit) return undefined
    // Chunks are copied, not kept: a sender decides how small they are, and each one has a cost of its own.
    if (end > bytes.length) bytes = grow(bytes, Math.min(limit, Math.max(end, 2 * bytes.length)))
    bytes.set(part, length)
    length = end
  }
  return bytes.subarray(0, length)
}

function grow(bytes: Uint8Array, capacity: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(capacity)
  grown.set(bytes)
  return grown
}

/**
 * Parses a body.
 *
 * @throws {EventError} `event_invalid`
 */
export function parseBody(body: RawBody): unknown {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own error quotes the text.
    throw new EventError('event_invalid', 'Expected the event to be JSON.', '')
  }
}
