import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import * as fc from 'fast-check'
import { ArchiveError, ParquetArchive, tables } from '../../src/parquet/index.ts'
import { archiveOf } from '../../test/support/parquet/archives.ts'
import {
  binary,
  bool,
  type CraftedColumn,
  i32,
  i64,
  list,
  pageOf,
  parquetOf,
  struct,
  type Thrift,
  varint,
  zigzag,
} from '../../test/support/parquet/crafted-parquet.ts'
import { changeBytes, someChanges } from './changes.ts'
import { ensure, expectKind, type Target, target } from './target.ts'

/** Small limits, so that random input exceeds them. */
const limits = {
  maxTableBytes: 1 << 22,
  maxTableRows: 100_000,
  maxGroupRows: 50_000,
  maxGroupBytes: 1 << 24,
}

const oddNumbers = [-1, -(2 ** 31), 0, 1, 7, 31, 127, 128, 65_535, 50_001, 2 ** 30, 2 ** 31 - 1]
const odd = fc.oneof(fc.constantFrom(...oddNumbers), fc.integer({ min: -300, max: 300 }))

/** Returns mostly valid values, so that the decoder does not fail at the first one. */
function mostly<T>(valid: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 15, arbitrary: valid }, { weight: 1, arbitrary: other })
}

function rarely<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof(
    { weight: 15, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: value },
  )
}

/** Any Thrift value, with any nesting. The length of a list may be wrong. */
const anyThrift = fc.letrec<{ value: Thrift }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.boolean().map(bool),
    odd.map(i32),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(i64),
    fc.uint8Array({ maxLength: 20 }).map(binary),
    fc.record({ type: fc.nat(15), bytes: fc.array(fc.nat(255), { maxLength: 12 }) }),
    fc
      .tuple(fc.array(tie('value'), { maxLength: 4 }), rarely(fc.nat(2 ** 30)))
      .map(([elements, announced]) => list(elements, announced)),
    fc
      .dictionary(fc.integer({ min: 1, max: 20 }).map(String), tie('value'), { maxKeys: 4 })
      .map(struct),
  ),
})).value

const anyFields = fc.dictionary(fc.integer({ min: 1, max: 12 }).map(String), anyThrift, {
  minKeys: 1,
  maxKeys: 2,
})

const bytes = fc.array(fc.nat(255), { maxLength: 64 })

/** RLE runs and bit-packed groups of small numbers. */
const runs = fc
  .array(fc.tuple(mostly(fc.nat(40), fc.nat(2 ** 31)), fc.array(fc.nat(3), { maxLength: 3 })), {
    maxLength: 4,
  })
  .map((found) => found.flatMap(([header, content]) => [...varint(header), ...content]))

/** A delta encoding, mostly of the given number of values. Its sizes may be wrong. */
const delta = (values: number) =>
  fc
    .record({
      block: mostly(fc.constantFrom(128, 256, 2048, 65_536), fc.nat(2 ** 32)),
      miniblocks: mostly(fc.constantFrom(1, 2, 4), fc.nat(2 ** 32)),
      count: mostly(fc.constant(Math.max(0, values)), fc.nat(2 ** 32)),
      first: odd,
      smallest: mostly(fc.nat(3), odd),
      widths: fc.array(mostly(fc.nat(3), fc.nat(255)), { minLength: 4, maxLength: 4 }),
      content: fc.array(fc.nat(255), { maxLength: 200 }),
    })
    .map(({ block, miniblocks, count, first, smallest, widths, content }) => [
      ...[block, miniblocks, count].flatMap(varint),
      ...[first, smallest].flatMap(zigzag),
      ...widths.slice(0, miniblocks),
      ...content,
    ])

const levels = runs.map((found) => [found.length, 0, 0, 0, ...found])

/** The parts of a page, concatenated. */
const bodyOf = (values: number) =>
  fc
    .array(
      fc.oneof(
        bytes,
        levels,
        delta(values),
        runs.map((found) => [1, ...found]),
        fc.constantFrom([2, 0, 0, 0, 0x61, 0x62], [1, 0, 0, 0, 0, 0, 0, 0]),
      ),
      { maxLength: 3 },
    )
    .map((parts) => parts.flat())

/** Encodes bytes as Snappy without compression. */
function snappy(content: number[]): Uint8Array {
  if (content.length === 0) return Uint8Array.of(0)
  const size = content.length - 1
  return Uint8Array.from([...varint(content.length), 0xf4, size & 0xff, size >> 8, ...content])
}

function compressed(codec: number, content: number[]): number[] | Uint8Array {
  const plain = Uint8Array.from(content)
  if (codec === 1) return snappy(content)
  if (codec === 2) return gzipSync(plain)
  if (codec === 4) return brotliCompressSync(plain)
  return codec === 6 ? zstdCompressSync(plain) : content
}

const page = mostly(fc.nat(30), odd).chain((count) =>
  fc.record({
    count: fc.constant(count),
    type: mostly(fc.constantFrom(0, 0, 2, 3), fc.nat(5)),
    encoding: mostly(fc.constantFrom(0, 3, 5, 6, 7, 8, 9), fc.nat(12)),
    body: bodyOf(count),
    size: rarely(odd),
    isRaw: rarely(fc.constant(true)),
    fields: fc.oneof(
      { weight: 8, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: anyFields },
    ),
  }),
)

const column = fc.record({
  type: mostly(fc.nat(7), fc.nat(9)),
  repetition: fc.nat(2),
  typeLength: rarely(odd),
  converted: fc.option(fc.nat(22), { nil: undefined }),
  logical: rarely(
    fc
      .tuple(fc.integer({ min: 1, max: 18 }), anyFields)
      .map(([field, fields]) => struct({ [field]: struct(fields) })),
  ),
  codec: mostly(fc.constantFrom(0, 0, 1, 2, 4, 6), fc.nat(9)),
  groups: fc.array(
    fc.record({
      name: fc.constantFrom('g', 'list', 'key'),
      repetition: fc.nat(2),
      converted: fc.constantFrom(undefined, 1, 3),
    }),
    { maxLength: 3 },
  ),
  isNested: fc.nat(3),
  at: rarely(odd),
  length: rarely(odd),
  statistics: rarely(anyThrift),
  pages: fc.array(page, { maxLength: 4 }),
})

type Column = typeof column extends fc.Arbitrary<infer T> ? T : never

function craftedOf({ pages, groups, isNested, typeLength, ...rest }: Column): CraftedColumn {
  const encoded = pages.map(({ body, isRaw, size = body.length, ...page }) =>
    pageOf({ ...page, size, body: isRaw ? body : compressed(rest.codec, body) }),
  )
  return {
    ...rest,
    typeLength: typeLength ?? 3,
    groups: isNested === 0 ? groups : [],
    pages: encoded.flat(),
  }
}

/** Reads files with the structure of Parquet. Any number, type, length or nesting may be wrong. */
export const parquetTarget: Target = target(
  'parquet',
  fc.record({
    rows: mostly(fc.nat(30), odd),
    columns: fc.array(column, { maxLength: 3 }),
    fields: fc.oneof(
      { weight: 20, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: anyFields },
    ),
    changes: rarely(someChanges),
  }),
  async ({ rows, columns, fields, changes }) => {
    const file = parquetOf(rows, columns.map(craftedOf), fields)
    const body = changes ? changeBytes(file, changes) : file
    const archive = ParquetArchive.from(await archiveOf({ name: '0.parquet', body }))
    let read = 0
    try {
      for await (const table of tables(archive, limits)) {
        for await (const row of table.rows()) {
          ensure(Object.keys(row).length === table.columns.length, 'a row has every column')
          read += 1
        }
        ensure(read === table.rowCount, 'the table has as many rows as it declares')
      }
    } catch (error) {
      expectKind(error, ArchiveError)
    }
    ensure(read <= limits.maxTableRows, 'the number of rows is at most the limit')
  },
)
