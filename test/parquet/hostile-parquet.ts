import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { numbers } from '../support/parquet/archives.ts'
import {
  binary,
  codecs,
  encodings,
  i32,
  i64,
  list,
  pageOf,
  parquetOf,
  struct,
  varint,
  withFooter,
} from '../support/parquet/crafted-parquet.ts'
import {
  type Bytes,
  backwardSnappy,
  bigChunk,
  delta,
  delta16,
  fixed,
  int32,
  int64,
  many,
  million,
  nestedLists,
  onePage,
  oneRun,
  overlong,
  shared,
  text,
} from './parquet-pages.ts'

/** Files that a reader must reject with bounded work: the name of a file, the reason, and its bytes. */
export const hostileFiles: [string, string, () => Bytes][] = [
  [
    'with a negative number of miniblocks',
    'an invalid block size',
    () =>
      onePage(int32, {
        count: 100,
        encoding: encodings.delta,
        body: delta(128, 2 ** 32 - 2, 100, 0, 0, 0, 0),
      }),
  ],
  [
    'with no miniblocks',
    'an invalid block size',
    () => onePage(int32, { count: 100, encoding: encodings.delta, body: delta(128, 0, 100, 0, 0) }),
  ],
  [
    'with a delta encoding with another number of values than its page',
    'a delta encoding and its page have different numbers of values',
    () =>
      onePage(int64, {
        count: 100,
        encoding: encodings.delta,
        body: delta(128, 4, 4 * million, 0, 0),
      }),
  ],
  [
    'with an overlong varint in a delta encoding',
    'varint that is too long',
    () =>
      onePage(
        int64,
        {
          count: 0,
          encoding: encodings.delta,
          body: [...delta(128, 4, 0).slice(0, -1), ...overlong],
        },
        1,
      ),
  ],
  [
    'with an overlong varint in its footer',
    'varint that is too long',
    () => withFooter([], [0x16, ...overlong, 0]),
  ],
  [
    'with an overlong varint in a page header',
    'varint that is too long',
    () => parquetOf(1, [{ type: int32, pages: [0x16, ...overlong, 0] }]),
  ],
  [
    'with nested lists that announce millions',
    'exceeds the remaining bytes',
    () => withFooter([], struct({ 2: nestedLists(100, 30 * million) }).bytes),
  ],
  [
    'with nested lists in a page header',
    'exceeds the remaining bytes',
    () =>
      parquetOf(1, [
        {
          type: int32,
          pages: pageOf({
            count: 1,
            body: [1, 0, 0, 0],
            fields: { 9: nestedLists(60, 30 * million) },
          }),
        },
      ]),
  ],
  [
    'with structures nested 10,000 deep',
    'nested too deeply',
    () =>
      withFooter(
        [],
        Array.from({ length: 10_000 }, () => 0x1c),
      ),
  ],
  [
    'with a footer of millions of empty structures',
    'too many values',
    () => withFooter([], [0x29, 0xfc, ...varint(1.2 * million), ...new Uint8Array(1.2 * million)]),
  ],
  [
    'with a footer longer than the file',
    'longer than the file',
    () => {
      const file = numbers(1)
      new DataView(file.buffer).setUint32(file.length - 8, 2 ** 31, true)
      return file
    },
  ],
  [
    'whose 40 columns name one chunk of 4 million values',
    'exceed',
    () =>
      parquetOf(
        4 * million,
        many.map((at) => ({
          type: int64,
          pages: at === 0 ? shared : [],
          at: 4,
          length: shared.length,
        })),
      ),
  ],
  [
    'with two columns that name one chunk',
    'overlap',
    () =>
      parquetOf(
        1,
        [0, 1].map((at) => ({
          type: int32,
          pages: at === 0 ? pageOf({ count: 1, body: [1, 0, 0, 0] }) : [],
          at: 4,
          length: 20,
        })),
      ),
  ],
  [
    'with a chunk in its footer',
    'past the start of the footer',
    () => parquetOf(1, [{ type: int32, pages: pageOf({ count: 1, body: [1, 0, 0, 0] }), at: 60 }]),
  ],
  [
    'with more columns than any table',
    'more than 1000 columns',
    () =>
      parquetOf(
        0,
        Array.from({ length: 2000 }, () => ({ type: int32 })),
      ),
  ],
  [
    'with a schema that announces more columns than it has',
    'number of columns in its schema',
    () =>
      parquetOf(1, [{ type: int32 }], {
        2: list([struct({ 4: binary('root'), 5: i32(2 ** 30) })]),
      }),
  ],
  [
    'with a decimal of 300,000 bytes',
    'decimals of more than',
    () =>
      parquetOf(1, [
        {
          type: fixed,
          typeLength: 300_000,
          converted: 5,
          pages: pageOf({ count: 1, body: new Uint8Array(300_000).fill(255) }),
        },
      ]),
  ],
  [
    'with a string of 300,000 bytes as a decimal',
    'too many bytes',
    () => {
      const body = new Uint8Array(300_004).fill(255)
      new DataView(body.buffer).setUint32(0, 300_000, true)
      return parquetOf(1, [{ type: text, converted: 5, pages: pageOf({ count: 1, body }) }])
    },
  ],
  [
    'with a UUID of any length',
    'is not 16 bytes wide',
    () => parquetOf(1, [{ type: text, logical: struct({ 14: struct({}) }) }]),
  ],
  [
    'with a VARIANT column',
    'VARIANT',
    () => parquetOf(1, [{ type: text, logical: struct({ 16: struct({}) }) }]),
  ],
  [
    'with long repeated prefixes',
    'exceed',
    () => {
      const length = 100_000
      const count = 32_768
      const prefixes = delta16(0, length, count)
      const suffixes = delta16(length, 0, count)
      const letters = new Uint8Array(length).fill(97)
      const body = [...prefixes, ...suffixes, ...letters]
      return onePage(text, { count, encoding: encodings.deltaText, body })
    },
  ],
  [
    'with a repeated beginning that is longer than the previous string',
    'shared prefix of a byte array',
    () =>
      onePage(text, {
        count: 2,
        encoding: encodings.deltaText,
        body: [...delta16(0, 50, 2), ...delta16(1, 0, 2), 97],
      }),
  ],
  [
    'with strings of negative lengths',
    'invalid length',
    () => onePage(text, { count: 2, encoding: encodings.deltaLength, body: delta16(10, -10, 2) }),
  ],
  [
    'with a run of 2 billion booleans where numbers are',
    'does not match',
    () =>
      onePage(int32, {
        type: 3,
        count: 3,
        encoding: encodings.rle,
        body: [2, ...oneRun(3), ...oneRun(2 ** 30)],
      }),
  ],
  [
    'with a run of 2 billion references',
    'longer than its page',
    () =>
      parquetOf(3, [
        {
          type: int32,
          pages: [
            ...pageOf({ type: 2, count: 1, body: [1, 0, 0, 0] }),
            ...pageOf({ count: 3, encoding: encodings.dictionary, body: [1, ...oneRun(2 ** 30)] }),
          ],
        },
      ]),
  ],
  [
    'with an empty run that hides a run of 2 billion',
    'longer than its page',
    () =>
      parquetOf(3, [
        {
          type: int32,
          pages: [
            ...pageOf({ type: 2, count: 1, body: [1, 0, 0, 0] }),
            ...pageOf({
              count: 3,
              encoding: encodings.dictionary,
              body: [1, 1, 6, ...oneRun(2 ** 30), 0],
            }),
          ],
        },
      ]),
  ],
  [
    'with references of 200 bits',
    'bit width',
    () =>
      parquetOf(3, [
        {
          type: int32,
          pages: [
            ...pageOf({ type: 2, count: 1, body: [1, 0, 0, 0] }),
            ...pageOf({
              count: 3,
              encoding: encodings.dictionary,
              body: [200, ...new Uint8Array(100)],
            }),
          ],
        },
      ]),
  ],
  [
    'with references to no dictionary',
    'no dictionary',
    () => onePage(text, { count: 3, encoding: encodings.dictionary, body: [1, ...oneRun(3)] }),
  ],
  [
    'with a dictionary of 2 billion values',
    'exceed',
    () => parquetOf(3, [{ type: int32, pages: pageOf({ type: 2, count: 2 ** 31 - 1, body: [] }) }]),
  ],
  [
    'with a dictionary of more values than bytes',
    'fewer values',
    () =>
      parquetOf(3, [{ type: int32, pages: pageOf({ type: 2, count: 1000, body: [1, 0, 0, 0] }) }]),
  ],
  [
    'with a page of more values than bytes',
    'fewer values',
    () => onePage(int32, { count: 1000, body: [1, 0, 0, 0] }),
  ],
  [
    'with a string that is longer than its page',
    'longer than its page',
    () => onePage(text, { count: 1, body: [255, 255, 255, 127] }),
  ],
  [
    'with split bytes that are missing',
    'fewer values',
    () => onePage(int32, { count: 3 * million, encoding: encodings.split, body: [1, 0, 0, 0] }),
  ],
  [
    'with a page of both versions',
    'out of range',
    () =>
      onePage(
        int32,
        {
          count: 1,
          body: [1, 0, 0, 0],
          fields: {
            5: struct({ 1: i32(2 ** 31 - 1), 2: i32(0), 3: i32(3), 4: i32(3) }),
            8: struct({ 1: i32(1), 2: i32(0), 3: i32(1), 4: i32(0), 5: i32(0), 6: i32(0) }),
          },
        },
        1,
      ),
  ],
  [
    'with a negative number of rows in a page',
    'out of range',
    () =>
      onePage(int32, {
        type: 3,
        count: 1,
        body: [1, 0, 0, 0],
        fields: {
          8: struct({ 1: i32(1), 2: i32(0), 3: i32(-5), 4: i32(0), 5: i32(0), 6: i32(0) }),
        },
      }),
  ],
  [
    'with a page that announces 2 GB',
    'exceed',
    () =>
      parquetOf(1, [
        {
          type: int32,
          codec: codecs.snappy,
          pages: pageOf({ count: 1, size: 2 ** 31 - 1, body: [1, 0] }),
        },
      ]),
  ],
  [
    'with Snappy data that goes back',
    'Snappy',
    () =>
      parquetOf(1, [
        {
          type: int32,
          codec: codecs.snappy,
          pages: pageOf({ count: 1, size: 5, body: backwardSnappy }),
        },
      ]),
  ],
  [
    'with Snappy data of more bytes than announced',
    'Snappy',
    () =>
      parquetOf(1, [
        {
          type: int32,
          codec: codecs.snappy,
          pages: pageOf({
            count: 1,
            size: 4,
            body: [4, 0, 1, ...Array.from({ length: 1000 }, () => [0xfe, 1, 0]).flat()],
          }),
        },
      ]),
  ],
  ...(
    [
      ['gzip', gzipSync],
      ['brotli', brotliCompressSync],
      ['zstd', zstdCompressSync],
    ] as const
  ).map(([codec, compress]): [string, string, () => Bytes] => [
    `with a bomb of ${codec}`,
    'cannot be decoded',
    () =>
      parquetOf(1, [
        {
          type: int32,
          codec: codecs[codec],
          pages: pageOf({ count: 1, size: 4, body: compress(new Uint8Array(5 * million)) }),
        },
      ]),
  ]),
  [
    'with 600,000 empty pages',
    'exceed',
    () => {
      const page = pageOf({ count: 0, body: [] })
      const pages = Buffer.alloc(page.length * 600_000, Buffer.from(page))
      return bigChunk(pages)
    },
  ],
  [
    'that claims more rows than any table',
    'maxTableRows',
    () =>
      parquetOf(1, [{ type: int32 }], {
        3: i64(2 ** 40),
        4: list([struct({ 1: list([]), 2: i64(0), 3: i64(2 ** 40) })]),
      }),
  ],
  [
    'with a column named __proto__',
    '__proto__',
    () => parquetOf(1, [{ name: '__proto__', type: int32 }]),
  ],
  [
    'with two columns of one name',
    'the same name',
    () =>
      parquetOf(1, [
        { name: 'mean', type: int32 },
        { name: 'mean', type: int32 },
      ]),
  ],
  [
    'with types that differ from its schema',
    'does not match the schema',
    () => {
      const column = { name: 'mean', type: int32, pages: pageOf({ count: 1, body: [1, 0, 0, 0] }) }
      const element = struct({ 1: i32(text), 3: i32(0), 4: binary('mean') })
      return parquetOf(1, [column], {
        2: list([struct({ 4: binary('root'), 5: i32(1) }), element]),
      })
    },
  ],
]
