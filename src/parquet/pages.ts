import {
  type ColumnMetaData,
  type CompressionCodec,
  type Compressors,
  type Encoding,
  type PageHeader,
  type ParquetType,
  type SchemaTree,
  snappyUncompress,
} from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { getMaxDefinitionLevel, getMaxRepetitionLevel, getTreePath } from 'hyparquet/src/schema.js'
import { countInRuns } from './runs.ts'

/** The most that pages may stand for. */
interface Bounds {
  rows: number
  bytes: number
}

/**
 * Checks the pages of a column chunk before they are decoded. The decoder trusts them: a single wrong byte can make it
 * fill all memory with repetitions of one value. Pages that this unpacked are given to the decoder by `compressors`.
 */
export class Pages {
  readonly #file: ArrayBuffer
  readonly #schema: SchemaTree
  readonly #bounds: Bounds
  #unpacked: Uint8Array[] = []

  constructor(file: ArrayBuffer, schema: SchemaTree, bounds: Bounds) {
    this.#file = file
    this.#schema = schema
    this.#bounds = bounds
  }

  /** Takes what {@link check} has unpacked, page after page. */
  get compressors(): Compressors {
    const codecs = ['SNAPPY', 'GZIP', 'BROTLI', 'ZSTD'] as const
    return Object.fromEntries(
      codecs.map((codec) => [
        codec,
        (input: Uint8Array, size: number) => this.#unpacked.shift() ?? unpack(codec, input, size),
      ]),
    )
  }

  /** Throws where the pages of a column, which is about to be decoded, stand for more than they may. */
  check(chunks: ColumnMetaData[]): void {
    this.#unpacked = []
    for (const chunk of chunks) this.#checkChunk(chunk)
  }

  #checkChunk(chunk: ColumnMetaData): void {
    const start = Number(chunk.dictionary_page_offset || chunk.data_page_offset)
    const size = Number(chunk.total_compressed_size)
    const bytes = new Uint8Array(this.#file, start, size)
    const reader = { view: new DataView(this.#file, start, size), offset: 0 }
    const levels = levelsOf(getTreePath(this.#schema, chunk.path_in_schema))
    const left = { ...this.#bounds }
    while (reader.offset < size - 1) {
      const header = parquetHeader(reader)
      const end = reader.offset + header.compressed_page_size
      if (end < reader.offset || end > size) throw new PageError()
      left.bytes -= bounded(header.uncompressed_page_size, left.bytes)
      left.rows -= this.#checkPage(chunk, header, bytes.subarray(reader.offset, end), levels, left)
      reader.offset = end
    }
  }

  /** Returns how many values the page has. */
  #checkPage(
    chunk: ColumnMetaData,
    header: PageHeader,
    body: Uint8Array,
    levels: Levels,
    left: Bounds,
  ): number {
    const { data_page_header: first, data_page_header_v2: second, uncompressed_page_size } = header
    if (second) {
      const count = bounded(second.num_values, left.rows)
      const repeated = bounded(second.repetition_levels_byte_length, body.length)
      const start = repeated + bounded(second.definition_levels_byte_length, body.length - repeated)
      checkLevels(body, 0, levels.repetition, count)
      checkLevels(body, repeated, levels.definition, count)
      const codec = second.is_compressed === false ? 'UNCOMPRESSED' : chunk.codec
      const values = this.#unpack(codec, body.subarray(start), uncompressed_page_size - start)
      checkValues(values, 0, second.encoding, chunk.type, count - second.num_nulls)
      return count
    }
    const page = this.#unpack(chunk.codec, body, uncompressed_page_size)
    if (!first) {
      bounded(header.dictionary_page_header?.num_values, this.#bounds.rows)
      return 0
    }
    const count = bounded(first.num_values, left.rows)
    const repeated = afterLevels(page, 0, levels.repetition, count)
    const defined = afterLevels(page, repeated.end, levels.definition, count)
    checkValues(page, defined.end, first.encoding, chunk.type, defined.full)
    return count
  }

  #unpack(codec: CompressionCodec, input: Uint8Array, size: number): Uint8Array {
    if (codec === 'UNCOMPRESSED') return input
    const page = unpack(codec, input, size)
    this.#unpacked.push(page)
    return page
  }
}

/** A page is out of its bounds. */
class PageError extends Error {}

function bounded(value: number | undefined, greatest: number): number {
  if (value === undefined || !(value >= 0 && value <= greatest)) throw new PageError()
  return value
}

/** The greatest repetition and definition level of a column; 0 where none are written. */
interface Levels {
  repetition: number
  definition: number
}

function levelsOf(path: SchemaTree[]): Levels {
  return { repetition: getMaxRepetitionLevel(path), definition: getMaxDefinitionLevel(path) }
}

/** Where the levels of a page of version 1 end, and how many are the greatest one: so many values follow. */
function afterLevels(page: Uint8Array, start: number, greatest: number, count: number) {
  if (greatest === 0) return { end: start, full: count }
  const length = new DataView(page.buffer, page.byteOffset, page.length).getUint32(start, true)
  return { end: start + 4 + length, full: checkLevels(page, start + 4, greatest, count) }
}

/** Returns how many levels are the greatest one. */
function checkLevels(page: Uint8Array, start: number, greatest: number, count: number): number {
  if (greatest === 0) return count
  return countInRuns(page, start, 32 - Math.clz32(greatest), count, greatest)
}

/** Values are written in runs where they are places in a dictionary, and where they are booleans. */
function checkValues(
  page: Uint8Array,
  start: number,
  encoding: Encoding,
  type: ParquetType,
  count: number,
): void {
  if (encoding !== 'RLE' && !encoding.endsWith('_DICTIONARY')) return
  if (type === 'BOOLEAN') countInRuns(page, start + 4, 1, count)
  else countInRuns(page, start + 1, page[start] ?? 0, count)
}

/** Unpacks a page. Codecs other than Snappy are those that the platform has. */
function unpack(codec: CompressionCodec, input: Uint8Array, size: number): Uint8Array {
  if (codec === 'SNAPPY') {
    const page = new Uint8Array(size)
    snappyUncompress(input, page)
    return page
  }
  const zlib = globalThis.process?.getBuiltinModule?.('node:zlib')
  const options = { maxOutputLength: Math.max(1, size) }
  if (codec === 'GZIP' && zlib) return zlib.gunzipSync(input, options)
  if (codec === 'BROTLI' && zlib) return zlib.brotliDecompressSync(input, options)
  if (codec === 'ZSTD' && zlib) return zlib.zstdDecompressSync(input, options)
  throw new TypeError(`no codec ${codec}`)
}
