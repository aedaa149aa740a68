import { type SignedEvent, signEvent } from '../events/sign.ts'
import { importKey, signatureOf } from '../events/signature.ts'

/** A webhook message. All deliveries of a message share its id. */
export interface EventMessage {
  id: string
  /** The body exactly as signed. */
  body: string
}

export type MessageHeaders = Record<string, string>

/** Creates a message with a new id. If `event` is a string, it becomes the body unchanged. */
export function eventMessage(event: object | string): EventMessage {
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  return { id: `msg_${crypto.randomUUID()}`, body }
}

/** Signs a message. `secondsFromNow` shifts the timestamp and may be negative. */
export async function signMessage(
  { id, body }: EventMessage,
  secrets: string | readonly string[],
  secondsFromNow = 0,
): Promise<SignedEvent['headers']> {
  const now = new Date(Date.now() + secondsFromNow * 1000)
  return (await signEvent(body, secrets, { id, now })).headers
}

export async function signWithoutTime({ id, body }: EventMessage, secret: string) {
  const message = { id, timestamp: Number.NaN, body: new TextEncoder().encode(body) }
  return {
    'webhook-id': id,
    'webhook-timestamp': 'NaN',
    'webhook-signature': await signatureOf(message, await importKey(secret)),
    'content-type': 'application/json',
  }
}

export function unknownSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}

export function renameToSvix(headers: MessageHeaders): MessageHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.replace(/^webhook-/, 'svix-'), value]),
  )
}
