import { bytesOfSecret, importKey, signatureOf } from '../../../src/events/signature.ts'
import { createKeptRequest } from '../../../src/shared/kept-request.ts'
import { Recent } from '../../../src/shared/memo.ts'
import type { EventBody } from '../bodies.ts'

export interface Flaws {
  /** Whether the signature is for a different body. */
  hasInvalidSignature: boolean
  /** Whether the timestamp is ten minutes old, twice the age that receivers tolerate. */
  isOld: boolean
}

const tenMinutes = 600

export interface DeliveryMessage {
  request: Request
  /** The headers, in alphabetical order. */
  headers: Record<string, string>
}

/** Creates a delivery's request, signed according to Standard Webhooks, with both the `svix-` and `webhook-` headers. */
export async function createMessage(
  { url, secret }: { url: string; secret: string },
  event: { id: string; body: EventBody },
  { hasInvalidSignature, isOld }: Flaws,
  signal?: AbortSignal,
): Promise<DeliveryMessage> {
  const { id } = event
  const text = JSON.stringify(event.body)
  // Receivers compare the timestamp with real time, not with the team's virtual time.
  const timestamp = Math.floor(Date.now() / 1000) - (isOld ? tenMinutes : 0)
  const signature = await sign(id, timestamp, hasInvalidSignature ? `${text} ` : text, secret)
  const signed = { id, signature, timestamp: String(timestamp) }
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  for (const prefix of ['svix', 'webhook']) {
    for (const [name, value] of Object.entries(signed)) headers[`${prefix}-${name}`] = value
  }
  const init = { method: 'POST', headers, body: text, redirect: 'manual' } as const
  const request = signal ? createKeptRequest(url, { ...init, signal }) : new Request(url, init)
  return { request, headers }
}

/**
 * Resolves when the last message is signed. Each signature waits for the previous one, so messages are sent in order.
 */
let lastSignature: Promise<unknown> = Promise.resolve()

/** Signs synchronously if possible, because a thread pool can sign messages in any order. */
async function sign(id: string, timestamp: number, body: string, secret: string): Promise<string> {
  const crypto = nodeCrypto()
  if (!crypto) {
    const message = { id, timestamp, body: new TextEncoder().encode(body) }
    const signature = lastSignature.then(async () => signatureOf(message, await importKey(secret)))
    lastSignature = signature.catch(() => {})
    return signature
  }
  const key = keys.get(secret, () => crypto.createSecretKey(bytesOfSecret(secret)))
  const hmac = crypto.createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body)
  return `v1,${hmac.digest('base64')}`
}

/** Returns the `node:crypto` module, or undefined on platforms without it. */
function nodeCrypto() {
  return globalThis.process?.getBuiltinModule?.('node:crypto')
}

type NodeKey = ReturnType<NonNullable<ReturnType<typeof nodeCrypto>>['createSecretKey']>

/** Caches keys, because creating a key takes as long as signing. */
const keys = new Recent<string, NodeKey>(100)
