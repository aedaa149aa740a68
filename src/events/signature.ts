import { EventError } from './errors.ts'

/** What is signed, as Standard Webhooks says. */
export interface SignedMessage {
  id: string
  /** Seconds since 1970. */
  timestamp: number
  body: Uint8Array<ArrayBuffer>
}

const encoder = new TextEncoder()
const prefix = 'whsec_'

/**
 * The bytes of a secret of the form `whsec_<base64>`.
 *
 * @throws {EventError} `secret_invalid`
 */
export function bytesOfSecret(secret: string): Uint8Array<ArrayBuffer> {
  const isPrefixed = typeof secret === 'string' && secret.startsWith(prefix)
  const bytes = isPrefixed ? decoded(secret.slice(prefix.length)) : undefined
  if (bytes && bytes.length > 0) return bytes
  throw new EventError(
    'secret_invalid',
    'Expected each secret to be whsec_ and then base64, as the service shows it.',
  )
}

/**
 * The key of a secret.
 *
 * @throws {EventError} `secret_invalid`
 */
export async function keyOf(secret: string): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const bytes = bytesOfSecret(secret)
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify'])
}

/** The signature of a message, `v1,<base64>`. */
export async function signatureOf(message: SignedMessage, key: CryptoKey): Promise<string> {
  const signed = await crypto.subtle.sign('HMAC', key, contentOf(message))
  return `v1,${encoded(new Uint8Array(signed))}`
}

/** Whether one of the signatures, separated by spaces, is of this message and key. Compared in constant time. */
export async function isSigned(
  message: SignedMessage,
  signatures: string,
  key: CryptoKey,
): Promise<boolean> {
  const content = contentOf(message)
  const found = signatures.split(' ').flatMap((signature) => {
    const base64 = signature.startsWith('v1,') ? signature.slice(3) : ''
    const bytes = decoded(base64)
    // The last character has bits that no byte needs: with another value it is not what was sent.
    const isAsSent = bytes !== undefined && encoded(bytes) === base64
    return isAsSent ? [crypto.subtle.verify('HMAC', key, bytes, content)] : []
  })
  return (await Promise.all(found)).includes(true)
}

function contentOf({ id, timestamp, body }: SignedMessage): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${id}.${timestamp}.`)
  const content = new Uint8Array(head.length + body.length)
  content.set(head)
  content.set(body, head.length)
  return content
}

function encoded(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/** The bytes of base64; undefined when it is none. */
function decoded(base64: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return undefined
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
