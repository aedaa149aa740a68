import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ArchiveError, type ArchiveErrorCode, ParquetArchive } from '../../src/parquet/index.ts'
import { runsOf } from '../support/long-tests.ts'
import {
  archiveFailure,
  archiveOf,
  filesOf,
  gzipOf,
  noise,
  numbers,
  tablesOf,
  tarOf,
} from '../support/parquet/archives.ts'
import { type CraftedEntry, craftTar, paxRecord } from '../support/parquet/crafted-tar.ts'
import { fc } from '../support/properties.ts'

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'archive-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

/** The bytes in chunks of a size, and whether the stream was cancelled. */
function streamOf(bytes: Uint8Array<ArrayBuffer>, chunk: number, end: () => void = () => {}) {
  let at = 0
  let isCancelled = false
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        if (at >= bytes.byteLength) {
          end()
          return controller.close()
        }
        controller.enqueue(bytes.slice(at, at + chunk))
        at += chunk
      },
      cancel() {
        isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, isCancelled: () => isCancelled, read: () => at }
}

it('returns files with their numbers, names and sizes', async () => {
  const bytes = await archiveOf({ name: '0.parquet', body: 'zero' }, { name: '1.parquet' })
  const seen: object[] = []
  for await (const { query, name, size } of ParquetArchive.from(bytes).files()) {
    seen.push({ query, name, size })
  }
  expect(seen).toEqual([
    { query: 0, name: '0.parquet', size: 4 },
    { query: 1, name: '1.parquet', size: 0 },
  ])
})

it('reads bytes, a blob and a stream in chunks of any size', async () => {
  const bytes = await archiveOf({ name: '0.parquet', body: noise(5000) }, { name: '1.parquet' })
  for (const source of [bytes, new Blob([bytes]), streamOf(bytes, 1).stream]) {
    const sizes: number[] = []
    for await (const file of ParquetArchive.from(source).files()) {
      sizes.push((await file.bytes()).byteLength)
    }
    expect(sizes).toEqual([5000, 0])
  }
})

it('returns no files for an empty archive', async () => {
  await expect(filesOf(await archiveOf())).resolves.toEqual([])
})

it.each([
  ['in their order', (names: number[]) => names],
  ['in the order of strings', (names: number[]) => names.map(String).sort().map(Number)],
  ['backwards', (names: number[]) => names.toReversed()],
])('returns file 10 after file 9 when the archive has them %s', async (_, order) => {
  const queries = Array.from({ length: 12 }, (_, query) => query)
  const entries = order(queries).map((query) => ({ name: `${query}.parquet`, body: `${query}` }))
  const files = await filesOf(await archiveOf(...entries))
  expect(files).toEqual(queries.map((query) => [`${query}.parquet`, `${query}`]))
})

it('skips the unread rest of a file, and rejects reading it later', async () => {
  const body = noise(300_000)
  const bytes = await archiveOf(
    { name: '0.parquet', body },
    { name: '1.parquet', body },
    { name: '2.parquet', body: 'two' },
  )
  const files = ParquetArchive.from(bytes).files()
  const first = (await files.next()).value
  await first?.stream.getReader().read()
  const second = (await files.next()).value
  const third = (await files.next()).value
  await expect(second?.bytes()).rejects.toThrow('before you request the next one')
  expect(new TextDecoder().decode(await third?.bytes())).toBe('two')
})

it.each(['bytes', 'save'] as const)(
  'rejects %s if the loop ends before the file is read',
  async (method) => {
    const bytes = await archiveOf({ name: '0.parquet', body: noise(100_000) })
    const path = join(await folder(), 'first.parquet')
    const read = async () => {
      for await (const file of ParquetArchive.from(bytes).files()) return file[method](path)
    }
    await expect(read()).rejects.toThrow(
      new TypeError('The file was skipped. Read each file before you request the next one'),
    )
    await expect(readFile(path)).rejects.toThrow('ENOENT')
  },
)

it('frees the source when the loop ends early', async () => {
  const bytes = await archiveOf(
    { name: '0.parquet', body: noise(3_000_000) },
    { name: '1.parquet' },
  )
  const source = streamOf(bytes, 1000)
  for await (const _ of ParquetArchive.from(source.stream).files()) break
  await expect.poll(source.isCancelled).toBe(true)
  expect(source.read()).toBeLessThan(bytes.byteLength)
})

it('frees a stalled source when the loop ends', async () => {
  const bytes = await archiveOf({ name: '0.parquet', body: noise(100_000) })
  const { promise: cancelled, resolve } = Promise.withResolvers<void>()
  const stalled = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(bytes.slice(0, 50_000)),
    cancel: () => resolve(),
  })
  for await (const _ of ParquetArchive.from(stalled).files()) break
  await cancelled
})

it('passes on the error of a broken source unchanged', async () => {
  const bytes = await archiveOf({ name: '0.parquet', body: noise(100_000) })
  const broken = new Error('connection lost')
  const { stream } = streamOf(bytes.slice(0, 50_000), 1000, () => {
    throw broken
  })
  const read = async () => {
    for await (const file of ParquetArchive.from(stream).files()) await file.bytes()
  }
  await expect(read()).rejects.toBe(broken)
})

describe('rejects an archive that', () => {
  const whole = () => archiveOf({ name: '0.parquet', body: noise(4096) })
  const changed = (bytes: Uint8Array<ArrayBuffer>, at: number) => {
    const copy = bytes.slice()
    copy[at] = (copy[at] ?? 0) ^ 0xff
    return copy
  }
  const named = (name: string) => archiveOf({ name, body: 'x' })
  const linked = (type: 'symlink' | 'link' | 'directory' | 'fifo') =>
    archiveOf({ name: '0.parquet', type, size: 0, linkname: '/etc/passwd' })
  const cases: [string, ArchiveErrorCode, () => Promise<Uint8Array<ArrayBuffer>>][] = [
    ['is HTML', 'archive_not_gzip', async () => new TextEncoder().encode('<html></html>')],
    ['is Parquet alone', 'archive_not_gzip', async () => numbers(1)],
    ['is empty', 'archive_damaged', async () => new Uint8Array()],
    ['is gzip of nothing', 'archive_damaged', async () => gzipOf(new Uint8Array())],
    ['is gzip without tar', 'archive_damaged', async () => gzipOf(noise(2000))],
    ['ends in its gzip', 'archive_damaged', async () => (await whole()).slice(0, 2000)],
    ['ends before its checksum', 'archive_damaged', async () => (await whole()).slice(0, -4)],
    [
      'has a wrong checksum',
      'archive_damaged',
      async () => changed(await whole(), -6 + (await whole()).length),
    ],
    [
      'goes on after its end',
      'archive_damaged',
      async () => new Uint8Array([...(await whole()), 1, 2]),
    ],
    [
      'ends in its tar',
      'archive_damaged',
      async () => gzipOf((await tarOf({ name: '0.parquet', body: noise(4096) })).slice(0, 3000)),
    ],
    [
      'lacks the end of its tar',
      'archive_damaged',
      async () => gzipOf((await tarOf({ name: '0.parquet', body: 'x' })).slice(0, 1024)),
    ],
    [
      'has a tampered tar header',
      'archive_damaged',
      async () => gzipOf(changed(await tarOf({ name: '0.parquet', body: 'x' }), 2)),
    ],
    ['climbs out of its folder', 'archive_unexpected', () => named('../0.parquet')],
    ['names an absolute path', 'archive_unexpected', () => named('/tmp/0.parquet')],
    ['has folders', 'archive_unexpected', () => named('a/0.parquet')],
    ['has other files', 'archive_unexpected', () => named('readme.txt')],
    ['writes a number with zeros', 'archive_unexpected', () => named('00.parquet')],
    ['has a very long name', 'archive_unexpected', () => named(`${'9'.repeat(300)}.parquet`)],
    ['has a symbolic link', 'archive_unexpected', () => linked('symlink')],
    ['has a hard link', 'archive_unexpected', () => linked('link')],
    ['has a folder', 'archive_unexpected', () => linked('directory')],
    ['has a pipe', 'archive_unexpected', () => linked('fifo')],
    [
      'has a file twice',
      'archive_unexpected',
      () => archiveOf({ name: '0.parquet' }, { name: '0.parquet' }),
    ],
    [
      'has a later file twice',
      'archive_unexpected',
      () => archiveOf({ name: '2.parquet' }, { name: '2.parquet' }),
    ],
    [
      'lacks a file',
      'archive_unexpected',
      () => archiveOf({ name: '0.parquet' }, { name: '2.parquet' }),
    ],
    [
      'unpacks to 200 MB of zeros',
      'archive_too_large',
      async () => gzipOf(new Uint8Array(200_000_000)),
    ],
    [
      'has a file of 200 MB of zeros',
      'archive_too_large',
      () => archiveOf({ name: '0.parquet', body: new Uint8Array(200_000_000) }),
    ],
  ]

  it.each(cases)('rejects an archive that %s (%s)', async (_, code, make) => {
    const error = await archiveFailure(filesOf(await make()))
    expect(error.code).toBe(code)
    expect(error.message).not.toMatch(/passwd|\/tmp|readme|\.\./)
  })

  it.each(cases)('%s, and then saves nothing (%s)', async (_, code, make) => {
    const path = await folder()
    const error = await archiveFailure(
      ParquetArchive.from(await make()).save(join(path, 'responses')),
    )
    expect(error.code).toBe(code)
    await expect(readdir(path)).resolves.toEqual([])
  })

  it.each([
    ['maxBytes', { maxBytes: 1000 }],
    ['maxExpandedBytes', { maxExpandedBytes: 4000 }],
    ['maxFiles', { maxFiles: 1 }],
    ['maxHeldBytes', { maxHeldBytes: 1000 }],
  ])('exceeds the limit %s', async (name, limits) => {
    const body = noise(2000)
    const bytes = await archiveOf(
      { name: '0.parquet', body },
      { name: '2.parquet', body },
      { name: '1.parquet', body },
    )
    await expect(filesOf(bytes)).resolves.toHaveLength(3)
    const error = await archiveFailure(filesOf(bytes, limits))
    expect(error).toMatchObject({ code: 'archive_too_large' })
    expect(error.message).toContain(`(${name}). Increase ${name} if such archives are expected.`)
  })

  it('says once what to do about a damaged archive', async () => {
    const bytes = await archiveOf({ name: '0.parquet', body: noise(2000) })
    const { message } = await archiveFailure(filesOf(bytes.slice(0, 1000)))
    expect(message).toContain('is truncated or corrupt. Request it again; if this persists, ')
    expect(message.match(/again/g)).toHaveLength(1)
  })

  it('says how to correct an unknown limit', async () => {
    const limits: object = { maxFile: 1 }
    const { message } = await archiveFailure(filesOf(await archiveOf(), limits))
    expect(message).toMatch(/the limit maxFile is unknown\. Did you mean maxFiles\?(?: See |$)/)
  })
})

describe('pax headers', () => {
  const pax = (...records: string[]): CraftedEntry => ({ type: 'x', bytes: records.join('') })
  const read = (...entries: CraftedEntry[]) => filesOf(gzipOf(craftTar(entries)))

  /** Records that each claim a length of 1 byte, although the only space is at the end. */
  const overlapping = (bytes: number) => `${'1\t'.repeat(bytes / 2 - 1)}= `

  it('replace the name and the size of the next file', async () => {
    const records = [paxRecord('mtime', '1.5'), paxRecord('path', '1.parquet')]
    const files = await read(
      { bytes: 'zero' },
      pax(...records, paxRecord('comment', 'a = b'), paxRecord('size', '3')),
      { name: 'other', size: 0, bytes: 'one' },
      { name: '2.parquet', bytes: 'two' },
    )
    expect(files.map(([, text]) => text)).toEqual(['zero', 'one', 'two'])
  })

  it('replace the size of every later file when they are global', async () => {
    const global = { ...pax(paxRecord('size', '4')), type: 'g' }
    const files = await read(global, { bytes: 'zero' }, { name: '1.parquet', bytes: 'four' })
    expect(files.map(([, text]) => text)).toEqual(['zero', 'four'])
  })

  it.each<[string, ArchiveErrorCode, string]>([
    ['of records that overlap', 'archive_damaged', overlapping(60_000)],
    ['of overlapping records, larger than 64 KiB', 'archive_unexpected', overlapping(400_000)],
    ['with a length that is too long', 'archive_damaged', paxRecord('path', 'a', 99)],
    ['with a length that is too short', 'archive_damaged', paxRecord('path', 'a', 5)],
    ['with a length that is no number', 'archive_damaged', paxRecord('path', 'a', '1e1')],
    ['with the length 0', 'archive_damaged', paxRecord('path', 'a', 0)],
    ['without a key', 'archive_damaged', paxRecord('', 'a')],
    ['of a sparse file', 'archive_damaged', paxRecord('GNU.sparse.numblocks', '1')],
    ['with a size that is no number', 'archive_damaged', paxRecord('size', '-1')],
    ['with a size that is too large', 'archive_damaged', paxRecord('size', '9'.repeat(17))],
  ])('%s are rejected in bounded time', async (_, code, records) => {
    const error = await archiveFailure(read(pax(records), { bytes: 'zero' }))
    expect(error.code).toBe(code)
  })
})

it('holds no file in memory that is larger than maxTableBytes, but streams it', async () => {
  const bytes = await archiveOf({ name: '0.parquet', body: noise(2000) })
  const error = await archiveFailure(filesOf(bytes, { maxTableBytes: 1999 }))
  expect(error.code).toBe('archive_too_large')
  expect(error.message).toContain('has a 0.parquet that has more bytes than 1999 (maxTableBytes).')
  for await (const file of ParquetArchive.from(bytes).files({ maxTableBytes: 1999 })) {
    const response = new Response(file.stream)
    expect((await response.arrayBuffer()).byteLength).toBe(2000)
  }
})

it('stops reading a decompression bomb early', async () => {
  const zeros = new Uint8Array(200_000_000)
  const bomb = gzipOf(await tarOf({ name: '0.parquet', body: zeros }), 9)
  let read = 0
  const unpack = async () => {
    for await (const file of ParquetArchive.from(bomb).files()) {
      for await (const chunk of file.stream) read += chunk.byteLength
    }
  }
  await archiveFailure(unpack())
  expect(bomb.byteLength).toBeLessThan(200_000)
  expect(read).toBeLessThan(30_000_000)
})

it('turns any bytes into files or a typed error', async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 2000 }),
    fc.uint8Array({ maxLength: 4000 }).map((bytes) => gzipOf(bytes)),
  )
  await fc.assert(
    fc.asyncProperty(bytes, async (anything) => {
      const error = await filesOf(new Uint8Array(anything)).catch((reason: unknown) => reason)
      expect(Array.isArray(error) || error instanceof ArchiveError).toBe(true)
    }),
    { numRuns: runsOf(300) },
  )
})

it('turns an archive with any bytes changed into tables or a typed error', async () => {
  const whole = await tarOf(
    { name: '0.parquet', body: numbers(...Array.from({ length: 50 }, (_, at) => at % 7 || null)) },
    { name: '1.parquet', body: numbers() },
  )
  const change = fc.record({ at: fc.nat(whole.length - 1), byte: fc.nat(255) })
  const changes = fc.array(change, { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(changes, async (changes) => {
      const bytes = whole.slice()
      for (const { at, byte } of changes) bytes[at] = byte
      const error = await tablesOf(gzipOf(bytes)).catch((reason: unknown) => reason)
      expect(Array.isArray(error) || error instanceof ArchiveError).toBe(true)
    }),
    { numRuns: runsOf(500) },
  )
})

describe('save', () => {
  it('writes the archive unchanged and replaces an existing file', async () => {
    const path = join(await folder(), 'responses.tar.gz')
    await writeFile(path, 'old')
    const bytes = await archiveOf({ name: '0.parquet', body: noise(100_000) })
    await ParquetArchive.from(bytes).save(path)
    expect((await readFile(path)).equals(bytes)).toBe(true)
  })

  it('keeps the existing file when the archive is invalid', async () => {
    const path = join(await folder(), 'responses.tar.gz')
    await writeFile(path, 'old')
    const bytes = await archiveOf({ name: '0.parquet', body: noise(100_000) })
    await archiveFailure(ParquetArchive.from(bytes.slice(0, -10)).save(path))
    await expect(readFile(path, 'utf8')).resolves.toBe('old')
  })

  it('writes a file with the longest name that file systems allow', async () => {
    const names = [`${'a'.repeat(247)}.parquet`, `${'\u20ac'.repeat(82)}.parquet`]
    const path = await folder()
    const bytes = await archiveOf({ name: '0.parquet', body: 'zero' })
    for (const name of names) await ParquetArchive.from(bytes).save(join(path, name))
    expect((await readdir(path)).sort()).toEqual(names)
  })

  it('locks the archive, so files() says that it was already read', async () => {
    const archive = ParquetArchive.from(await archiveOf({ name: '0.parquet', body: 'zero' }))
    const saved = archive.save(join(await folder(), 'responses.tar.gz'))
    await expect(archive.files().next()).rejects.toThrow(
      new TypeError(
        'ParquetArchive: the body was already read or cancelled. Call the method again.',
      ),
    )
    await expect(saved).resolves.toBeUndefined()
  })

  it('writes one file of an archive', async () => {
    const path = await folder()
    const bytes = await archiveOf(
      { name: '0.parquet', body: 'zero' },
      { name: '1.parquet', body: 'one' },
    )
    for await (const file of ParquetArchive.from(bytes).files()) {
      await file.save(join(path, file.name))
    }
    expect((await readdir(path)).sort()).toEqual(['0.parquet', '1.parquet'])
    await expect(readFile(join(path, '1.parquet'), 'utf8')).resolves.toBe('one')
  })

  it.each([
    ['the order of their queries', [0, 1]],
    ['another order, when a file is held in memory', [1, 0]],
  ])('writes no file twice, as its bytes are read once, in %s', async (_, order) => {
    const path = await folder()
    const bytes = await archiveOf(...order.map((at) => ({ name: `${at}.parquet`, body: 'one' })))
    for await (const file of ParquetArchive.from(bytes).files()) {
      await file.save(join(path, file.name))
      await expect(file.save(join(path, file.name))).rejects.toThrow('already read or cancelled')
      await expect(file.bytes()).rejects.toThrow('already read or cancelled')
      await expect(readFile(join(path, file.name), 'utf8')).resolves.toBe('one')
    }
  })

  it('leaves no partial file after an error', async () => {
    const path = await folder()
    const bytes = await archiveOf({ name: '0.parquet', body: noise(100_000) })
    const save = async () => {
      for await (const file of ParquetArchive.from(bytes.slice(0, 50_000)).files()) {
        await file.save(join(path, file.name))
      }
    }
    expect((await archiveFailure(save())).code).toBe('archive_damaged')
    await expect(readdir(path)).resolves.toEqual([])
  })
})

it('prints only safe parts of an error', async () => {
  const error = await archiveFailure(filesOf(new Uint8Array([1, 2, 3])))
  expect(error.toJSON()).toMatchObject({
    name: 'ArchiveError',
    code: 'archive_not_gzip',
    message: 'ParquetArchive: the archive is not gzip data. Check baseUrl or the file.',
  })
})
