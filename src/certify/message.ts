import { type SignedEvent, signEvent } from '../events/sign.ts'
import { importKey, signatureOf } from '../events/signature.ts'

/** An event to send. Its id stays the same for every delivery. */
export interface EventMessage {
  /** The message's id. */
  id: string
  /** The body exactly as signed. */
  body: string
}

/** The headers of a delivery by lower-case name. */
export type MessageHeaders = Record<string, string>

/** Returns a new message for an event, or for a body that is sent unchanged. */
export function eventMessage(event: object | string): EventMessage {
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  return { id: `msg_${crypto.randomUUID()}`, body }
}

/** Signs a message now, or a number of seconds from now. */
export async function signMessage(
  { id, body }: EventMessage,
  secrets: string | readonly string[],
  secondsFromNow = 0,
): Promise<SignedEvent['headers']> {
  const now = new Date(Date.now() + secondsFromNow * 1000)
  return (await signEvent(body, secrets, { id, now })).headers
}

/** Signs a message whose timestamp is not a number. */
export async function signWithoutTime({ id, body }: EventMessage, secret: string) {
  const message = { id, timestamp: Number.NaN, body: new TextEncoder().encode(body) }
  return {
    'webhook-id': id,
    'webhook-timestamp': 'NaN',
    'webhook-signature': await signatureOf(message, await importKey(secret)),
    'content-type': 'application/json',
  }
}

/** Returns a secret that no receiver knows. */
export function unknownSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}

/** Returns the headers with `svix-` instead of `webhook-` in their names. */
export function renameToSvix(headers: MessageHeaders): MessageHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.replace(/^webhook-/, 'svix-'), value]),
  )
}
