import { checkOptions, checkTolerance, isObject, unexpected } from './arguments.ts'
import { bytesOf, type RawBody } from './body.ts'
import { EventError } from './errors.ts'
import { bytesOfSecret, isSigned, signaturesOf } from './signature.ts'

/** Headers as Fetch or node:http has them. */
export type EventHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** Options of {@link verifyEvent}. */
export interface VerifyOptions {
  /** Seconds by which a message may be old, or ahead of this clock: a finite number, 0 or more. Default: 300. */
  tolerance?: number | undefined
  /** The time to compare with. Default: now. */
  now?: Date | undefined
}

const optionNames = ['tolerance', 'now'] as const satisfies (keyof VerifyOptions)[]

/** A message whose signature is valid. */
export interface VerifiedMessage {
  /** The same for every delivery of the same event. */
  id: string
  /** When it was sent. */
  timestamp: Date
}

/**
 * Verifies that a message comes from the service and is fresh (Standard Webhooks; the specification does not define
 * signing). Pass the body as it was sent, because its bytes are signed. Several secrets are alternatives, so that they can
 * be rotated. The timestamp is checked first. Each secret costs one HMAC, however many signatures the message has; of
 * those only the first 32 are looked at.
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
  options: VerifyOptions = {},
): Promise<VerifiedMessage> {
  checkOptions('verifyEvent', options, optionNames)
  const { tolerance = 300, now = new Date() } = options
  checkTolerance(tolerance)
  const keys = checkedSecrets(secrets)
  const body = bytesOf(rawBody)
  const { id, timestamp, signatures } = signedBy(headers)
  checkAge(secondsOf(now) - timestamp, tolerance)
  if (!(await isSigned({ id, timestamp, body }, signaturesOf(signatures), keys))) {
    throw new EventError(
      'signature_invalid',
      'The message is signed with none of the secrets. Check the secret, and that the body is passed as it was sent.',
    )
  }
  return { id, timestamp: new Date(timestamp * 1000) }
}

/**
 * Checks one secret or several, and returns them as a list.
 *
 * @throws {EventError} `secret_invalid`
 */
export function checkedSecrets(secrets: string | readonly string[]): readonly string[] {
  const list = Array.isArray(secrets) ? [...secrets] : [secrets]
  if (list.length === 0) throw new EventError('secret_invalid', 'Expected at least one secret.')
  for (const secret of list) bytesOfSecret(secret)
  return list
}

function secondsOf(now: Date): number {
  // The tag names the type in every realm.
  const isDate = Object.prototype.toString.call(now) === '[object Date]'
  const seconds = isDate ? now.getTime() / 1000 : Number.NaN
  if (Number.isFinite(seconds)) return seconds
  throw unexpected('now', 'a valid Date', isDate ? seconds : now)
}

function checkAge(age: number, tolerance: number): void {
  if (Math.abs(age) <= tolerance) return
  throw new EventError(
    'timestamp_invalid',
    `The message is ${age > 0 ? 'older' : 'newer'} than the tolerance of ${tolerance} seconds allows. Check the clock of this machine.`,
  )
}

/** What the headers say, under either of their names. */
function signedBy(headers: EventHeaders) {
  if (!isObject(headers)) throw unexpected('headers', 'Headers or an object of strings', headers)
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => header(headers, `webhook-${name}`) || header(headers, `svix-${name}`),
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

function header(headers: Record<string, unknown>, name: string): string | undefined {
  const value = headerValue(headers, name)
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string').join(' ')
  return typeof value === 'string' ? value : undefined
}

function headerValue(headers: Record<string, unknown>, name: string): unknown {
  // Not `instanceof`: other packages and realms have Headers of their own.
  if (typeof headers['get'] === 'function') return headers['get'](name)
  return headers[Object.keys(headers).find((key) => key.toLowerCase() === name) ?? name]
}
