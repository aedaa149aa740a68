import * as fc from 'fast-check'
import { ArchiveError, ParquetArchive } from '../../src/parquet/index.ts'
import { gzipOf } from '../../test/support/parquet/archives.ts'
import { type CraftedEntry, craftTar, paxRecord } from '../../test/support/parquet/crafted-tar.ts'
import { changeBytes, someChanges } from './changes.ts'
import { ensure, expectKind, type Target, target } from './target.ts'

/** Small limits, so that random input exceeds them. */
const limits = { maxExpandedBytes: 1 << 22, maxFiles: 5, maxHeldBytes: 2000, maxTableBytes: 4000 }

function rarely<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: value },
  )
}

const oddSize = fc.oneof(
  fc.nat(5000),
  fc.constantFrom(511, 512, 513, 2 ** 31, 2 ** 33 - 1),
  fc.constantFrom('', '-1', '99999999999', '7777777777777', ' 12 ', '0x10', '1e3', '\u0080\u0000'),
)

const oddLength = fc.oneof(fc.nat(300), fc.constantFrom('', '-5', '1e2', '007', '9'.repeat(30)))

/** A pax record, which is mostly valid, or bytes that look like the start of many records. */
const record = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record({
        key: fc.constantFrom(
          'path',
          'size',
          'mtime',
          'comment',
          'GNU.sparse.size',
          '__proto__',
          '',
        ),
        value: fc.oneof(
          fc.constantFrom('0.parquet', '1.parquet', '../0.parquet', '0', '3', '1e9', 'a=b\n'),
          fc.nat(2 ** 40).map(String),
          fc.string({ unit: 'grapheme', maxLength: 30 }),
        ),
        length: rarely(oddLength),
      })
      .map(({ key, value, length }) => paxRecord(key, value, length)),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({
        unit: fc.constantFrom('1', '1\t', '1 ', '5 a=\n', ' ', '=', '\n', '\0', '12 a=b\n'),
        times: fc.oneof(fc.nat(10_000), fc.constant(300_000)),
        end: fc.constantFrom('', ' ', ' =\n', '\n'),
      })
      .map(({ unit, times, end }) => `${unit.repeat(times)}${end}`),
  },
)

const paxEntry: fc.Arbitrary<CraftedEntry> = fc
  .record({
    type: fc.constantFrom('x', 'x', 'g'),
    records: fc.array(record, { maxLength: 5 }),
    size: rarely(oddSize),
    isPadded: rarely(fc.constant(false)),
  })
  .map(({ records, ...entry }) => ({ ...entry, bytes: records.join('') }))

const fileEntry = (at: number): fc.Arbitrary<CraftedEntry> =>
  fc
    .record({
      name: rarely(fc.constantFrom('0.parquet', '1.parquet', '7.parquet', 'a/0.parquet', '')),
      type: rarely(fc.constantFrom('\0', '1', '2', '5', '7', 'L', 'K', 'S', 'x')),
      prefix: rarely(fc.constantFrom('folder', '..')),
      bytes: fc.nat(1500).map((length) => new Uint8Array(length).fill(at + 1)),
      size: rarely(oddSize),
      checksumError: rarely(fc.constantFrom(1, -1)),
      isPadded: rarely(fc.constant(false)),
    })
    .map((entry) => ({ ...entry, name: entry.name ?? `${at}.parquet` }))

/** Numbered files, with pax headers between them. */
const entries = fc
  .array(fc.array(paxEntry, { maxLength: 2 }), { maxLength: 4 })
  .chain((headers) =>
    fc.tuple(...headers.map((own, at) => fc.tuple(fc.constant(own), fileEntry(at)))),
  )
  .map((groups) => groups.flatMap(([headers, file]) => [...headers, file]))

const archive = fc.record({
  entries,
  end: fc.oneof({ weight: 8, arbitrary: fc.constant(2) }, fc.nat(3)),
  changes: rarely(someChanges),
  cut: rarely(fc.nat()),
})

/** Reads archives with the structure of tar. Headers, sizes, pax records and ends may be wrong. */
export const tarTarget: Target = target('tar', archive, async ({ entries, end, changes, cut }) => {
  const tar = craftTar(entries, end)
  const bytes = gzipOf(changes ? changeBytes(tar, changes) : tar)
  const whole = cut === undefined || end < 2 ? bytes : bytes.slice(0, cut % bytes.length)
  let read = 0
  try {
    for await (const file of ParquetArchive.from(whole).files(limits)) {
      const content = await file.bytes()
      ensure(content.length === file.size, 'a file has as many bytes as its header says')
      ensure(file.query === read, 'files are in the order of their numbers')
      read += 1
    }
    ensure(whole === bytes, 'a truncated archive is not complete')
    ensure(end >= 2 || changes !== undefined || hasPax(entries), 'an archive has an end')
  } catch (error) {
    expectKind(error, ArchiveError)
  }
  ensure(read <= limits.maxFiles, 'the number of files is at most the limit')
})

/** Returns whether entries have another type or a wrong size, which can make their bytes the end of the archive. */
function hasPax(entries: readonly CraftedEntry[]): boolean {
  return entries.some(({ type = '0', size }) => type !== '0' || size !== undefined)
}
