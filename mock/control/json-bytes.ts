import { isBytes, isObject } from '../../src/shared/narrow.ts'

/**
 * The key that marks encoded bytes. The control API sends the journal's PDF and Parquet bodies as
 * `{"$bytes": "<Base64>"}`.
 */
const bytesKey = '$bytes'

/**
 * Matches keys in user data that look like the marker. Such keys get an additional `$`, so they are not decoded as
 * bytes.
 */
const ownKey = /^\$+bytes$/
const escapedKey = /^\$\$+bytes$/

/** A replacer for `JSON.stringify` that encodes bytes. */
export function encodeBytes(_: string, value: unknown): unknown {
  if (isBytes(value)) return { [bytesKey]: Buffer.from(value).toString('base64') }
  return renameKeys(value, ownKey, (key) => `$${key}`)
}

/** A reviver for `JSON.parse` that decodes bytes. */
export function decodeBytes(_: string, value: unknown): unknown {
  if (!isObject(value)) return value
  const encoded = value[bytesKey]
  if (typeof encoded === 'string') {
    return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
  }
  return renameKeys(value, escapedKey, (key) => key.slice(1))
}

function renameKeys(value: unknown, pattern: RegExp, rename: (key: string) => string): unknown {
  if (!isObject(value) || !Object.keys(value).some((key) => pattern.test(key))) return value
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([key, field]) => [pattern.test(key) ? rename(key) : key, field]),
  )
}
