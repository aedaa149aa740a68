import { invalidFileError } from '../archive/errors.ts'

/** The position of runs in a page, and the bit width of their numbers. */
interface Runs {
  page: Uint8Array
  start: number
  width: number
}

/**
 * Checks runs of `count` numbers in Parquet's "RLE / bit-packing hybrid" encoding, and returns how many of the numbers
 * equal `target`.
 *
 * @throws {ParquetError} when a run's header is invalid, or when a run is longer than `count` or the page.
 */
export function countInRuns({ page, start, width }: Runs, count: number, target?: number): number {
  let at = start
  let left = count
  let found = 0
  while (left > 0) {
    const { header, end } = readRunHeader(page, at)
    const isPacked = (header & 1) === 1
    const length = isPacked ? (header >>> 1) * 8 : header >>> 1
    const size = isPacked ? packedSize(header >>> 1, width, page.length - end) : (width + 7) >> 3
    // Padding fills the last group of eight packed numbers.
    const isTooLong = isPacked ? width === 0 && length >= left + 8 : length > left
    if (isTooLong || end + size > page.length)
      throw invalidFileError('a run is longer than its page')
    const values = Math.min(length, left)
    if (target !== undefined && isPacked) {
      found += countPacked({ page, start: end, width }, values, target)
    } else if (page[end] === target) found += values
    left -= length
    at = end + size
  }
  return found
}

/**
 * Returns the size of a bit-packed run, in bytes. Like the decoder, treats an empty run as one byte if the page has a
 * byte left.
 */
function packedSize(eights: number, width: number, left: number): number {
  return Math.max(eights * width, Math.min(1, left))
}

/** Reads a varint of at most 5 bytes. */
function readRunHeader(page: Uint8Array, start: number): { header: number; end: number } {
  let header = 0
  for (let at = start, shift = 0; at < page.length && shift < 35; at += 1, shift += 7) {
    const byte = page[at] ?? 0
    header |= (byte & 0x7f) << shift
    if (byte < 0x80) return { header, end: at + 1 }
  }
  throw invalidFileError('a run has an invalid header')
}

/** Counts the levels in a bit-packed run that equal `target`. A level spans at most two bytes. */
function countPacked({ page, start, width }: Runs, values: number, target: number): number {
  const mask = (1 << width) - 1
  let found = 0
  for (let bit = 0; bit < values * width; bit += width) {
    const at = start + (bit >> 3)
    const pair = (page[at] ?? 0) | ((page[at + 1] ?? 0) << 8)
    if (((pair >> (bit & 7)) & mask) === target) found += 1
  }
  return found
}
