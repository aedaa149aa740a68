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
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConnectionError, ServiceClient } from '../../src/index.ts'
import { ParquetArchive } from '../../src/parquet/index.ts'
import { failureOf } from '../support/failure.ts'
import { archiveFailure, archiveOf, noise, tablesOf } from '../support/parquet/archives.ts'
import {
  binary,
  codecs,
  encodings,
  pageOf,
  parquetOf,
  struct,
} from '../support/parquet/crafted-parquet.ts'
import { orderId } from '../support/samples.ts'
import { hostileFiles } from './hostile-parquet.ts'
import {
  type Bytes,
  constant,
  delta16,
  fixed,
  int32,
  int64,
  onePage,
  text,
} from './parquet-pages.ts'

async function readingOf(body: Bytes, limits = {}) {
  return tablesOf(await archiveOf({ name: '0.parquet', body }), limits)
}

describe('rejects with bounded work a Parquet file', () => {
  it.each(hostileFiles)('rejects a file %s (%s)', async (_, reason, make) => {
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
    { encoding: 'utf8', timeout: 240_000 },
  )
  expect(stderr).toBe('')
  return stdout.trim().split('\n')
}

it('rejects each hostile file in a process with a 128 MB heap', async () => {
  const path = await folder()
  const paths = hostileFiles.map((_, at) => join(path, String(at)))
  for (const [at, [, , make]] of hostileFiles.entries()) {
    await writeFile(paths[at] ?? '', await archiveOf({ name: '0.parquet', body: make() }))
  }
  const codes = readInProcess(128, paths)
  expect(codes).toHaveLength(hostileFiles.length)
  expect(new Set(codes)).toEqual(new Set(['parquet_invalid', 'archive_too_large']))
})

it('decodes a group of maxGroupBytes with little more memory than that', async () => {
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
})

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

/** The converted type of JSON. */
const json = 19

/** A file with a column of one string that is parsed to objects by other readers. */
function stringFile(converted: number, content: string): Bytes {
  const body = new Uint8Array(4 + content.length)
  new DataView(body.buffer).setUint32(0, content.length, true)
  body.set(new TextEncoder().encode(content), 4)
  const page = { count: 1, size: body.length, body: gzipSync(body, { level: 9 }) }
  return parquetOf(1, [{ type: text, converted, codec: codecs.gzip, pages: pageOf(page) }])
}

it('does not parse JSON, whose objects need many times its memory', async () => {
  const [table] = await readingOf(stringFile(json, '{"a":[{}]}'))
  expect(table?.rows).toEqual([{ c0: '{"a":[{}]}' }])
  const file = join(await folder(), 'json.tar.gz')
  const body = stringFile(json, `[${'{},'.repeat(5_000_000)}{}]`)
  await writeFile(file, await archiveOf({ name: '0.parquet', body }))
  expect(readInProcess(128, [file])).toEqual(['1 rows'])
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
    const place = join(path, 'responses.tar.gz')
    await writeFile(place, 'old')
    await chmod(place, 0o600)
    const bytes = await archiveOf({ name: '0.parquet', body: noise(100_000) })
    // The first chunk is read before the file is open, the second one while it is written.
    const chunks = [bytes.subarray(0, 1000), bytes.subarray(1000)]
    let seen: number[] = []
    const source = new ReadableStream<Bytes>(
      {
        async pull(controller) {
          seen = await Promise.all((await readdir(path)).map((name) => modeOf(join(path, name))))
          const chunk = chunks.shift()
          if (chunk) controller.enqueue(chunk)
          if (chunks.length === 0) controller.close()
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
    const place = join(await folder(), 'responses.tar.gz')
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
      await writeFile(join(path, 'responses'), 'old')
      const whole = await archiveOf({ name: '0.parquet', body: noise(5000) })
      const cut =
        end === 'gzip'
          ? whole.slice(0, -4)
          : new Uint8Array(gzipSync(gunzipSync(whole).subarray(0, -1024)))
      const error = await archiveFailure(ParquetArchive.from(cut).save(join(path, 'responses')))
      expect(error.code).toBe('archive_damaged')
      await expect(readdir(path)).resolves.toEqual(['responses'])
      await expect(readFile(join(path, 'responses'), 'utf8')).resolves.toBe('old')
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

  it.each(['9', '7'])(
    'does not save a body of 8 bytes whose content-length is %s',
    async (length) => {
      const path = await folder()
      await writeFile(join(path, 'form.pdf'), 'old')
      const { call, requests } = requisition(length)
      const error = await failureOf((await call).save(join(path, 'form.pdf')), ConnectionError)
      expect(error.outcome).toBe('unknown')
      expect(requests[0]?.headers.get('accept-encoding')).toBe('identity')
      await expect(readdir(path)).resolves.toEqual(['form.pdf'])
      await expect(readFile(join(path, 'form.pdf'), 'utf8')).resolves.toBe('old')
    },
  )

  it.each([
    ['as long as announced', '8', undefined],
    ['with the encoding identity', '8', 'Identity'],
    ['with a length that is not a number', '8, 8', undefined],
  ])('saves a body %s', async (_, length, encoding) => {
    const place = join(await folder(), 'form.pdf')
    await (await requisition(length, encoding).call).save(place)
    await expect(readFile(place, 'utf8')).resolves.toBe('%PDF-1.7')
  })
})
