import { ownFields, toJson } from '../shared/own-fields.ts'
import { checkHandlerOptions, invalidArgument } from './arguments.ts'
import { type RawBody, toBytes } from './body.ts'
import { importKey, signatureOf } from './signature.ts'

/** Options for {@link signEvent}. */
export interface SignOptions {
  /** The message's id. Receivers handle each id only once. Default: a random id. */
  id?: string | undefined
  /**
   * The timestamp to sign. By default, receivers reject a message that is more than 5 minutes old. Default: the current
   * time.
   */
  now?: Date | undefined
}

/** A signed message. */
export interface SignedEvent<Body extends string | Uint8Array = string> {
  /** The headers to send with the body. */
  headers: {
    /** The message's id. */
    'webhook-id': string
    /** When the message was signed, as a Unix timestamp in seconds. */
    'webhook-timestamp': string
    /** The signatures, one per secret, separated by spaces. */
    'webhook-signature': string
    /** The JSON media type. */
    'content-type': 'application/json'
  }
  /** The body exactly as signed: a string, or a copy of the given bytes. */
  body: Body
}

/**
 * Signs an event according to Standard Webhooks, to test your receiver. Serializes an object to JSON, but leaves a
 * string or bytes unchanged. To test secret rotation, pass several secrets.
 *
 * @param event The event as an object, or a body to use unchanged.
 * @param secrets One or more secrets; the header contains one signature per secret.
 * @throws {EventError} `secret_invalid` for an invalid secret, `argument_invalid` for any other invalid argument.
 * @example
 * const sleep = { event_type: 'daily.data.sleep.created', user_id: userId, data: {} }
 * const signed = await signEvent(sleep, secrets)
 * const delivery = new Request('https://receiver.test/events', { method: 'POST', ...signed })
 */
export async function signEvent<Event extends object | RawBody>(
  event: Event,
  secrets: string | readonly string[],
  options: SignOptions = {},
): Promise<SignedEvent<Event extends Exclude<RawBody, string> ? Uint8Array<ArrayBuffer> : string>> {
  checkHandlerOptions('signEvent', options, ['id', 'now'])
  const { id = `msg_${crypto.randomUUID()}`, now = new Date() } = ownFields(options)
  const list = [secrets].flat()
  if (list.length === 0)
    throw invalidArgument('secrets', 'a secret or a list of at least one secret', secrets)
  const body = bodyOf(event)
  const timestamp = secondsOf(now)
  const message = { id: checkId(id), timestamp, body: toBytes(body) }
  const signatures = await Promise.all(
    list.map(async (secret) => signatureOf(message, await importKey(secret))),
  )
  return {
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures.join(' '),
      'content-type': 'application/json',
    },
    // `bodyOf` returns bytes only if the event is bytes.
    body: body as Event extends Exclude<RawBody, string> ? Uint8Array<ArrayBuffer> : string,
  }
}

function bodyOf(event: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof event === 'string') return event
  // Copy the bytes, because the caller may change them.
  if (ArrayBuffer.isView(event) || isArrayBuffer(event)) return new Uint8Array(toBytes(event))
  if (typeof event === 'object' && event !== null) return toJson(event)
  throw invalidArgument('the event', 'an object, a string or bytes', event)
}

function isArrayBuffer(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]'
}

function checkId(id: unknown): string {
  if (typeof id === 'string' && /^[\x21-\x7e]{1,256}$/.test(id)) return id
  throw invalidArgument('id', '1 to 256 visible ASCII characters', id)
}

function secondsOf(now: unknown): number {
  // `instanceof` fails for a Date from another realm.
  const isDate = Object.prototype.toString.call(now) === '[object Date]'
  const seconds = isDate ? Math.floor((now as Date).getTime() / 1000) : Number.NaN
  if (Number.isFinite(seconds) && seconds >= 0) return seconds
  throw invalidArgument('now', 'a valid Date in 1970 or later', isDate ? seconds : now)
}
