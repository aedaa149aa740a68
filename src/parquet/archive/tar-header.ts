/** The size of a block in bytes. A header is one block, and an entry's content is padded to full blocks. */
export const blockSize = 512

export interface TarHeader {
  name: string
  /** A `pax` entry changes the next header; a `global` entry changes all headers after it. */
  type: 'file' | 'pax' | 'global' | 'other'
  size: number
}

/** The header fields that a pax entry can replace. Other pax fields are ignored. */
export type PaxFields = Partial<Pick<TarHeader, 'name' | 'size'>>

const types: Readonly<Record<number, TarHeader['type']>> = {
  0: 'file', // in formats before ustar
  [code('0')]: 'file',
  [code('x')]: 'pax',
  [code('g')]: 'global',
}

/** @throws {Error} when the checksum is wrong or a number is invalid. */
export function parseHeader(block: Uint8Array): TarHeader {
  if (readNumber(block, 148, 8) !== checksumOf(block)) throw new Error('wrong checksum')
  const prefix = readText(block, 257, 6) === 'ustar' ? readText(block, 345, 155) : ''
  const name = readText(block, 0, 100)
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    type: types[block[156] ?? 0] ?? 'other',
    size: readNumber(block, 124, 12),
  }
}

/**
 * Reads the records of a pax entry, such as `19 path=10.parquet\n`, in linear time.
 *
 * @throws {Error} when a record is malformed or describes a sparse file.
 */
export function parsePax(bytes: Uint8Array): PaxFields {
  const fields: PaxFields = {}
  for (let at = 0; at < bytes.length; ) {
    const digits = /^[1-9]\d{0,6} /.exec(decoder.decode(bytes.subarray(at, at + 8)))?.[0] ?? ''
    const end = at + Number(digits)
    const record = decoder.decode(bytes.subarray(at + digits.length, end))
    const [, key, value] = /^([^=]+)=(.*)\n$/s.exec(record) ?? []
    if (key === undefined || value === undefined || end > bytes.length) {
      throw new Error('malformed pax record')
    }
    if (key.startsWith('GNU.sparse.')) throw new Error('sparse file')
    if (key === 'path') fields.name = value
    if (key === 'size') fields.size = toSize(/^\d+$/.test(value) ? Number(value) : Number.NaN)
    at = end
  }
  return fields
}

export function isZero(block: Uint8Array): boolean {
  return block.every((byte) => byte === 0)
}

const decoder = new TextDecoder()

function code(character: string): number {
  return character.charCodeAt(0)
}

/** Returns the sum of a header's bytes, with spaces in place of the checksum itself. */
function checksumOf(block: Uint8Array): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? code(' ') : byte), 0)
}

function readText(block: Uint8Array, start: number, length: number): string {
  const field = block.subarray(start, start + length)
  const end = field.indexOf(0)
  return decoder.decode(end < 0 ? field : field.subarray(0, end))
}

/** Reads a number: octal digits, or binary if the first bit is set. */
function readNumber(block: Uint8Array, start: number, length: number): number {
  const [first = 0, ...rest] = block.subarray(start, start + length)
  if (first >= 0x80) return toSize(rest.reduce((sum, byte) => sum * 256 + byte, first & 0x7f))
  const digits = readText(block, start, length).trim()
  return toSize(/^[0-7]*$/.test(digits) ? Number.parseInt(`0${digits}`, 8) : Number.NaN)
}

function toSize(value: number): number {
  if (Number.isSafeInteger(value)) return value
  throw new Error('a number is invalid')
}
