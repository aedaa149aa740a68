import type { SchemaElement } from 'hyparquet'
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer'
import { packTar, type TarEntry } from 'modern-tar'
import { Slices } from '../shared/slices.ts'
import type { ResultColumn } from './engine.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** The estimated time to write one cell, in microseconds. */
const cellWork = 1

/** Times are floating local times, which have no zone. */
const columnTypes: Record<ResultColumn['type'], Omit<SchemaElement, 'name'>> = {
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  time: {
    type: 'INT64',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' },
  },
}

/** Delta encoding is compact for times and integers, because consecutive values differ little. */
const encodings: Partial<Record<ResultColumn['type'], Pick<ColumnSource, 'encoding'>>> = {
  integer: { encoding: 'DELTA_BINARY_PACKED' },
  time: { encoding: 'DELTA_BINARY_PACKED' },
}

/** Returns a gzipped tar of `0.parquet`, `1.parquet` and so on: one file per query (specification 4.11). */
export async function parquetArchive(results: readonly ResultColumn[][]): Promise<Bytes> {
  const files: TarEntry[] = []
  const slices = new Slices()
  for (const [at, columns] of results.entries()) {
    await slices.spend(columns.length * (columns[0]?.values.length ?? 0) * cellWork)
    const body = parquetFile(columns)
    // By default, `mtime` is the current time, which would make the bytes differ between runs.
    const header = { name: `${at}.parquet`, size: body.byteLength, mtime: new Date(0) }
    files.push({ header, body })
  }
  return gzip(await packTar(files))
}

/** Creates a Parquet file in which every column can contain nulls. */
export function parquetFile(columns: readonly ResultColumn[]): Bytes {
  const root: SchemaElement = { name: 'root', num_children: columns.length }
  const schema = columns.map(({ name, type }): SchemaElement => {
    return { name, repetition_type: 'OPTIONAL', ...columnTypes[type] }
  })
  const columnData = columns.map(({ name, type, values }) => {
    return { name, data: cells(type, values), ...encodings[type] }
  })
  const file = new Uint8Array(parquetWriteBuffer({ columnData, schema: [root, ...schema] }))
  const isEmpty = columns.every(({ values }) => values.length === 0)
  return isEmpty ? withTypedRowGroups(file) : file
}

function cells(type: ResultColumn['type'], values: ResultColumn['values']): unknown[] {
  if (type === 'integer') return values.map((value) => (value === null ? null : BigInt(value)))
  if (type !== 'time') return values
  const momentOf = momentParser()
  return values.map((value) => (value === null ? null : BigInt(momentOf(String(value)))))
}

/** Returns a parser that caches the last day, because consecutive times are usually on the same day. */
function momentParser(): (time: string) => number {
  let lastDay = ''
  let midnight = 0
  return (time) => {
    if (time.length !== '2025-02-17T23:10:00'.length) return Date.parse(`${time}Z`)
    const day = time.slice(0, 10)
    if (day !== lastDay) midnight = Date.parse(day)
    lastDay = day
    const minutes = twoDigits(time, 11) * 60 + twoDigits(time, 14)
    return midnight + (minutes * 60 + twoDigits(time, 17)) * 1000
  }
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48
}

/** Part of the footer: no rows (field 3), an empty list of row groups (field 4), and the writer (field 6). */
const noRowGroups = [0x16, 0x00, 0x19, 0x00, 0x28]
const emptyListOfStructs = 0x0c

/**
 * Adds the element type to the empty list of row groups in a file without rows. The writer omits the type, and readers
 * based on arrow-rs then reject the file.
 */
function withTypedRowGroups(file: Bytes): Bytes {
  const at = file.findLastIndex((_, start) =>
    noRowGroups.every((byte, offset) => file[start + offset] === byte),
  )
  if (at !== -1) file[at + 3] = emptyListOfStructs
  return file
}

/** Compresses with level 1, because Parquet is already compressed. Browsers do not let callers choose a level. */
async function gzip(bytes: Bytes): Promise<Bytes> {
  const load = globalThis.process?.getBuiltinModule
  // Node.js compresses on another thread.
  const packed = load
    ? new Uint8Array(await load('node:util').promisify(load('node:zlib').gzip)(bytes, { level: 1 }))
    : await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip')))
        .arrayBuffer()
        .then((buffer) => new Uint8Array(buffer))
  // The header names the operating system, which would make the bytes differ between machines.
  packed[9] = 255
  return packed
}
