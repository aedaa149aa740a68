import { gzipSync } from 'node:zlib'
import { packTar, type TarHeader } from 'modern-tar'
import type { ResultColumn } from '../../../mock/query/engine.ts'
import { parquetFile } from '../../../mock/query/parquet.ts'
import {
  ArchiveError,
  ParquetArchive,
  type ParquetTable,
  tables,
} from '../../../src/parquet/index.ts'
import { failureOf } from '../failure.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A file in a tar archive, or an entry of another type. */
export interface TestEntry extends Partial<TarHeader> {
  name: string
  body?: Bytes | string
}

export async function tarOf(...entries: TestEntry[]): Promise<Bytes> {
  const files = entries.map(({ body = '', ...header }) => {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    return { header: { size: bytes.byteLength, ...header, mtime: new Date(0) }, body: bytes }
  })
  return packTar(files)
}

export function gzipOf(bytes: Uint8Array, level = 1): Bytes {
  return new Uint8Array(gzipSync(bytes, { level }))
}

export async function archiveOf(...entries: TestEntry[]): Promise<Bytes> {
  return gzipOf(await tarOf(...entries))
}

/** Returns a small Parquet file with one column of these numbers. */
export function numbers(...values: (number | null)[]): Bytes {
  return parquetFile([{ name: 'mean', type: 'number', values } satisfies ResultColumn])
}

/** Returns the name and the content of each file in an archive. */
export async function filesOf(bytes: Bytes, limits = {}): Promise<[name: string, text: string][]> {
  const found: [string, string][] = []
  for await (const file of ParquetArchive.from(bytes).files(limits)) {
    found.push([file.name, new TextDecoder().decode(await file.bytes())])
  }
  return found
}

/** Returns the tables of an archive with all their rows. */
export async function tablesOf(bytes: Bytes, limits = {}) {
  const found: (Pick<ParquetTable, 'query' | 'columns' | 'rowCount'> & { rows: object[] })[] = []
  for await (const { query, columns, rowCount, rows } of tables(
    ParquetArchive.from(bytes),
    limits,
  )) {
    found.push({ query, columns, rowCount, rows: await listOf(rows()) })
  }
  return found
}

/** Returns all items of an async iterable. */
export async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

/** Returns the `ArchiveError` that a promise rejects with. */
export async function archiveFailure(reading: Promise<unknown>): Promise<ArchiveError> {
  return failureOf(reading, ArchiveError)
}

/** Returns pseudorandom bytes, the same each time, that do not compress. */
export function noise(length: number): Bytes {
  let state = 1
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state >>> 24
  })
}
