import { toJson } from '../shared/own-fields.ts'

/**
 * Returns the key's fingerprint, a colon, and a keyed hash of the input. Field order does not matter. The id is part of
 * the hash key, so equal inputs for different ids have different hashes.
 */
export async function hashInput(input: unknown, key: string, id: string): Promise<string> {
  const [fingerprint, hash] = await Promise.all([
    sign([key], 'fingerprint'),
    sign([key, id], toJson(input, sortFields) ?? ''),
  ])
  return `${fingerprint.slice(0, 8)}:${hash}`
}

/** Returns whether two hashes prove that the inputs differ. Hashes made with different keys cannot be compared. */
export function areDifferent(one: string, other: string): boolean {
  return one !== other && fingerprintOf(one) === fingerprintOf(other)
}

function fingerprintOf(input: string): string {
  return input.slice(0, input.indexOf(':'))
}

async function sign(key: string[], text: string): Promise<string> {
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const bytes = encoder.encode(toJson(['health-lab-sdk/durable', ...key]))
  const secret = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
  const hash = await crypto.subtle.sign('HMAC', secret, encoder.encode(text))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function sortFields(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const fields = Object.entries(value)
  return Object.fromEntries(fields.sort(([one], [other]) => (one < other ? -1 : 1)))
}
