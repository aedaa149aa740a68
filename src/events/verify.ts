import { adopt } from '../shared/adopt.ts'
import { isObject, present } from '../shared/narrow.ts'
import { ownFields } from '../shared/own-fields.ts'
import { checkHandlerOptions, checkTolerance, invalidArgument, readArgument } from './arguments.ts'
import { type RawBody, toBytes } from './body.ts'
import { EventError } from './errors.ts'
import { bytesOfSecret, isSigned, signaturesOf } from './signature.ts'

/** Headers from Fetch or node:http. */
export type EventHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** Options for {@link verifyEvent}. */
export interface VerifyOptions {
  /** The maximum difference between the timestamp and `now`, in seconds; at least 0. Default: 300. */
  tolerance?: number | undefined
  /** The time to compare the timestamp with. Default: the current time. */
  now?: Date | undefined
}

const optionNames = ['tolerance', 'now'] as const satisfies (keyof VerifyOptions)[]

/** A message whose signature is valid. */
export interface VerifiedMessage {
  /** The message's id, which is the same for every delivery of the event. */
  id: string
  /** When this delivery was signed. */
  timestamp: Date
}

/**
 * Verifies a message's signature and timestamp. Signatures follow Standard Webhooks; the specification does not define
 * them. Pass the raw body, because the signature covers its bytes. Only the first 32 signatures are checked.
 *
 * @param secrets Your webhook's secret, or several during a rotation. One must match.
 * @throws {EventError} `signature_missing`, `signature_invalid`, `timestamp_invalid`, `secret_invalid`, `body_parsed`,
 * `argument_invalid`
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
  const { tolerance = 300, now = new Date() } = readArgument('the options of verifyEvent', () => {
    checkHandlerOptions('verifyEvent', options, optionNames)
    return ownFields(options)
  })
  checkTolerance(tolerance)
  const keys = parseSecrets(secrets)
  const body = readArgument('the body', () => toBytes(rawBody))
  const { id, timestamp, signatures } = readArgument('headers', () => readSignatureHeaders(headers))
  const seconds = readArgument('now', () => secondsOf(now))
  checkAge(seconds - timestamp, tolerance)
  if (!(await isSigned({ id, timestamp, body }, signaturesOf(signatures), keys))) {
    throw new EventError(
      'signature_invalid',
      'No signature matches any of the secrets. Check the secrets, and pass the raw body.',
    )
  }
  return { id, timestamp: new Date(timestamp * 1000) }
}

export function parseSecrets(secrets: string | readonly string[]): readonly [string, ...string[]] {
  const list = readArgument('the secrets', () =>
    Array.isArray(secrets) ? [...secrets] : [secrets],
  )
  if (list.length === 0) throw new EventError('secret_invalid', 'Expected at least one secret.')
  for (const secret of list) bytesOfSecret(secret)
  const [first, ...rest] = list
  return [present(first), ...rest]
}

function secondsOf(now: Date): number {
  // `instanceof` fails for objects from another realm.
  const isDate = Object.prototype.toString.call(now) === '[object Date]'
  const seconds = isDate ? now.getTime() / 1000 : Number.NaN
  if (Number.isFinite(seconds)) return seconds
  throw invalidArgument('now', 'a valid Date', isDate ? seconds : now)
}

function checkAge(age: number, tolerance: number): void {
  if (Math.abs(age) <= tolerance) return
  const problem =
    age > 0
      ? `older than the tolerance of ${tolerance} seconds allows. It may be a replay, or a queue may have delayed it. If every message fails, check this machine's clock.`
      : `newer than the tolerance of ${tolerance} seconds allows. Check this machine's clock.`
  throw new EventError('timestamp_invalid', `The message is ${problem}`)
}

/** The maximum length of a message's id, in characters. Databases cannot index ids that are much longer. */
const longestId = 1000

function readSignatureHeaders(headers: EventHeaders) {
  if (!isObject(headers))
    throw invalidArgument('headers', 'Headers or an object of strings', headers)
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => readHeader(headers, `webhook-${name}`) || readHeader(headers, `svix-${name}`),
  )
  if (!id || !timestamp || !signatures) {
    throw new EventError(
      'signature_missing',
      'A webhook-id, webhook-timestamp or webhook-signature header is missing.',
    )
  }
  if (id.length > longestId) {
    throw new EventError(
      'signature_invalid',
      `Expected a webhook-id of at most ${longestId} characters.`,
    )
  }
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new EventError(
      'timestamp_invalid',
      'Expected webhook-timestamp to be a Unix timestamp in seconds.',
    )
  }
  return { id, timestamp: Number(timestamp), signatures }
}

function readHeader(headers: Record<string, unknown>, name: string): string | undefined {
  const value = headerValue(headers, name)
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string').join(' ')
  return typeof value === 'string' ? value : undefined
}

function headerValue(headers: Record<string, unknown>, name: string): unknown {
  // `instanceof` fails for Headers from other packages and realms.
  if (typeof headers['get'] === 'function') {
    const value: unknown = headers['get'](name)
    // A promise is not a valid header. Its rejection must not end the process.
    adopt(value).catch(() => {})
    return value
  }
  return headers[Object.keys(headers).find((key) => key.toLowerCase() === name) ?? name]
}
