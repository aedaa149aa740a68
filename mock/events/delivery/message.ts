import {
  bytesOfSecret,
  importKey,
  type SignedMessage,
  signatureOf,
  signedContentOf,
} from '../../../src/events/signature.ts'
import type { EventBody } from '../bodies.ts'

/** The flaws of a message. */
export interface Flaws {
  /** Whether the signature is that of another body. */
  hasInvalidSignature: boolean
  /** Whether the timestamp is ten minutes old, twice what receivers tolerate. */
  isOld: boolean
}

const tenMinutes = 600

/** Creates the request of a delivery, signed by Standard Webhooks, with both sets of header names. */
export async function createMessage(
  { url, secret }: { url: string; secret: string },
  event: { id: string; body: EventBody },
  { hasInvalidSignature, isOld }: Flaws,
  signal?: AbortSignal,
): Promise<Request> {
  const { id } = event
  const text = JSON.stringify(event.body)
  // Receivers compare it with real time, not with the team's virtual time.
  const timestamp = Math.floor(Date.now() / 1000) - (isOld ? tenMinutes : 0)
  const body = new TextEncoder().encode(hasInvalidSignature ? `${text} ` : text)
  const signature = await sign({ id, timestamp, body }, secret)
  const signed = { id, timestamp: String(timestamp), signature }
  const headers = Object.entries(signed).flatMap(([name, value]) => [
    [`webhook-${name}`, value],
    [`svix-${name}`, value],
  ])
  return new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...Object.fromEntries(headers) },
    body: text,
    redirect: 'manual',
    ...(signal ? { signal } : {}),
  })
}

/** Signs at once where the platform can: the order in which its thread pool signs messages differs from run to run. */
async function sign(message: SignedMessage, secret: string): Promise<string> {
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto')
  if (!crypto) return signatureOf(message, await importKey(secret))
  const hmac = crypto.createHmac('sha256', bytesOfSecret(secret))
  return `v1,${hmac.update(signedContentOf(message)).digest('base64')}`
}
