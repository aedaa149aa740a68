import { parquetMetadata, parquetSchema } from 'hyparquet'
import type { ParquetArchive, ParquetFile } from './archive.ts'
import { ArchiveError } from './errors.ts'
import { type ArchiveLimits, defaultLimits } from './limits.ts'
import { type Column, groups, type ParquetRow, Rows } from './rows.ts'
import { converterOf } from './values.ts'

/** The answer to one query. It stays readable after the walk has gone on. */
export interface ParquetTable {
  /** The position of its query in the request, from 0. */
  query: number
  /** The names of its columns: `index` and one for each aggregation. */
  columns: string[]
  rowCount: number
  /** Its rows, decoded one row group at a time. Values are as in the JSON answer: times are text such as `2025-02-17T00:00:00`. */
  rows(): AsyncIterableIterator<ParquetRow>
}

/**
 * The tables of an archive, in the order of their queries. Each is held in memory as Parquet, up to `maxTableBytes`.
 *
 * @throws {ArchiveError} when the archive or one of its files cannot be used; `rows()` throws it where rows cannot be decoded.
 * @example
 * for await (const table of tables(await client.aggregate.queryParquet(userId, request))) {
 *   for await (const { index, mean } of table.rows()) console.log(table.query, index, mean)
 * }
 */
export async function* tables(
  archive: ParquetArchive,
  limits: Partial<ArchiveLimits> = {},
): AsyncGenerator<ParquetTable> {
  for await (const file of archive.files(limits)) {
    yield await tableOf(file, { ...defaultLimits, ...limits })
  }
}

async function tableOf(file: ParquetFile, limits: ArchiveLimits): Promise<ParquetTable> {
  const { query, name, size, facts } = file
  const tooLarge = (problem: string) => new ArchiveError('archive_too_large', problem, facts)
  if (size > limits.maxTableBytes) {
    throw tooLarge(`has a file of more than ${limits.maxTableBytes} bytes (maxTableBytes)`)
  }
  const { buffer } = await file.bytes()
  const broken = (cause: unknown) =>
    new ArchiveError('parquet_invalid', `has a ${name} that is no valid Parquet`, {
      ...facts,
      cause,
    })
  const { metadata, columns, largestGroup } = attempt(() => read(buffer), broken)
  if (largestGroup > limits.maxGroupRows) {
    throw tooLarge(`has a row group of more than ${limits.maxGroupRows} rows (maxGroupRows)`)
  }
  return {
    query,
    columns: columns.map((column) => column.name),
    rowCount: Number(metadata.num_rows),
    rows: () => new Rows(groups({ file: buffer, metadata, columns, limits, broken })),
  }
}

function attempt<T>(work: () => T, broken: (cause: unknown) => Error): T {
  try {
    return work()
  } catch (error) {
    throw broken(error)
  }
}

/** What the footer of a file tells. */
function read(file: ArrayBuffer) {
  const metadata = parquetMetadata(file, { geoparquet: false })
  const columns = parquetSchema(metadata).children.map(({ element }): Column => {
    return { name: element.name, convert: converterOf(element) }
  })
  const names = new Set(columns.map(({ name }) => name))
  if (names.size < columns.length || names.has('__proto__')) {
    throw new TypeError('names of columns that no row can have')
  }
  const groups = metadata.row_groups.map(({ num_rows }) => Number(num_rows))
  const total = groups.reduce((sum, count) => sum + count, 0)
  if (groups.some((count) => count < 0) || total !== Number(metadata.num_rows)) {
    throw new RangeError('row groups that do not add up')
  }
  return { metadata, columns, largestGroup: Math.max(0, ...groups) }
}
