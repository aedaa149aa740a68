import type {
  ColumnMetaData,
  CompressionCodec,
  Compressors,
  PageHeader,
  SchemaTree,
} from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { getTreePath } from 'hyparquet/src/schema.js'
import { invalidFileError, unsupportedFileError } from '../archive/errors.ts'
import { parquetBounds, valueBytes } from '../archive/limits.ts'
import { decompress } from './codecs.ts'
import { type ColumnShape, columnShapeOf } from './column-shape.ts'
import { checkPlain, checkValues, type EncodedValues } from './encodings.ts'
import { byteRangeOf, groupTooLarge } from './footer.ts'
import { countInRuns } from './runs.ts'
import { checkThrift } from './thrift.ts'

interface DataPage {
  header: PageHeader
  body: Uint8Array
  codec: CompressionCodec
  shape: ColumnShape
  hasDictionary: boolean
}

/**
 * Checks the pages of column chunks before they are decoded. The decoder does not check its input: one corrupt byte can
 * make it fill memory with repeated values.
 */
export class Pages {
  readonly #file: ArrayBuffer
  readonly #schema: SchemaTree
  readonly #limit: number
  /** The decompressed pages, in reverse order, because removing the first element of a long array is slow. */
  #decompressed: Uint8Array[] = []
  /** The memory that the row group can still use, in bytes. */
  #left = 0

  constructor(file: ArrayBuffer, schema: SchemaTree, maxGroupBytes: number) {
    this.#file = file
    this.#schema = schema
    this.#limit = maxGroupBytes
  }

  /** The decompressors for the decoder. Each call returns the next page from {@link check}. */
  get compressors(): Compressors {
    const codecs = ['SNAPPY', 'GZIP', 'BROTLI', 'ZSTD'] as const
    const next = () => {
      const page = this.#decompressed.pop()
      if (!page)
        throw new TypeError('Bug in health-lab-sdk: a page was not checked. Please report it.')
      return page
    }
    return Object.fromEntries(codecs.map((codec) => [codec, next]))
  }

  beginGroup(): void {
    this.#left = this.#limit
  }

  /** Checks and decompresses a column's chunks before the column is decoded. */
  check(chunks: ColumnMetaData[], rows: number): void {
    this.#decompressed = []
    for (const chunk of chunks) this.#checkChunk(chunk, rows)
    this.#decompressed.reverse()
  }

  #checkChunk(chunk: ColumnMetaData, rows: number): void {
    const { start, size } = byteRangeOf(chunk)
    const bytes = new Uint8Array(this.#file, start, size)
    const shape = columnShapeOf(getTreePath(this.#schema, chunk.path_in_schema))
    let left = shape.depth === 0 ? rows : Number.POSITIVE_INFINITY
    let hasDictionary = false
    // Treat a single byte at the end as padding, as the decoder does.
    for (let at = 0; at < size - 1; ) {
      const { header, bodyStart, end } = readPageHeader(bytes, at)
      this.#take(valueBytes.page + header.uncompressed_page_size)
      const body = bytes.subarray(bodyStart, end)
      const page = { header, body, codec: chunk.codec, shape, hasDictionary }
      if (header.type === 'DICTIONARY_PAGE') this.#checkDictionary(page)
      else left -= this.#checkData(page, left)
      hasDictionary ||= header.type === 'DICTIONARY_PAGE'
      at = end
    }
  }

  #checkDictionary({ header, body, codec, shape }: DataPage): void {
    const { dictionary_page_header, uncompressed_page_size } = header
    const count = checkPageCount(dictionary_page_header?.num_values, Number.POSITIVE_INFINITY)
    this.#take(count * shape.valueBytes + uncompressed_page_size * shape.growth)
    const page = this.#decompress(codec, body, uncompressed_page_size)
    if (shape.type === 'BOOLEAN') throw invalidFileError('a boolean column has a dictionary')
    checkPlain(shape, { page, start: 0 }, count)
  }

  /** Checks a data page and returns its number of values, including nulls. */
  #checkData(page: DataPage, left: number): number {
    if (page.header.type === 'DATA_PAGE') return this.#checkVersion1(page, left)
    if (page.header.type === 'DATA_PAGE_V2') return this.#checkVersion2(page, left)
    throw unsupportedFileError('pages of an unknown type')
  }

  /** Checks a version 1 page, whose levels and values are compressed together. */
  #checkVersion1(page: DataPage, left: number): number {
    const { header, body, codec, shape } = page
    const count = checkPageCount(header.data_page_header?.num_values, left)
    this.#takeEntries(shape, count)
    const bytes = this.#decompress(codec, body, header.uncompressed_page_size)
    const repeated = skipLevels(bytes, 0, shape.repetition, count)
    const { end: start, full } = skipLevels(bytes, repeated.end, shape.definition, count)
    const encoding = header.data_page_header?.encoding
    this.#checkValues(page, { page: bytes, start, count: full, encoding, version: 1 })
    return count
  }

  /** Checks a version 2 page, whose levels are not compressed. Its header contains their lengths. */
  #checkVersion2(page: DataPage, left: number): number {
    const { header, body, codec, shape } = page
    const { data_page_header_v2: second, uncompressed_page_size } = header
    const count = checkPageCount(second?.num_values, left)
    checkPageCount(second?.num_rows, count)
    const values = count - checkPageCount(second?.num_nulls, count)
    this.#takeEntries(shape, count)
    const repeated = checkPageCount(second?.repetition_levels_byte_length, body.length)
    const defined = checkPageCount(second?.definition_levels_byte_length, body.length - repeated)
    if (shape.repetition === 0 && repeated > 0)
      throw invalidFileError('a page has unexpected levels')
    if (shape.definition === 0 && defined > 0)
      throw invalidFileError('a page has unexpected levels')
    checkLevels(body, 0, shape.repetition, count)
    checkLevels(body, repeated, shape.definition, count)
    const start = repeated + defined
    const size = checkPageCount(uncompressed_page_size - start, uncompressed_page_size)
    const plain = second?.is_compressed === false
    const bytes = this.#decompress(plain ? 'UNCOMPRESSED' : codec, body.subarray(start), size)
    const encoding = second?.encoding
    this.#checkValues(page, { page: bytes, start: 0, count: values, encoding, version: 2 })
    return count
  }

  #checkValues(
    { shape, hasDictionary, header }: DataPage,
    values: MaybeEncoded<EncodedValues>,
  ): void {
    const { encoding, count } = values
    if (encoding === undefined)
      throw unsupportedFileError('an encoding from a newer Parquet version')
    const isReference = encoding.endsWith('_DICTIONARY')
    if (isReference && !hasDictionary) throw invalidFileError('a page has no dictionary')
    if (isReference) this.#take(count * valueBytes.reference)
    else this.#take(count * shape.valueBytes + header.uncompressed_page_size * shape.growth)
    if (encoding === 'DELTA_BYTE_ARRAY') this.#take(count * valueBytes.copiedPrefix)
    const copied = checkValues(shape, { ...values, encoding })
    this.#take(copied * (1 + shape.growth))
  }

  #decompress(codec: CompressionCodec, input: Uint8Array, size: number): Uint8Array {
    if (codec === 'UNCOMPRESSED') {
      if (input.length !== size)
        throw invalidFileError('the size of a page differs from the size in its header')
      return input
    }
    const page = decompress(codec, input, size)
    this.#decompressed.push(page)
    return page
  }

  #takeEntries({ depth }: ColumnShape, count: number): void {
    this.#take(count * (valueBytes.reference + depth * valueBytes.container))
  }

  #take(bytes: number): void {
    this.#left -= bytes
    if (!(this.#left >= 0)) throw groupTooLarge(this.#limit)
  }
}

type MaybeEncoded<Type extends { encoding: unknown }> = Omit<Type, 'encoding'> & {
  encoding: Type['encoding'] | undefined
}

function readPageHeader(bytes: Uint8Array, start: number) {
  const bodyStart = checkThrift(bytes, start, parquetBounds.pageHeader)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const header = parquetHeader({ view, offset: start })
  const end = bodyStart + checkPageCount(header.compressed_page_size, bytes.length - bodyStart)
  checkPageCount(header.uncompressed_page_size, Number.POSITIVE_INFINITY)
  return { header, bodyStart, end }
}

function checkPageCount(value: number | undefined, maximum: number): number {
  if (Number.isInteger(value) && value !== undefined && value >= 0 && value <= maximum) return value
  throw invalidFileError('a count or length in a page header is missing or out of range')
}

/** Returns the offset after a version 1 page's levels, and the number of levels that equal `maximum`. */
function skipLevels(page: Uint8Array, start: number, maximum: number, count: number) {
  if (maximum === 0) return { end: start, full: count }
  if (start + 4 > page.length) throw invalidFileError('a page is truncated')
  const length = new DataView(page.buffer, page.byteOffset, page.length).getUint32(start, true)
  return { end: start + 4 + length, full: checkLevels(page, start + 4, maximum, count) }
}

/** Checks levels and returns how many equal `maximum`. */
function checkLevels(page: Uint8Array, start: number, maximum: number, count: number): number {
  if (maximum === 0) return count
  return countInRuns({ page, start, width: 32 - Math.clz32(maximum) }, count, maximum)
}
