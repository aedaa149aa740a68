import { invalid } from './errors.ts'

/**
 * Walks the runs in which Parquet writes small numbers of `width` bits (its "RLE / bit-packing hybrid"), until there are
 * `count` of them, and returns how many are the one `sought`.
 *
 * @throws {ParquetError} when a run stands for more numbers than are left, or ends after its page.
 */
export function countInRuns(
  page: Uint8Array,
  start: number,
  width: number,
  count: number,
  sought?: number,
): number {
  let at = start
  let left = count
  let found = 0
  while (left > 0) {
    const { header, end } = readHeader(page, at)
    const isPacked = (header & 1) === 1
    const length = isPacked ? (header >>> 1) * 8 : header >>> 1
    const size = isPacked ? packedSize(header >>> 1, width, page.length - end) : (width + 7) >> 3
    // The last of the packed eights is padded.
    const isTooLong = isPacked ? width === 0 && length >= left + 8 : length > left
    if (isTooLong || end + size > page.length) throw invalid('a run is longer than its page')
    const values = Math.min(length, left)
    if (sought !== undefined && isPacked) found += countPacked(page, end, width, values, sought)
    else if (page[end] === sought) found += values
    left -= length
    at = end + size
  }
  return found
}

/** The decoder reads a byte of an empty run, too, if there is one. */
function packedSize(eights: number, width: number, left: number): number {
  return Math.max(eights * width, Math.min(1, left))
}

/** Seven bits a byte, the lowest first. */
function readHeader(page: Uint8Array, start: number): { header: number; end: number } {
  let header = 0
  for (let at = start, shift = 0; at < page.length && shift < 35; at += 1, shift += 7) {
    const byte = page[at] ?? 0
    header |= (byte & 0x7f) << shift
    if (byte < 0x80) return { header, end: at + 1 }
  }
  throw invalid('a run has no valid header')
}

/** Levels have a few bits, so each lies in two bytes at most. */
function countPacked(
  page: Uint8Array,
  start: number,
  width: number,
  values: number,
  sought: number,
): number {
  const mask = (1 << width) - 1
  let found = 0
  for (let bit = 0; bit < values * width; bit += width) {
    const at = start + (bit >> 3)
    const pair = (page[at] ?? 0) | ((page[at + 1] ?? 0) << 8)
    if (((pair >> (bit & 7)) & mask) === sought) found += 1
  }
  return found
}
