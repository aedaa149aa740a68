import {
  type ColumnMetaData,
  type DecodedArray,
  parquetScan,
  type RowGroup,
  type SchemaTree,
} from 'hyparquet'
import { isMapLike } from 'hyparquet/src/schema.js'
import { invalidFileError } from '../archive/errors.ts'
import type { ArchiveLimits } from '../archive/limits.ts'
import { columnChunksOf, type Footer } from './footer.ts'
import { Pages } from './pages.ts'
import { converterOf, type TableValue, tableParsers } from './values.ts'

/** A row, with its values keyed by column name. */
export type ParquetRow = Record<string, TableValue>

interface RowSource {
  file: ArrayBuffer
  footer: Footer
  limits: ArchiveLimits
  toError: (cause: unknown) => Error
}

interface Group {
  size: number
  columns: { name: string; values: ArrayLike<TableValue | undefined> }[]
}

export async function* decodeGroups({
  file,
  footer,
  limits,
  toError,
}: RowSource): AsyncGenerator<Group> {
  const { metadata, schema } = footer
  const pages = new Pages(file, schema, limits.maxGroupBytes)
  const { compressors } = pages
  const filled = metadata.row_groups.filter(({ num_rows }) => num_rows > 0)
  try {
    let isInMap = false
    const parsers = tableParsers(() => isInMap)
    const scan = await parquetScan({ file, metadata, compressors, parsers, geoparquet: false })
    for (const [at, range] of scan.ranges.entries()) {
      const size = range.rowEnd - range.rowStart
      const group: Group = { size, columns: [] }
      pages.beginGroup()
      for (const column of schema.children) {
        const { element } = column
        isInMap = hasMap(column)
        pages.check(chunksOfColumn(filled[at], element.name), size)
        const decoded = await scan.readColumn({ column: element.name, ...range })
        if (decoded.length < size)
          throw invalidFileError('a column has fewer values than its row group has rows')
        const values = convertValues(decoded, converterOf(element))
        group.columns.push({ name: element.name, values })
      }
      yield group
    }
  } catch (error) {
    throw toError(error)
  }
}

function hasMap(schema: SchemaTree): boolean {
  return isMapLike(schema) || schema.children.some(hasMap)
}

function chunksOfColumn(group: RowGroup | undefined, name: string): ColumnMetaData[] {
  const chunks = group ? columnChunksOf(group) : []
  return chunks.filter(({ path_in_schema }) => path_in_schema[0] === name)
}

function convertValues(
  decoded: DecodedArray,
  convert: ReturnType<typeof converterOf>,
): Group['columns'][number]['values'] {
  // Do not convert nested and binary values, because the service returns none.
  const values = decoded as ArrayLike<TableValue | undefined>
  if (!convert) return values
  // Convert arrays in place, because each range is decoded only once.
  const result: TableValue[] = Array.isArray(decoded) ? decoded : new Array(values.length)
  for (let at = 0; at < values.length; at += 1) result[at] = convert(values[at])
  return result
}

/** Iterates over rows. This is not an async generator, because its overhead for each row would be high. */
export class Rows implements AsyncIterableIterator<ParquetRow> {
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

  next(): Promise<IteratorResult<ParquetRow, undefined>> {
    return this.#at < this.#group.size ? Promise.resolve(this.#take()) : this.#takeLater()
  }

  async return(): Promise<IteratorResult<ParquetRow, undefined>> {
    this.#group = { size: 0, columns: [] }
    await this.#groups.return(undefined)
    return { done: true, value: undefined }
  }

  #take(): IteratorResult<ParquetRow, undefined> {
    const value: ParquetRow = {}
    for (const { name, values } of this.#group.columns) value[name] = values[this.#at] ?? null
    this.#at += 1
    return { done: false, value }
  }

  async #takeLater(): Promise<IteratorResult<ParquetRow, undefined>> {
    while (this.#at >= this.#group.size) {
      this.#advancing ??= this.#advance()
      if (!(await this.#advancing)) return { done: true, value: undefined }
    }
    return this.#take()
  }

  async #advance(): Promise<boolean> {
    const { done, value } = await this.#groups.next()
    this.#advancing = undefined
    this.#at = 0
    this.#group = done ? { size: 0, columns: [] } : value
    return !done
  }
}
