import { withoutAddedFields } from '../shared/own-fields.ts'
import { EventError } from './errors.ts'

/** The signed parts of a message, as defined by Standard Webhooks. */
export interface SignedMessage {
  id: string
  /** A Unix timestamp in seconds. */
  timestamp: number
  body: Uint8Array
}

const encoder = new TextEncoder()
const prefix = 'whsec_'

/** The maximum number of signatures to check. Senders need only a few: one per valid secret. */
const maxSignatures = 32
/** Matches a version 1 signature: 32 bytes in base64. */
const signaturePattern = /^v1,[A-Za-z0-9+/]{43}=$/

export function bytesOfSecret(secret: string): Uint8Array<ArrayBuffer> {
  const isPrefixed = typeof secret === 'string' && secret.startsWith(prefix)
  const bytes = isPrefixed ? decodeBase64(secret.slice(prefix.length)) : undefined
  if (bytes && bytes.length > 0) return bytes
  throw new EventError(
    'secret_invalid',
    'Expected each secret to be whsec_ followed by base64. Copy it from the service unchanged.',
  )
}

/** @throws {EventError} `secret_invalid` */
export async function importKey(secret: string): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const bytes = bytesOfSecret(secret)
  return withoutAddedFields(() => crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']))
}

export function signatureOf(message: SignedMessage, key: CryptoKey): Promise<string> {
  return sign(signedContentOf(message), key)
}

/** Returns the well-formed signatures in a header. A comma and a space separate the values of repeated headers. */
export function signaturesOf(header: string): string[] {
  return header.split(/,? /, maxSignatures).filter((signature) => signaturePattern.test(signature))
}

/**
 * Returns whether any of the secrets matches any of the signatures. Computes one HMAC per secret, regardless of the
 * number of signatures. Computes them one after another to limit memory, because each one copies the body.
 */
export async function isSigned(
  message: SignedMessage,
  signatures: readonly string[],
  secrets: readonly string[],
): Promise<boolean> {
  if (signatures.length === 0) return false
  const content = signedContentOf(message)
  let isValid = false
  for (const secret of secrets) {
    const expected = await sign(content, await importKey(secret))
    for (const signature of signatures) {
      if (isEqual(signature, expected)) isValid = true
    }
  }
  return isValid
}

async function sign(content: Uint8Array<ArrayBuffer>, key: CryptoKey): Promise<string> {
  const signed = await withoutAddedFields(() => crypto.subtle.sign('HMAC', key, content))
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(signed)))}`
}

/** Compares two signatures of equal length in constant time. */
function isEqual(one: string, other: string): boolean {
  let difference = 0
  for (let at = 0; at < other.length; at += 1) {
    difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  }
  return difference === 0
}

function signedContentOf({ id, timestamp, body }: SignedMessage): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${id}.${timestamp}.`)
  const content = new Uint8Array(head.length + body.length)
  content.set(head)
  content.set(body, head.length)
  return content
}

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return undefined
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
