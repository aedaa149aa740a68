import * as fc from 'fast-check'
import { parquetFile } from '../../mock/query/parquet.ts'
import { ArchiveError, ParquetArchive, tables } from '../../src/parquet/index.ts'
import { archiveOf, gzipOf, numbers, tarOf } from '../../test/support/parquet/archives.ts'
import { type Change, changeBytes, someChanges } from './changes.ts'
import { ensure, expectKind, type Target, target } from './target.ts'

const strings = Array.from({ length: 300 }, (_, at) => (at % 7 === 0 ? null : `string ${at % 11}`))
const times = Array.from(
  { length: 300 },
  (_, at) => `2025-01-${String((at % 28) + 1).padStart(2, '0')}T00:00:00`,
)

const files = [
  numbers(),
  numbers(1, null, 3.5),
  numbers(...Array.from({ length: 2000 }, (_, at) => at % 50)),
  parquetFile([
    { name: 'index', type: 'time', values: times },
    { name: 'newest', type: 'text', values: strings },
    { name: 'count', type: 'integer', values: times.map((_, at) => at) },
  ]),
]

/** Small limits, so that random input exceeds them. */
const limits = {
  maxBytes: 1 << 22,
  maxExpandedBytes: 1 << 24,
  maxTableBytes: 1 << 22,
  maxGroupRows: 100_000,
}

/** The place where bytes are changed: a file, the tar archive, or its gzip stream. */
type Level = 'file' | 'tar' | 'gzip'

/** Reads changed archives. Each archive is read within the limits, or causes an ArchiveError. */
export const archiveTarget: Target = target(
  'archive',
  fc.record({
    chosen: fc.array(fc.nat(files.length - 1), { maxLength: 3 }),
    level: fc.constantFrom<Level>('file', 'file', 'tar', 'gzip'),
    changes: someChanges,
  }),
  async ({ chosen, level, changes }) => {
    const bytes = await changedArchive(chosen, level, changes)
    let rows = 0
    try {
      for await (const table of tables(ParquetArchive.from(bytes), limits)) {
        for await (const row of table.rows()) {
          ensure(Object.keys(row).length === table.columns.length, 'a row has every column')
          rows += 1
        }
        ensure(rows <= 3 * limits.maxGroupRows, 'the number of rows is at most the limit')
      }
    } catch (error) {
      expectKind(error, ArchiveError)
    }
  },
)

async function changedArchive(chosen: number[], level: Level, changes: Change[]) {
  const entries = chosen.map((file, at) => {
    const body = files[file] ?? numbers()
    return { name: `${at}.parquet`, body: level === 'file' ? changeBytes(body, changes) : body }
  })
  if (level === 'file') return archiveOf(...entries)
  const tar = await tarOf(...entries)
  return level === 'tar' ? gzipOf(changeBytes(tar, changes)) : changeBytes(gzipOf(tar), changes)
}
