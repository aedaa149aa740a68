import { endlessBody, mostEmptyChunks } from '../shared/read-chunk.ts'
import { BodyTooLargeError, checkJsonSize } from '../shared/response-limits.ts'
import { describeType } from './arguments.ts'
import { EventError } from './errors.ts'

/** The request body exactly as received, before any parsing. */
export type RawBody = string | Uint8Array | ArrayBuffer

export function toBytes(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (ArrayBuffer.isView(body)) {
    return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  }
  if (isArrayBuffer(body)) return new Uint8Array(body)
  throw new EventError(
    'body_parsed',
    `Expected the raw body as a string or bytes, but found ${describeType(body)}. The signature covers the raw bytes. With Express, use express.raw({ type: '*/*' }) for this route, before any JSON parser.`,
  )
}

/** Returns whether a value is an `ArrayBuffer`. `instanceof` fails for objects from another realm, such as Jest's. */
function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]'
}

/** Joins a body's chunks. Returns undefined if the body is larger than `limit` bytes. */
export async function readChunks(
  chunks: AsyncIterable<unknown>,
  limit: number,
): Promise<Uint8Array | undefined> {
  let bytes = new Uint8Array()
  let length = 0
  let empty = 0
  for await (const chunk of chunks) {
    const part = toBytes(chunk)
    empty = part.length === 0 ? empty + 1 : 0
    if (empty === mostEmptyChunks) throw endlessBody()
    const end = length + part.length
    if (end > limit) return undefined
    // Copy chunks instead of keeping them: each has overhead, and a sender could send many tiny ones.
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

/** Parses a body with the same limits as responses, because a database may reject deeply nested JSON. */
export function parseBody(body: RawBody): unknown {
  const bytes = toBytes(body)
  try {
    const text = new TextDecoder().decode(bytes)
    checkJsonSize(bytes, text)
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof BodyTooLargeError) {
      throw new EventError('event_invalid', `Expected an event of ${error.expected}.`, '')
    }
    // The parser's own error quotes the body.
    throw new EventError('event_invalid', 'Expected the event to be JSON.', '')
  }
}
