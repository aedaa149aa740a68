const MiB = 1024 * 1024

/** Limits for responses read into memory. Downloads are streamed and have no limits, except in `bytes()`. */
export const responseLimits = {
  /** The maximum size of a decoded body, in bytes. */
  bytes: 100 * MiB,
  /** The maximum size of an error response's body, in bytes. A larger body is dropped. */
  errorBytes: 10 * MiB,
  /** The maximum ratio of decoded to encoded size, for an encoded body with a content length. */
  expansion: 100,
  /** The decoded size up to which `expansion` is not checked, in bytes. */
  unsuspiciousBytes: 16 * MiB,
  /**
   * The maximum number of objects, arrays, fields and elements in a JSON body. Each field is counted as
   * {@link fieldWeight} values.
   */
  values: 4 * MiB,
  /** The maximum number of fields in one JSON object. Larger objects are slow to parse and check. */
  fields: 16 * 1024,
  /** The maximum nesting depth of a JSON body. */
  depth: 1000,
} as const

/** The weight of a field. Fields take far longer to parse and check than elements. */
export const fieldWeight = 7

export class BodyTooLargeError extends Error {
  /** The limit, such as `at most 100 bytes`. */
  readonly expected: string

  constructor(expected: string) {
    super(expected)
    this.expected = expected
  }
}

export interface ByteLimits {
  /** The maximum decoded size, in bytes. */
  longest: number
  /** The content length, if the body is encoded. Default: unknown. */
  encoded?: number | undefined
}

/** @throws {BodyTooLargeError} when the number of decoded bytes exceeds a limit. */
export function checkBytes(bytes: number, { longest, encoded }: ByteLimits): void {
  if (bytes > longest) throw new BodyTooLargeError(`at most ${longest} bytes`)
  const { expansion, unsuspiciousBytes } = responseLimits
  if (encoded !== undefined && bytes > unsuspiciousBytes && bytes > encoded * expansion) {
    throw new BodyTooLargeError(`at most ${expansion} times its encoded size`)
  }
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Checks JSON before it is parsed: the number of values, the fields per object and the nesting depth. Parsed objects
 * take far more memory than their JSON.
 *
 * @param text The same JSON as a string, which can be searched 15 times as fast.
 * @throws {BodyTooLargeError} when a limit is exceeded.
 */
export function checkJsonSize(json: Uint8Array, text: string): void {
  const { values, fields, depth } = responseLimits
  // Every field takes at least five bytes.
  if (json.length < fields * 5 && hasAtMost(depth, text)) return
  let found = 0
  let open = 0
  /** The number of fields in each open object. */
  const fieldsAt = new Uint32Array(depth + 2)
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]
    if (byte === quote) {
      // Skip the string inline, because a function call for each string would double the time.
      for (at += 1; at < json.length && json[at] !== quote; at += 1) {
        if (json[at] === backslash) at += 1
      }
    } else if (byte === openBracket || byte === openBrace) {
      found += 1
      open += 1
      fieldsAt[open] = 0
      checkCount(open, depth, 'levels of nesting')
    } else if (byte === closeBracket || byte === closeBrace) open -= 1
    else if (byte === comma) found += 1
    else if (byte === colon) {
      // The comma before the field, or the object's bracket, has already been counted as 1.
      found += fieldWeight - 1
      const count = (fieldsAt[open] ?? 0) + 1
      fieldsAt[open] = count
      checkCount(count, fields, 'fields per object')
    } else continue
    checkCount(found, values, 'values')
  }
}

/** Returns whether JSON has at most `limit` opening brackets and braces, counting those in strings. */
function hasAtMost(limit: number, text: string): boolean {
  let found = 0
  for (const opening of '[{') {
    for (let at = text.indexOf(opening); at !== -1; at = text.indexOf(opening, at + 1)) {
      found += 1
      if (found > limit) return false
    }
  }
  return true
}

function checkCount(found: number, most: number, things: string): void {
  if (found > most) throw new BodyTooLargeError(`at most ${most} ${things}`)
}
