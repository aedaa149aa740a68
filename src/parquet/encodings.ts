import type { Encoding, ParquetType } from 'hyparquet'
import { checkDelta, checkDeltaLengths, checkDeltaTexts, type Place } from './delta.ts'
import { invalid, unsupported } from './errors.ts'
import { countInRuns } from './runs.ts'

/** What the values of a column are. */
export interface Values {
  type: ParquetType
  /** The length of each FIXED_LEN_BYTE_ARRAY, in bytes. */
  fixedLength: number
  /** The greatest length of a BYTE_ARRAY, in bytes. */
  longest: number
}

/** Where values are in a page, and how they are written. */
export interface Written extends Place {
  encoding: Encoding
  count: number
  /** Pages of version 1 leave out the runs of a dictionary with a single value. */
  version: 1 | 2
}

/**
 * Checks encoded values before they are decoded: they must lie in their page and be as many as it announces. Returns how
 * many bytes the decoder copies beyond those of the page.
 */
export function checkValues(values: Values, written: Written): number {
  const { encoding, count } = written
  switch (encoding) {
    case 'PLAIN':
      checkPlain(values, written, count)
      return 0
    case 'RLE':
      if (values.type !== 'BOOLEAN') throw mismatch(encoding)
      countInRuns(written.page, written.start + 4, 1, count)
      return 0
    case 'PLAIN_DICTIONARY':
    case 'RLE_DICTIONARY':
      checkReferences(values, written)
      return 0
    case 'BYTE_STREAM_SPLIT':
      checkFixed(widthOf(values), written, count)
      return 0
    case 'DELTA_BINARY_PACKED':
      if (values.type !== 'INT32' && values.type !== 'INT64') throw mismatch(encoding)
      checkDelta(written, count)
      return 0
    case 'DELTA_LENGTH_BYTE_ARRAY':
      if (values.type !== 'BYTE_ARRAY') throw mismatch(encoding)
      checkDeltaLengths(written, count, values.longest)
      return 0
    case 'DELTA_BYTE_ARRAY':
      if (!values.type.endsWith('BYTE_ARRAY')) throw mismatch(encoding)
      return checkDeltaTexts(written, count, values.longest)
    default:
      throw unsupported('an outdated or unknown encoding')
  }
}

/** Checks `count` plain values, as in a dictionary. */
export function checkPlain(values: Values, place: Place, count: number): void {
  if (values.type === 'BYTE_ARRAY') checkTexts(place, count, values.longest)
  else if (values.type === 'BOOLEAN') checkFixed(1, place, Math.ceil(count / 8))
  else checkFixed(widthOf(values), place, count)
}

function checkReferences({ type }: Values, { page, start, count, version }: Written): void {
  if (type === 'BOOLEAN') throw invalid('booleans are written with a dictionary')
  const width = page[start]
  if (width === undefined || width > 32) throw invalid('a page has an invalid bit width')
  if (width > 0 || version === 2) countInRuns(page, start + 1, width, count)
}

function checkFixed(width: number, { page, start }: Place, count: number): void {
  if (start + width * count > page.length) throw invalid('a page has fewer values than announced')
}

/** Each text follows its length in 4 bytes. */
function checkTexts({ page, start }: Place, count: number, longest: number): void {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength)
  let at = start
  for (let value = 0; value < count; value += 1) {
    if (at + 4 > page.length) throw invalid('a page has fewer values than announced')
    const length = view.getUint32(at, true)
    if (length > longest) throw invalid('a decimal has too many bytes')
    at += 4 + length
  }
  if (at > page.length) throw invalid('a text is longer than its page')
}

function widthOf({ type, fixedLength }: Values): number {
  if (type === 'INT32' || type === 'FLOAT') return 4
  if (type === 'INT64' || type === 'DOUBLE') return 8
  if (type === 'INT96') return 12
  if (type === 'FIXED_LEN_BYTE_ARRAY') return fixedLength
  throw invalid('an encoding does not match the type of its column')
}

function mismatch(encoding: Encoding): Error {
  return invalid(`the encoding ${encoding} does not match the type of its column`)
}
