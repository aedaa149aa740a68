import { isOfKind, kindsKey, kindsOf } from '../contract/values/kinds.ts'
import { seeError } from '../shared/error-links.ts'
import { setField } from '../shared/own-fields.ts'

/**
 * The codes of {@link EventError}.
 * - `argument_invalid`: an argument or option has an invalid value, or an option is unknown.
 * - `secret_invalid`: a secret is missing or does not have the form `whsec_<base64>`.
 * - `body_parsed`: the body was already read, or is neither a string nor bytes. The signature covers the raw body.
 * - `signature_missing`, `signature_invalid`: a `webhook-*` header is missing, or no signature matches a secret.
 * - `timestamp_invalid`: the timestamp is malformed, or differs from the current time by more than the tolerance.
 * - `event_invalid`: the body is not an event, or its source or provider is invalid; see `path`.
 * - `claim_invalid`: the dedupe store's `claim` returned an unknown result.
 * - `claim_lost`: by the time a listener completed, its claim had expired and another receiver had claimed the message.
 */
export const eventErrorCodes = [
  'argument_invalid',
  'secret_invalid',
  'body_parsed',
  'signature_missing',
  'signature_invalid',
  'timestamp_invalid',
  'event_invalid',
  'claim_invalid',
  'claim_lost',
] as const
/** One of {@link eventErrorCodes}. */
export type EventErrorCode = (typeof eventErrorCodes)[number]

/**
 * Thrown when an event cannot be received or signed. Its message never contains a secret, a signature or any part of
 * the body. `instanceof` also works across copies of this package.
 */
export class EventError extends Error {
  /** The class name, unchanged by minifiers. */
  static readonly kind: string = 'EventError'
  /** The error code; see {@link eventErrorCodes}. */
  readonly code: EventErrorCode
  /** The invalid field's path, such as `data.provider.slug`; empty for the whole event, undefined for other errors. */
  readonly path: string | undefined

  constructor(code: EventErrorCode, message: string, path?: string) {
    super(message + seeError(code, 'events'))
    setField(this, 'name', 'EventError')
    this.code = code
    this.path = path
  }

  /** Returns whether a value is an `EventError` from any copy of the package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOfKind(value, this)
  }

  /** @internal */
  get [kindsKey](): readonly string[] {
    return kindsOf(this)
  }
}
