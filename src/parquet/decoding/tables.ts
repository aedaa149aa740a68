import type { ParquetArchive, ParquetFile } from '../archive/archive.ts'
import { fileError } from '../archive/errors.ts'
import { type ArchiveLimits, completeLimits } from '../archive/limits.ts'
import { readFooter } from './footer.ts'
import { decodeGroups, type ParquetRow, Rows } from './rows.ts'

/** The result of one query. It stays readable after you request the next table. */
export interface ParquetTable {
  /** The zero-based position of the query in the request. */
  query: number
  /** The column names: `index`, then the selected columns. */
  columns: string[]
  /** The number of rows. */
  rowCount: number
  /**
   * Decodes the rows, one row group at a time. Values have the same form as in the JSON response: for example, times
   * are strings such as `2025-02-17T00:00:00`.
   */
  rows(): AsyncIterableIterator<ParquetRow>
}

/**
 * Reads an archive's tables in query order. Holds each table in memory as Parquet, and rejects a table larger than
 * `maxTableBytes`.
 *
 * @param limits Limits for the archive and its tables.
 * @throws {ArchiveError} when the archive or one of its files cannot be used. `rows()` also throws it when rows cannot
 * be decoded.
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
    yield await readTable(file, completeLimits(limits))
  }
}

async function readTable(file: ParquetFile, limits: ArchiveLimits): Promise<ParquetTable> {
  const { query, name, facts } = file
  const toError = (cause: unknown) => fileError(cause, name, facts)
  const { buffer } = await file.bytes()
  const footer = attempt(() => readFooter(buffer, limits), toError)
  return {
    query,
    columns: footer.schema.children.map(({ element }) => element.name),
    rowCount: Number(footer.metadata.num_rows),
    rows: () => new Rows(decodeGroups({ file: buffer, footer, limits, toError })),
  }
}

function attempt<T>(work: () => T, toError: (cause: unknown) => Error): T {
  try {
    return work()
  } catch (error) {
    throw toError(error)
  }
}
