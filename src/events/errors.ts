/**
 * What is wrong with an event, or with how it is received.
 * - `secret_invalid`: a secret is missing or not of the form `whsec_<base64>`.
 * - `body_parsed`: the body was parsed already; the signature is over its bytes.
 * - `signature_missing`, `signature_invalid`: the message is not signed, or not with one of the secrets.
 * - `timestamp_invalid`: the message is older, or newer, than the tolerance allows.
 * - `event_invalid`: the body is no event, or an event of a known type lacks what its type has; see `path`.
 */
export const eventErrorCodes = [
  'secret_invalid',
  'body_parsed',
  'signature_missing',
  'signature_invalid',
  'timestamp_invalid',
  'event_invalid',
] as const
/** One of {@link eventErrorCodes}. */
export type EventErrorCode = (typeof eventErrorCodes)[number]

const mark = Symbol.for('health-lab-sdk.event-error')

/**
 * An event that cannot be received. Its message never holds a secret, a signature or any of the body. `instanceof` also
 * holds between two copies of this package.
 */
export class EventError extends Error {
  readonly code: EventErrorCode
  /** Where in the event, such as `data.provider.slug`; undefined when it is about the message. */
  readonly path: string | undefined

  constructor(code: EventErrorCode, message: string, path?: string) {
    super(message)
    this.name = 'EventError'
    this.code = code
    this.path = path
    Object.defineProperty(this, mark, { value: true })
  }

  /** Whether a value is such an error, of this copy of the package or of another. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && mark in value
  }
}
