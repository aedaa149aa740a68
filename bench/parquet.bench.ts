import { execFileSync } from 'node:child_process'
import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { parquetReadObjects } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { formatFloating } from '../mock/query/calendar.ts'
import type { ResultColumn } from '../mock/query/engine.ts'
import { parquetArchive, parquetFile } from '../mock/query/parquet.ts'
import { Random } from '../mock/reference-data/random.ts'
import { ParquetArchive, tables } from '../src/parquet/index.ts'
import { cpuTime, type Figure, megabytes, ratio } from './figure.ts'

const rows = 1_000_000
const first = Date.UTC(2023, 6, 1)

function resultColumns(): ResultColumn[] {
  const random = new Random('bench')
  const each = <T>(cell: (row: number) => T) => Array.from({ length: rows }, (_, row) => cell(row))
  return [
    { name: 'index', type: 'time', values: each((row) => formatFloating(first + row * 60_000)) },
    { name: 'mean', type: 'number', values: each(() => random.next() * 100) },
    { name: 'max', type: 'number', values: each(() => random.next() * 200) },
    { name: 'count', type: 'integer', values: each(() => random.integer(0, 60)) },
  ]
}

function bareColumns([index, mean, max, count]: ResultColumn[]) {
  return [
    {
      name: 'index',
      type: 'TIMESTAMP' as const,
      data: index?.values.map((time) => new Date(`${time}Z`)) ?? [],
    },
    { name: 'mean', type: 'DOUBLE' as const, data: mean?.values ?? [] },
    { name: 'max', type: 'DOUBLE' as const, data: max?.values ?? [] },
    {
      name: 'count',
      type: 'INT64' as const,
      data: count?.values.map((value) => BigInt(value ?? 0)) ?? [],
    },
  ]
}

async function readAll(archive: Uint8Array<ArrayBuffer>): Promise<number> {
  let read = 0
  for await (const table of tables(ParquetArchive.from(archive))) {
    for await (const row of table.rows()) if (row['mean'] !== null) read += 1
  }
  return read
}

async function readBare(file: ArrayBuffer): Promise<number> {
  const objects = await parquetReadObjects({ file })
  return objects.filter(({ mean }) => mean !== null).length
}

const mebibyte = 1024 * 1024

/** `size` and the result are in megabytes. Another process packs the archive, so its memory is not measured. */
async function peakGrowth(size: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'health-lab-bench-'))
  const path = join(folder, 'large.tar.gz')
  execFileSync(process.execPath, ['bench/processes/large-archive.ts', path, String(size)])
  try {
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    let peak = before
    let read = 0
    const source = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array<ArrayBuffer>>
    for await (const file of ParquetArchive.from(source).files()) {
      for await (const chunk of file.stream) {
        read += chunk.byteLength
        if (read % mebibyte < chunk.byteLength) peak = Math.max(peak, process.memoryUsage().rss)
      }
    }
    if (read !== size * mebibyte) throw new Error('The archive was not read completely.')
    return (peak - before) / mebibyte
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function measureWriting(rounds: number): Promise<Figure> {
  const columns = resultColumns()
  const bare = bareColumns(columns)
  const found = await cpuTime(rounds, () => parquetFile(columns))
  const bareTime = await cpuTime(rounds, () => parquetWriteBuffer({ columnData: bare }))
  return ratio(
    'Writing 1,000,000 rows of 4 columns as Parquet: the mock / hyparquet-writer',
    found / bareTime,
    1.15,
  )
}

/** `tables` also unpacks its archive. */
async function measureReading(rounds: number): Promise<Figure> {
  const { archive, file } = await packColumns()
  if ((await readAll(archive)) !== (await readBare(file))) throw new Error('The rows differ.')
  const found = await cpuTime(rounds, () => readAll(archive))
  const bareTime = await cpuTime(rounds, () => readBare(file))
  return ratio(
    'Reading 1,000,000 rows of 4 columns from Parquet: tables() / hyparquet',
    found / bareTime,
    1.15,
  )
}

async function packColumns() {
  const columns = resultColumns()
  return { archive: await parquetArchive([columns]), file: parquetFile(columns).buffer }
}

export default async function (isFull: boolean): Promise<Figure[]> {
  const [size, rounds] = isFull ? [400, 7] : [100, 2]
  const growth = await peakGrowth(size)
  const read = await measureReading(rounds)
  const written = await measureWriting(rounds)
  return [
    written,
    read,
    megabytes(`Peak memory growth while ${size} MB streams through files()`, growth, 64),
  ]
}
