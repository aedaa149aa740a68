import { headers as headerNames } from '../../src/contract/wire.ts'
import { Recent } from '../../src/shared/memo.ts'
import { isBytes } from '../../src/shared/narrow.ts'
import { isFixed } from '../shared/freeze.ts'

const json = 'application/json'

export class ServiceResponse {
  readonly status: number
  /** A JSON value if `type` is `application/json`. Otherwise, a string or bytes. */
  readonly body: unknown
  readonly type: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, body: unknown, type = json, headers: Record<string, string> = {}) {
    this.status = status
    this.body = body
    this.type = type
    this.headers = headers
  }
}

/** A response as sent. */
export interface SerializedResponse {
  /** Always `response`. */
  kind: 'response'
  /** The status, from 200 to 599. */
  status: number
  /** The headers, by lower-case name. */
  headers: Record<string, string>
  /** The body. A string is sent as UTF-8. */
  body: string | Uint8Array<ArrayBuffer>
  /** The number of body bytes after which the connection breaks. Default: the connection does not break. */
  cutAfter?: number
}

export function serializeResponse(
  { status, body, type, headers }: ServiceResponse,
  requestId: string,
): SerializedResponse {
  const id = { [headerNames.requestId]: requestId }
  if (!hasBody(status))
    return { kind: 'response', status, headers: { ...id, ...headers }, body: '' }
  const sent = serializeBody(body, type)
  const content = { 'content-type': type, 'content-length': String(byteLength(sent)) }
  return { kind: 'response', status, headers: { ...content, ...id, ...headers }, body: sent }
}

/** Returns whether HTTP allows a response with this status to have a body. */
export function hasBody(status: number): boolean {
  return status !== 204 && status !== 205 && status !== 304
}

function serializeBody(body: unknown, type: string): SerializedResponse['body'] {
  // Bytes from routes and overrides are never in shared memory.
  if (isBytes(body)) return body
  if (type !== json && typeof body === 'string') return body
  if (!isFixed(body)) return JSON.stringify(body) ?? ''
  const known = serialized.find(body)
  if (known) return known
  const sent = JSON.stringify(body)
  if (sent.length > longestJson) return sent
  const bytes = encodeBody(sent)
  serialized.keep(body, bytes)
  return bytes
}

/** The maximum length of a cached body, in characters. */
const longestJson = 10_000

/** The bytes of recently sent records. Clients often poll a record, for example until a booking is confirmed. */
const serialized = new Recent<object, Uint8Array<ArrayBuffer>>(1000)

export function byteLength(sent: string | Uint8Array): number {
  if (typeof sent !== 'string') return sent.byteLength
  // `Buffer` counts the bytes without encoding the string, but browsers do not have it.
  const { Buffer }: { Buffer?: typeof globalThis.Buffer } = globalThis
  return Buffer ? Buffer.byteLength(sent) : new TextEncoder().encode(sent).length
}

export function encodeBody(body: SerializedResponse['body']): Uint8Array<ArrayBuffer> {
  return typeof body === 'string' ? new TextEncoder().encode(body) : body
}
