import { spawnSync } from 'node:child_process'
import {
  chmod,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConnectionError, ServiceClient } from '../../src/index.ts'
import { ParquetArchive } from '../../src/parquet/index.ts'
import { archiveFailure, archiveOf, noise, numbers, tablesOf } from '../support/archives.ts'
import {
  binary,
  codecs,
  encodings,
  i32,
  i64,
  list,
  pageOf,
  parquetOf,
  parquetTypes,
  struct,
  type Thrift,
  varint,
  withFooter,
  zigzag,
} from '../support/crafted-parquet.ts'
import { failureOf } from '../support/failure.ts'
import { orderId } from '../support/samples.ts'

type Bytes = Uint8Array<ArrayBuffer>

const million = 1_000_000
const { int32, int64, text, fixed } = parquetTypes

async function readingOf(body: Bytes, limits = {}) {
  return tablesOf(await archiveOf({ name: '0.parquet', body }), limits)
}

/** One column of one page. */
function onePage(type: number, page: Parameters<typeof pageOf>[0], rows = page.count): Bytes {
  return parquetOf(rows, [{ type, pages: pageOf(page) }])
}

/** A delta encoding: sizes of blocks, number of miniblocks and of values, the first value, then its blocks. */
function delta(block: number, miniblocks: number, count: number, ...rest: number[]): number[] {
  return [...varint(block), ...varint(miniblocks), ...varint(count), ...zigzag(7), ...rest]
}

/** Blocks of one difference, which take 5 bytes for each 65,536 values. */
function constant(count: number, difference = 0): number[] {
  const blocks = Math.ceil((count - 1) / 65_536)
  const block = [...zigzag(difference), 0]
  return delta(65_536, 1, count, ...Array.from({ length: blocks }, () => block).flat())
}

function nestedLists(depth: number, announced: number): Thrift {
  let value: Thrift = list([], announced)
  for (let at = 0; at < depth; at += 1) value = list([value], announced)
  return value
}

const oneRun = (count: number, value = 0) => [...varint(count * 2), value]

/** Snappy literals whose length is written in 4 bytes, which go back where it is read as a negative number. */
const backwardSnappy = [5, 0xfc, 0xfa, 0xff, 0xff, 0xff, 1, 2, 3, 4, 5, 6, 7]

const overlong = [...Array.from({ length: 300_000 }, () => 0x80), 0]

/** Two values of a delta encoding, then the second one again and again: one block of 32,768 differences of 18 bits. */
function delta16(first: number, second: number, count: number): number[] {
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
function bigChunk(pages: Uint8Array): Bytes {
  const small = parquetOf(1, [{ type: int32, at: 4, length: pages.length }])
  const file = new Uint8Array(small.length + pages.length)
  file.set(small.subarray(0, 4))
  file.set(pages, 4)
  file.set(small.subarray(4), 4 + pages.length)
  return file
}

const many = Array.from({ length: 40 }, (_, at) => at)
const shared = pageOf({
  count: 4 * million,
  encoding: encodings.delta,
  body: constant(4 * million),
})
const cases: [string, string, () => Bytes][] = [
  [
    'with a negative number of miniblocks',
    'blocks of an invalid size',
    () =>
      onePage(int32, {
        count: 100,
        encoding: encodings.delta,
        body: delta(128, 2 ** 32 - 2, 100, 0, 0, 0, 0),
      }),
  ],
  [
    'with no miniblocks',
    'blocks of an invalid size',
    () => onePage(int32, { count: 100, encoding: encodings.delta, body: delta(128, 0, 100, 0, 0) }),
  ],
  [
    'with a delta encoding with another number of values than its page',
    'number of values in a delta encoding',
    () =>
      onePage(int64, {
        count: 100,
        encoding: encodings.delta,
        body: delta(128, 4, 4 * million, 0, 0),
      }),
  ],
  [
    'with an overlong varint in a delta encoding',
    'too many bytes',
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
    'too many bytes',
    () => withFooter([], [0x16, ...overlong, 0]),
  ],
  [
    'with an overlong varint in a page header',
    'too many bytes',
    () => parquetOf(1, [{ type: int32, pages: [0x16, ...overlong, 0] }]),
  ],
  [
    'with nested lists that announce millions',
    'longer than its bytes',
    () => withFooter([], struct({ 2: nestedLists(100, 30 * million) }).bytes),
  ],
  [
    'with nested lists in a page header',
    'longer than its bytes',
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
    'before the footer',
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
    'does not have 16 bytes',
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
    'impossible count',
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
    'impossible count',
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
    'differs from the schema',
    () => {
      const column = { name: 'mean', type: int32, pages: pageOf({ count: 1, body: [1, 0, 0, 0] }) }
      const element = struct({ 1: i32(text), 3: i32(0), 4: binary('mean') })
      return parquetOf(1, [column], {
        2: list([struct({ 4: binary('root'), 5: i32(1) }), element]),
      })
    },
  ],
]

describe('rejects with bounded work a Parquet file', () => {
  it.each(cases)('%s (%s)', async (_, reason, make) => {
    const error = await archiveFailure(readingOf(make()))
    expect(error.code).toBe(
      reason === 'exceed' || reason.startsWith('max') ? 'archive_too_large' : 'parquet_invalid',
    )
    expect(error.message).toContain('0.parquet')
    expect(error.message).toContain(reason)
  })
})

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'attacks-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

/** Reads archives in a process with a heap of so many megabytes; gives what it prints of each. */
function readInProcess(heap: number, paths: string[], limits: object = {}): string[] {
  const program = `
    import { openAsBlob } from 'node:fs'
    import { ParquetArchive, tables } from './src/parquet/index.ts'
    for (const path of ${JSON.stringify(paths)}) {
      try {
        let rows = 0
        const archive = ParquetArchive.from(await openAsBlob(path))
        for await (const table of tables(archive, ${JSON.stringify(limits)})) {
          for await (const _ of table.rows()) rows += 1
        }
        console.log(rows + ' rows')
      } catch (error) {
        console.log(error.code)
      }
    }`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [`--max-old-space-size=${heap}`, '--input-type=module-typescript', '--eval', program],
    { encoding: 'utf8', timeout: 100_000 },
  )
  expect(stderr).toBe('')
  return stdout.trim().split('\n')
}

it('rejects each of them in a process with a heap of 128 MB', async () => {
  const path = await folder()
  const paths = cases.map((_, at) => join(path, String(at)))
  for (const [at, [, , make]] of cases.entries()) {
    await writeFile(paths[at] ?? '', await archiveOf({ name: '0.parquet', body: make() }))
  }
  const codes = readInProcess(128, paths)
  expect(codes).toHaveLength(cases.length)
  expect(new Set(codes)).toEqual(new Set(['parquet_invalid', 'archive_too_large']))
}, 120_000)

it('decodes a group of maxGroupBytes in little more memory', async () => {
  const count = 300_000
  const time = { 8: struct({ 1: { type: 1, bytes: [] }, 2: struct({ 1: struct({}) }) }) }
  // Every time is in its own hour, so that no part of its string is shared.
  const body = constant(count, 3_600_000)
  const pages = pageOf({ count, encoding: encodings.delta, body })
  const column = { type: int64, logical: struct(time), pages }
  const file = join(await folder(), 'times.tar.gz')
  await writeFile(file, await archiveOf({ name: '0.parquet', body: parquetOf(count, [column]) }))
  expect(readInProcess(128, [file], { maxGroupBytes: 64 * 1024 * 1024 })).toEqual([`${count} rows`])
  expect(readInProcess(128, [file], { maxGroupBytes: 16 * 1024 * 1024 })).toEqual([
    'archive_too_large',
  ])
}, 120_000)

it('does not decode statistics, which may be decimals of any length', async () => {
  const statistics = struct({ 5: binary(new Uint8Array(300_000).fill(255)) })
  const column = {
    type: fixed,
    typeLength: 1,
    converted: 5,
    pages: pageOf({ count: 1, body: [7] }),
    statistics,
  }
  const [table] = await readingOf(parquetOf(1, [column]))
  expect(table?.rows).toEqual([{ c0: 7 }])
})

describe('reads unusual files', () => {
  it('millions of values in a few bytes, within the limits', async () => {
    const count = 100_000
    const body = onePage(int64, { count, encoding: encodings.delta, body: constant(count, 1) })
    const [table] = await readingOf(body)
    expect(body.length).toBeLessThan(300)
    expect(table?.rows.at(-1)).toEqual({ c0: count + 6 })
  })

  it('a column named constructor', async () => {
    const pages = pageOf({ count: 1, body: [1, 0, 0, 0] })
    const [table] = await readingOf(parquetOf(1, [{ name: 'constructor', type: int32, pages }]))
    expect(table?.rows).toEqual([{ constructor: 1 }])
  })

  it('strings that repeat the beginning of the previous one', async () => {
    const body = [...delta16(0, 2, 2), ...delta16(3, 1, 2), ...new TextEncoder().encode('abcd')]
    const [table] = await readingOf(
      onePage(text, { count: 2, encoding: encodings.deltaText, body }),
    )
    expect(table?.rows).toEqual([{ c0: 'abc' }, { c0: 'abd' }])
  })
})

describe('save', () => {
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777

  it('keeps a file with mode 0600 private during and after saving', async () => {
    const path = await folder()
    const place = join(path, 'answers.tar.gz')
    await writeFile(place, 'old')
    await chmod(place, 0o600)
    const bytes = await archiveOf({ name: '0.parquet', body: noise(100_000) })
    const seen: number[] = []
    const source = new ReadableStream<Bytes>(
      {
        async pull(controller) {
          for (const name of await readdir(path)) seen.push(await modeOf(join(path, name)))
          controller.enqueue(bytes)
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    await ParquetArchive.from(source).save(place)
    expect(seen).toHaveLength(2)
    expect(new Set([...seen, await modeOf(place)])).toEqual(new Set([0o600]))
    expect((await readFile(place)).equals(bytes)).toBe(true)
  })

  it.each([0o400, 0o640, 0o664, 0o666])('keeps the permissions %o of a file', async (mode) => {
    const place = join(await folder(), 'answers.tar.gz')
    await writeFile(place, 'old')
    await chmod(place, mode)
    await ParquetArchive.from(await archiveOf({ name: '0.parquet' })).save(place)
    await expect(modeOf(place)).resolves.toBe(mode)
  })

  it('gives a new file the default permissions of the process', async () => {
    const path = await folder()
    await writeFile(join(path, 'other'), '')
    await ParquetArchive.from(await archiveOf({ name: '0.parquet' })).save(join(path, 'new'))
    await expect(modeOf(join(path, 'new'))).resolves.toBe(await modeOf(join(path, 'other')))
  })

  it('keeps the permissions of the target of a link', async () => {
    const path = await folder()
    await writeFile(join(path, 'there'), 'old')
    await chmod(join(path, 'there'), 0o600)
    await symlink('there', join(path, 'here'))
    await ParquetArchive.from(await archiveOf({ name: '0.parquet' })).save(join(path, 'here'))
    await expect(modeOf(join(path, 'there'))).resolves.toBe(0o600)
    expect((await lstat(join(path, 'here'))).isSymbolicLink()).toBe(true)
  })

  it('does not replace a link without a target', async () => {
    const path = await folder()
    await symlink('missing', join(path, 'here'))
    const archive = ParquetArchive.from(await archiveOf({ name: '0.parquet' }))
    await expect(archive.save(join(path, 'here'))).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(readdir(path)).resolves.toEqual(['here'])
  })

  it.each(['tar', 'gzip'])(
    'keeps the old file when the archive lacks the end of its %s',
    async (end) => {
      const path = await folder()
      await writeFile(join(path, 'answers'), 'old')
      const whole = await archiveOf({ name: '0.parquet', body: noise(5000) })
      const cut =
        end === 'gzip'
          ? whole.slice(0, -4)
          : new Uint8Array(gzipSync(gunzipSync(whole).subarray(0, -1024)))
      const error = await archiveFailure(ParquetArchive.from(cut).save(join(path, 'answers')))
      expect(error.code).toBe('archive_damaged')
      await expect(readdir(path)).resolves.toEqual(['answers'])
      await expect(readFile(join(path, 'answers'), 'utf8')).resolves.toBe('old')
    },
  )

  const requisition = (length: string, encoding?: string) => {
    const requests: Request[] = []
    const headers = new Headers({ 'content-type': 'application/pdf', 'content-length': length })
    if (encoding) headers.set('content-encoding', encoding)
    const fetch = async (request: Request) => {
      requests.push(request)
      return new Response('%PDF-1.7', { headers })
    }
    const client = new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test', fetch })
    return { call: client.orders.downloadRequisition(orderId), requests }
  }

  it.each(['9', '7'])('saves no body of 8 bytes that is announced with %s', async (length) => {
    const path = await folder()
    await writeFile(join(path, 'form.pdf'), 'old')
    const { call, requests } = requisition(length)
    const error = await failureOf((await call).save(join(path, 'form.pdf')), ConnectionError)
    expect(error.outcome).toBe('unknown')
    expect(requests[0]?.headers.get('accept-encoding')).toBe('identity')
    await expect(readdir(path)).resolves.toEqual(['form.pdf'])
    await expect(readFile(join(path, 'form.pdf'), 'utf8')).resolves.toBe('old')
  })

  it.each([
    ['as long as announced', '8', undefined],
    ['whose length was announced before it was decoded', '5', 'gzip'],
    ['with a length that is not a number', '8, 8', undefined],
  ])('saves a body %s', async (_, length, encoding) => {
    const place = join(await folder(), 'form.pdf')
    await (await requisition(length, encoding).call).save(place)
    await expect(readFile(place, 'utf8')).resolves.toBe('%PDF-1.7')
  })
})
