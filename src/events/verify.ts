import { EventError } from './errors.ts'
import { bytesOfSecret, isSigned, keyOf } from './signature.ts'

/** A body as it came, unparsed. */
export type RawBody = string | Uint8Array | ArrayBuffer

/** Headers as Fetch or node:http has them. */
export type EventHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** Options of {@link verifyEvent}. */
export interface VerifyOptions {
  /** Seconds by which a message may be old, or ahead of this clock. Default: 300. */
  tolerance?: number | undefined
  /** The time to compare with. Default: now. */
  now?: Date | undefined
}

/** A message whose signature holds. */
export interface VerifiedMessage {
  /** The same for every delivery of the same event. */
  id: string
  /** When it was sent. */
  timestamp: Date
}

/**
 * Verifies that a message is the service's and fresh (Standard Webhooks, specification part 6 as presumed). Give the body
 * as it came: its bytes are signed. Several secrets are alternatives, so that they can be rotated.
 *
 * @throws {EventError} with a code that says why not.
 * @example
 * const body = await delivery.text()
 * await verifyEvent(body, delivery.headers, secrets)
 * const event = parseEvent(JSON.parse(body))
 */
export async function verifyEvent(
  rawBody: RawBody,
  headers: EventHeaders,
  secrets: string | readonly string[],
  { tolerance = 300, now = new Date() }: VerifyOptions = {},
): Promise<VerifiedMessage> {
  const keys = await Promise.all(checkedSecrets(secrets).map(keyOf))
  const body = bytesOf(rawBody)
  const { id, timestamp, signatures } = signedBy(headers)
  const message = { id, timestamp, body }
  const checks = await Promise.all(keys.map((key) => isSigned(message, signatures, key)))
  if (!checks.includes(true)) {
    throw new EventError(
      'signature_invalid',
      'The message is signed with none of the secrets. Check the secret, and that the body is given as it came.',
    )
  }
  const age = now.getTime() / 1000 - timestamp
  if (!(Math.abs(age) <= tolerance)) {
    throw new EventError(
      'timestamp_invalid',
      `The message is ${age > 0 ? 'older' : 'newer'} than the tolerance of ${tolerance} seconds allows. Check the clock of this machine.`,
    )
  }
  return { id, timestamp: new Date(timestamp * 1000) }
}

/**
 * Checks one secret or several, and gives them as a list.
 *
 * @throws {EventError} `secret_invalid`
 */
export function checkedSecrets(secrets: string | readonly string[]): readonly string[] {
  const list = Array.isArray(secrets) ? secrets : [secrets]
  if (list.length === 0) throw new EventError('secret_invalid', 'Expected at least one secret.')
  for (const secret of list) bytesOfSecret(secret)
  return list
}

/** What the headers tell, under either of their names. */
function signedBy(headers: EventHeaders) {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => header(headers, `webhook-${name}`) ?? header(headers, `svix-${name}`),
  )
  if (!id || !timestamp || !signatures) {
    throw new EventError(
      'signature_missing',
      'Expected the headers webhook-id, webhook-timestamp and webhook-signature.',
    )
  }
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new EventError('timestamp_invalid', 'Expected webhook-timestamp in seconds since 1970.')
  }
  return { id, timestamp: Number(timestamp), signatures }
}

function header(headers: EventHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const key = Object.keys(Object(headers)).find((candidate) => candidate.toLowerCase() === name)
  const value = key === undefined ? undefined : headers[key]
  return typeof value === 'object' ? value.join(' ') : value
}

function bytesOf(body: RawBody): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  // Whatever the bytes lie in, they are only read.
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new EventError(
    'body_parsed',
    'Expected the body as it came, a text or bytes: the signature is over its bytes. With Express use express.raw({ type: "*/*" }) for this route.',
  )
}
