import type { Encoding, ParquetType } from 'hyparquet'
import { invalidFileError, unsupportedFileError } from '../archive/errors.ts'
import { checkDelta, checkDeltaByteArrays, checkDeltaLengths, type PageOffset } from './delta.ts'
import { countInRuns } from './runs.ts'

export interface ValueType {
  type: ParquetType
  /** The length of a FIXED_LEN_BYTE_ARRAY, in bytes. */
  fixedLength: number
  /** The maximum length of a BYTE_ARRAY, in bytes. */
  longest: number
}

export interface EncodedValues extends PageOffset {
  encoding: Encoding
  count: number
  /** The page version. If the bit width of dictionary references is 0, the decoder reads runs only in version 2. */
  version: 1 | 2
}

/**
 * Checks that a page contains the declared number of values. Call this function before decoding. Returns the number of
 * bytes that the decoder copies in addition to the page itself.
 */
export function checkValues(values: ValueType, encoded: EncodedValues): number {
  const { encoding, count } = encoded
  switch (encoding) {
    case 'PLAIN':
      checkPlain(values, encoded, count)
      return 0
    case 'RLE':
      if (values.type !== 'BOOLEAN') throw mismatch(encoding)
      countInRuns({ page: encoded.page, start: encoded.start + 4, width: 1 }, count)
      return 0
    case 'PLAIN_DICTIONARY':
    case 'RLE_DICTIONARY':
      checkReferences(values, encoded)
      return 0
    case 'BYTE_STREAM_SPLIT':
      checkFixed(widthOf(values), encoded, count)
      return 0
    case 'DELTA_BINARY_PACKED':
      if (values.type !== 'INT32' && values.type !== 'INT64') throw mismatch(encoding)
      checkDelta(encoded, count, values.type === 'INT32' ? 32 : 64)
      return 0
    case 'DELTA_LENGTH_BYTE_ARRAY':
      if (values.type !== 'BYTE_ARRAY') throw mismatch(encoding)
      checkDeltaLengths(encoded, count, values.longest)
      return 0
    case 'DELTA_BYTE_ARRAY':
      if (!values.type.endsWith('BYTE_ARRAY')) throw mismatch(encoding)
      return checkDeltaByteArrays(encoded, count, values.longest)
    default:
      throw unsupportedFileError('an outdated or unknown encoding')
  }
}

export function checkPlain(values: ValueType, position: PageOffset, count: number): void {
  if (values.type === 'BYTE_ARRAY') checkByteArrays(position, count, values.longest)
  else if (values.type === 'BOOLEAN') checkFixed(1, position, Math.ceil(count / 8))
  else checkFixed(widthOf(values), position, count)
}

function checkReferences(
  { type }: ValueType,
  { page, start, count, version }: EncodedValues,
): void {
  if (type === 'BOOLEAN') throw invalidFileError('a boolean column has a dictionary')
  const width = page[start]
  if (width === undefined || width > 32) throw invalidFileError('a page has an invalid bit width')
  if (width > 0 || version === 2) countInRuns({ page, start: start + 1, width }, count)
}

function checkFixed(width: number, { page, start }: PageOffset, count: number): void {
  if (start + width * count > page.length)
    throw invalidFileError('a page has fewer values than it declares')
}

/** Checks that byte arrays, each preceded by its 4-byte length, end within the page. */
function checkByteArrays({ page, start }: PageOffset, count: number, longest: number): void {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength)
  let at = start
  for (let value = 0; value < count; value += 1) {
    if (at + 4 > page.length) throw invalidFileError('a page has fewer values than it declares')
    const length = view.getUint32(at, true)
    if (length > longest) throw invalidFileError('a decimal has too many bytes')
    at += 4 + length
  }
  if (at > page.length) throw invalidFileError('a byte array is longer than its page')
}

function widthOf({ type, fixedLength }: ValueType): number {
  if (type === 'INT32' || type === 'FLOAT') return 4
  if (type === 'INT64' || type === 'DOUBLE') return 8
  if (type === 'INT96') return 12
  if (type === 'FIXED_LEN_BYTE_ARRAY') return fixedLength
  throw invalidFileError('an encoding does not match its column type')
}

function mismatch(encoding: Encoding): Error {
  return invalidFileError(`the encoding ${encoding} does not match its column type`)
}
