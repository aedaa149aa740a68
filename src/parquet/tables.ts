import {
  type DecodedArray,
  type FileMetaData,
  parquetMetadata,
  parquetScan,
  parquetSchema,
} from 'hyparquet'
import type { ParquetArchive, ParquetFile } from './archive.ts'
import { ArchiveError } from './errors.ts'
import { type ArchiveLimits, defaultLimits } from './limits.ts'
import { converterOf, type TableValue, timeParsers } from './values.ts'

/** The answer to one query. It stays readable after the walk has gone on. */
export interface ParquetTable {
  /** The position of its query in the request, from 0. */
  query: number
  /** The names of its columns: `index` and one for each aggregation. */
  columns: string[]
  rowCount: number
  /** Its rows, decoded one row group at a time. Values are as in the JSON answer: times are text such as `2025-02-17T00:00:00`. */
  rows(): AsyncIterableIterator<Row>
}

type Row = Record<string, TableValue>

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
    rows: () => new Rows(groups(buffer, metadata, columns, broken)),
  }
}

function attempt<T>(work: () => T, broken: (cause: unknown) => Error): T {
  try {
    return work()
  } catch (error) {
    throw broken(error)
  }
}

interface Column {
  name: string
  convert: ReturnType<typeof converterOf>
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

/** The decoded columns of a row group. */
interface Group {
  size: number
  columns: { name: string; values: ArrayLike<TableValue | undefined> }[]
}

async function* groups(
  file: ArrayBuffer,
  metadata: FileMetaData,
  columns: Column[],
  broken: (cause: unknown) => Error,
): AsyncGenerator<Group> {
  try {
    const scan = await parquetScan({ file, metadata, parsers: timeParsers(), geoparquet: false })
    for (const range of scan.ranges) {
      const decode = async ({ name, convert }: Column) => {
        const values = converted(await scan.readColumn({ column: name, ...range }), convert)
        if (values.length < range.rowEnd - range.rowStart) throw new RangeError('missing values')
        return { name, values }
      }
      yield {
        size: range.rowEnd - range.rowStart,
        columns: await Promise.all(columns.map(decode)),
      }
    }
  } catch (error) {
    throw broken(error)
  }
}

function converted(
  decoded: DecodedArray,
  convert: Column['convert'],
): Group['columns'][number]['values'] {
  // What is nested or binary passes through; the service's columns are neither.
  const values = decoded as ArrayLike<TableValue | undefined>
  if (!convert) return values
  const turned = new Array<TableValue>(values.length)
  for (let at = 0; at < values.length; at += 1) turned[at] = convert(values[at])
  return turned
}

/** Walks row by row. No generator, for one that yields every row takes twice the time of decoding them. */
class Rows implements AsyncIterableIterator<Row> {
  readonly #groups: AsyncGenerator<Group>
  #group: Group = { size: 0, columns: [] }
  #at = 0
  #advancing: Promise<boolean> | undefined

  constructor(groups: AsyncGenerator<Group>) {
    this.#groups = groups
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Row, undefined>> {
    while (this.#at >= this.#group.size) {
      this.#advancing ??= this.#advance()
      if (!(await this.#advancing)) return { done: true, value: undefined }
    }
    const value: Row = {}
    for (const { name, values } of this.#group.columns) value[name] = values[this.#at] ?? null
    this.#at += 1
    return { done: false, value }
  }

  async return(): Promise<IteratorResult<Row, undefined>> {
    this.#group = { size: 0, columns: [] }
    await this.#groups.return(undefined)
    return { done: true, value: undefined }
  }

  async #advance(): Promise<boolean> {
    const { done, value } = await this.#groups.next()
    this.#advancing = undefined
    this.#at = 0
    this.#group = done ? { size: 0, columns: [] } : value
    return !done
  }
}
