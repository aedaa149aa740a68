import {
  encodings,
  list,
  pageOf,
  parquetOf,
  parquetTypes,
  type Thrift,
  varint,
  zigzag,
} from '../support/parquet/crafted-parquet.ts'

export type Bytes = Uint8Array<ArrayBuffer>

export const million = 1_000_000

export const { int32, int64, text, fixed } = parquetTypes

/** One column of one page. */
export function onePage(
  type: number,
  page: Parameters<typeof pageOf>[0],
  rows = page.count,
): Bytes {
  return parquetOf(rows, [{ type, pages: pageOf(page) }])
}

/** A delta encoding: sizes of blocks, number of miniblocks and of values, the first value, then its blocks. */
export function delta(
  block: number,
  miniblocks: number,
  count: number,
  ...rest: number[]
): number[] {
  return [...varint(block), ...varint(miniblocks), ...varint(count), ...zigzag(7), ...rest]
}

/** Blocks of one difference, which take 5 bytes for each 65,536 values. */
export function constant(count: number, difference = 0): number[] {
  const blocks = Math.ceil((count - 1) / 65_536)
  const block = [...zigzag(difference), 0]
  return delta(65_536, 1, count, ...Array.from({ length: blocks }, () => block).flat())
}

export function nestedLists(depth: number, announced: number): Thrift {
  let value: Thrift = list([], announced)
  for (let at = 0; at < depth; at += 1) value = list([value], announced)
  return value
}

export const oneRun = (count: number, value = 0) => [...varint(count * 2), value]

/** Snappy literals whose length is written in 4 bytes, which go back where it is read as a negative number. */
export const backwardSnappy = [5, 0xfc, 0xfa, 0xff, 0xff, 0xff, 1, 2, 3, 4, 5, 6, 7]

export const overlong = [...Array.from({ length: 300_000 }, () => 0x80), 0]

/** Two values of a delta encoding, then the second one again and again: one block of 32,768 differences of 18 bits. */
export function delta16(first: number, second: number, count: number): number[] {
  const step = second - first
  const smallest = Math.min(step, 0)
  const width = 18
  const block = new Uint8Array((32_768 * width) / 8)
  const set = (at: number, value: number) => {
    for (let bit = 0; bit < width; bit += 1) {
      const place = at * width + bit
      if ((value >> bit) & 1) block[place >> 3] = (block[place >> 3] ?? 0) | (1 << (place & 7))
    }
  }
  set(0, step - smallest)
  for (let at = 1; at < count - 1; at += 1) set(at, -smallest)
  return [
    ...varint(32_768),
    ...varint(1),
    ...varint(count),
    ...zigzag(first),
    ...zigzag(smallest),
    width,
    ...block,
  ]
}

/** A file of one column whose pages are many bytes. */
export function bigChunk(pages: Uint8Array): Bytes {
  const small = parquetOf(1, [{ type: int32, at: 4, length: pages.length }])
  const file = new Uint8Array(small.length + pages.length)
  file.set(small.subarray(0, 4))
  file.set(pages, 4)
  file.set(small.subarray(4), 4 + pages.length)
  return file
}

export const many = Array.from({ length: 40 }, (_, at) => at)

export const shared = pageOf({
  count: 4 * million,
  encoding: encodings.delta,
  body: constant(4 * million),
})
