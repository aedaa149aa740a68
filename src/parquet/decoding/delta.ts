import { deltaBinaryUnpack } from 'hyparquet/src/delta.js'
import { invalidFileError, unsupportedFileError } from '../archive/errors.ts'
import { parquetBounds } from '../archive/limits.ts'

export interface PageOffset {
  page: Uint8Array
  start: number
}

/**
 * Checks DELTA_BINARY_PACKED data with `count` values and returns the offset after it. The decoder does not check block
 * and miniblock sizes, and would loop forever on a negative size.
 */
export function checkDelta({ page, start }: PageOffset, count: number, bits: 32 | 64): number {
  const reader = { page, offset: start }
  const block = readVarint(reader)
  const miniblocks = readVarint(reader)
  const total = readVarint(reader)
  const first = readVarint(reader)
  // DuckDB writes unsigned 32-bit values in 33 bits. The decoder ignores the extra bit.
  if (bits === 32 && first > 0xffff_ffff) {
    throw unsupportedFileError('a delta encoding whose first value has more than 32 bits')
  }
  const size = block / miniblocks
  if (!(block <= parquetBounds.deltaBlock && size > 0 && size % 32 === 0)) {
    throw invalidFileError('a delta encoding has an invalid block size')
  }
  if (total !== count)
    throw invalidFileError('a delta encoding and its page have different numbers of values')
  let left = count - 1
  while (left > 0) left = checkBlock(reader, miniblocks, size, left)
  return reader.offset
}

/** Checks a block and returns the number of values left after it. */
function checkBlock(reader: Reader, miniblocks: number, size: number, values: number): number {
  readVarint(reader) // the smallest difference
  const widths = reader.page.subarray(reader.offset, reader.offset + miniblocks)
  if (widths.length < miniblocks) throw truncated()
  reader.offset += miniblocks
  let left = values
  for (const width of widths) {
    if (left <= 0) break
    if (width > 64) throw invalidFileError('a delta encoding has an invalid bit width')
    reader.offset += (size * width) / 8
    if (reader.offset > reader.page.length) throw truncated()
    left -= size
  }
  return left
}

/** Checks DELTA_LENGTH_BYTE_ARRAY data and returns the total length of the byte arrays. */
export function checkDeltaLengths(position: PageOffset, count: number, longest: number): number {
  const { lengths, end } = readLengths(position, count)
  const total = lengths.reduce((sum, length) => sum + checkByteLength(length, longest), 0)
  if (end + total > position.page.length) throw truncated()
  return total
}

/**
 * Checks DELTA_BYTE_ARRAY data, in which a byte array may share a prefix with the previous one. Returns the total
 * decoded length.
 */
export function checkDeltaByteArrays(
  { page, start }: PageOffset,
  count: number,
  longest: number,
): number {
  const prefixes = readLengths({ page, start }, count)
  const suffixes = readLengths({ page, start: prefixes.end }, count)
  let suffixBytes = 0
  let total = 0
  let last = 0
  for (const [at, prefix] of prefixes.lengths.entries()) {
    const suffix = checkByteLength(suffixes.lengths[at] ?? 0, longest)
    if (checkByteLength(prefix, longest) > last)
      throw invalidFileError(
        'the shared prefix of a byte array is longer than the previous byte array',
      )
    suffixBytes += suffix
    last = checkByteLength(prefix + suffix, longest)
    total += last
  }
  if (suffixes.end + suffixBytes > page.length) throw truncated()
  return total
}

function readLengths(
  { page, start }: PageOffset,
  count: number,
): { lengths: Int32Array; end: number } {
  const end = checkDelta({ page, start }, count, 32)
  const lengths = new Int32Array(count)
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength)
  deltaBinaryUnpack({ view, offset: start }, count, lengths)
  return { lengths, end }
}

function checkByteLength(length: number, longest: number): number {
  if (length >= 0 && length <= longest) return length
  throw invalidFileError('a byte array has an invalid length')
}

interface Reader {
  page: Uint8Array
  offset: number
}

/** Reads a varint of at most 10 bytes. Values of more than 53 bits lose precision. */
function readVarint(reader: Reader): number {
  let value = 0
  for (let at = 0; at < 10; at += 1) {
    const byte = reader.page[reader.offset]
    if (byte === undefined) throw truncated()
    reader.offset += 1
    value += (byte & 0x7f) * 2 ** (7 * at)
    if (byte < 0x80) return value
  }
  throw invalidFileError('a delta encoding has a varint that is too long')
}

function truncated(): Error {
  return invalidFileError('a page is truncated')
}
