import { importKey, signatureOf } from '../../src/events/signature.ts'

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** Returns a signed delivery of a body, as the service sends it. */
export async function delivery(
  body: unknown,
  { id = 'msg_1', key = secret, at = new Date() }: { id?: string; key?: string; at?: Date } = {},
): Promise<Request> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const timestamp = Math.floor(at.getTime() / 1000)
  const message = { id, timestamp, body: new TextEncoder().encode(text) }
  return new Request('https://receiver.test/events', {
    method: 'POST',
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': await signatureOf(message, await importKey(key)),
    },
    body: text,
  })
}
