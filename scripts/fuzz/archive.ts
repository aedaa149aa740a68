import * as fc from 'fast-check'
import { parquetFile } from '../../mock/query/parquet.ts'
import { ArchiveError, ParquetArchive, tables } from '../../src/parquet/index.ts'
import { archiveOf, gzipOf, numbers, tarOf } from '../../test/support/archives.ts'
import { type Change, changedBytes, changes } from './mutation.ts'
import { expectKind, must, type Target, target } from './target.ts'

const texts = Array.from({ length: 300 }, (_, at) => (at % 7 === 0 ? null : `text ${at % 11}`))
const times = Array.from(
  { length: 300 },
  (_, at) => `2025-01-${String((at % 28) + 1).padStart(2, '0')}T00:00:00`,
)

/** Files as the service sends them. */
const files = [
  numbers(),
  numbers(1, null, 3.5),
  numbers(...Array.from({ length: 2000 }, (_, at) => at % 50)),
  parquetFile([
    { name: 'index', type: 'time', values: times },
    { name: 'newest', type: 'text', values: texts },
    { name: 'count', type: 'integer', values: times.map((_, at) => at) },
  ]),
]

/** Small, so that what is beyond them shows. */
const limits = {
  maxBytes: 1 << 22,
  maxExpandedBytes: 1 << 24,
  maxTableBytes: 1 << 22,
  maxGroupRows: 100_000,
}

/** Where bytes are changed: in a file, in the tar around the files, or in the gzip around it. */
type Level = 'file' | 'tar' | 'gzip'

/** Any archive is read within its limits, or refused with an ArchiveError. */
export const archiveTarget: Target = target(
  'archive',
  fc.record({
    chosen: fc.array(fc.nat(files.length - 1), { maxLength: 3 }),
    level: fc.constantFrom<Level>('file', 'file', 'tar', 'gzip'),
    made: changes,
  }),
  async ({ chosen, level, made }) => {
    const bytes = await broken(chosen, level, made)
    let rows = 0
    try {
      for await (const table of tables(ParquetArchive.from(bytes), limits)) {
        for await (const row of table.rows()) {
          must(Object.keys(row).length === table.columns.length, 'a row has every column')
          rows += 1
        }
        must(rows <= 3 * limits.maxGroupRows, 'rows are bounded')
      }
    } catch (error) {
      expectKind(error, ArchiveError)
    }
  },
)

async function broken(chosen: number[], level: Level, made: Change[]) {
  const entries = chosen.map((file, at) => {
    const body = files[file] ?? numbers()
    return { name: `${at}.parquet`, body: level === 'file' ? changedBytes(body, made) : body }
  })
  if (level === 'file') return archiveOf(...entries)
  const tar = await tarOf(...entries)
  return level === 'tar' ? gzipOf(changedBytes(tar, made)) : changedBytes(gzipOf(tar), made)
}
