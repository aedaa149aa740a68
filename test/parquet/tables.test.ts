import zlib from 'node:zlib'
import { tableFromIPC } from 'apache-arrow'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { readParquet } from 'parquet-wasm'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ResultColumn } from '../../mock/query/engine.ts'
import { parquetArchive, parquetFile } from '../../mock/query/parquet.ts'
import { ParquetArchive, tables } from '../../src/parquet/index.ts'
import { runsOf } from '../support/long-tests.ts'
import {
  archiveFailure,
  archiveOf,
  listOf,
  noise,
  numbers,
  tablesOf,
} from '../support/parquet/archives.ts'
import { readWithDuckDB, writeWithDuckDB } from '../support/parquet/duckdb.ts'
import { fc } from '../support/properties.ts'

const everyType: ResultColumn[] = [
  { name: 'index', type: 'time', values: ['2025-02-17T00:00:00', '1969-12-31T23:59:59', null] },
  { name: 'mean', type: 'number', values: [0.1, null, -1.5e300] },
  { name: 'count', type: 'integer', values: [null, -7, 9007199254740991] },
  { name: 'newest', type: 'text', values: ['', null, 'Über "quoted" 🩺'] },
  { name: 'max.session_end', type: 'time', values: [null, null, null] },
]

/** The rows of columns, as in the JSON response. */
function rowsOf(columns: ResultColumn[]): object[] {
  return (columns[0]?.values ?? []).map((_, row) =>
    Object.fromEntries(columns.map(({ name, values }) => [name, values[row] ?? null])),
  )
}

function emptied(columns: ResultColumn[]): ResultColumn[] {
  return columns.map((column) => ({ ...column, values: [] }))
}

const cases: [string, ResultColumn[]][] = [
  ['every type, with nulls', everyType],
  ['no rows', emptied(everyType)],
  ['one column', everyType.slice(1, 2)],
  [
    '3,000 rows in several row groups',
    [
      {
        name: 'index',
        type: 'time',
        values: Array.from({ length: 3000 }, (_, minute) =>
          new Date(1_735_689_600_000 + minute * 60_000).toISOString().slice(0, 19),
        ),
      },
      {
        name: 'count',
        type: 'integer',
        values: Array.from({ length: 3000 }, (_, at) => at % 7 || null),
      },
      {
        name: 'source_provider',
        type: 'text',
        values: Array.from({ length: 3000 }, (_, at) => ['oura', 'garmin', null][at % 3] ?? null),
      },
    ],
  ],
]

it.each(cases)('reads tables of the mock: %s', async (_, columns) => {
  const [table] = await tablesOf(await parquetArchive([columns]))
  const names = columns.map(({ name }) => name)
  const expected = rowsOf(columns)
  expect(table).toEqual({ query: 0, columns: names, rowCount: expected.length, rows: expected })
})

describe('DuckDB reads tables of the mock', () => {
  const types = { time: 'TIMESTAMP', number: 'DOUBLE', integer: 'BIGINT', text: 'VARCHAR' }
  /** DuckDB writes times with a blank, and large integers as strings. */
  const written = (rows: Record<string, unknown>[], columns: ResultColumn[]) =>
    rows.map((row) =>
      Object.fromEntries(
        columns.map(({ name, type }) => {
          const value = row[name] ?? null
          if (value === null) return [name, null]
          if (type === 'time') return [name, String(value).replace(' ', 'T')]
          return [name, type === 'integer' ? Number(value) : value]
        }),
      ),
    )

  it.each(cases)('%s', async (_, columns) => {
    const read = await readWithDuckDB(parquetFile(columns))
    expect(read.types).toEqual(
      Object.fromEntries(
        columns.map(({ name, type }) => [name, expect.stringContaining(types[type])]),
      ),
    )
    expect(written(read.rows, columns)).toEqual(rowsOf(columns))
  })
})

describe('arrow-rs reads tables of the mock', () => {
  it.each(cases)('%s', async (_, columns) => {
    const table = tableFromIPC(readParquet(parquetFile(columns)).intoIPCStream())
    expect(table.schema.fields.map(({ name }) => name)).toEqual(columns.map(({ name }) => name))
    expect(table.numRows).toBe(columns[0]?.values.length)
    for (const { name, type, values } of columns) {
      const read = Array.from(table.getChild(name) ?? [], (value: unknown) => {
        if (value === null) return null
        if (type === 'time') return new Date(Number(value)).toISOString().slice(0, 19)
        return type === 'integer' ? Number(value) : value
      })
      expect(read).toEqual(values)
    }
  })
})

it('writes the same bytes for the same results', async () => {
  const [one, other] = await Promise.all([parquetArchive([everyType]), parquetArchive([everyType])])
  expect(Buffer.from(one).equals(other)).toBe(true)
})

describe('a file of DuckDB', () => {
  const select = `
    SELECT * FROM (VALUES
      (TIMESTAMP '2025-02-17 23:10:00', 1.5::DOUBLE, 7::BIGINT, 'oura', true, DATE '2025-02-17'),
      (TIMESTAMP '2025-02-18 00:00:00.25', NULL, NULL, NULL, NULL, NULL),
      (NULL, -0.25, -9007199254740993, 'garmin', false, DATE '1969-12-31')
    ) AS responses(index, mean, count, newest, flag, day)`
  const rows = [
    {
      index: '2025-02-17T23:10:00',
      mean: 1.5,
      count: 7,
      newest: 'oura',
      flag: true,
      day: '2025-02-17',
    },
    {
      index: '2025-02-18T00:00:00.25',
      mean: null,
      count: null,
      newest: null,
      flag: null,
      day: null,
    },
    {
      index: null,
      mean: -0.25,
      count: -9007199254740993n,
      newest: 'garmin',
      flag: false,
      day: '1969-12-31',
    },
  ]

  it.each([
    'COMPRESSION snappy',
    'COMPRESSION zstd',
    'COMPRESSION gzip',
    'COMPRESSION brotli',
    'COMPRESSION uncompressed',
    'PARQUET_VERSION v2',
  ])('is read with %s', async (options) => {
    const body = await writeWithDuckDB(select, options)
    const [table] = await tablesOf(await archiveOf({ name: '0.parquet', body }))
    expect(table?.rows).toEqual(rows)
  })

  it('is rejected as unsupported, not as invalid, when the platform has no zstd', async () => {
    const body = await writeWithDuckDB(select, 'COMPRESSION zstd')
    const { getBuiltinModule } = process
    onTestFinished(() => void Object.assign(process, { getBuiltinModule }))
    const withoutZstd = (id: string) =>
      id === 'node:zlib' ? { ...zlib, zstdDecompressSync: undefined } : getBuiltinModule(id)
    Object.assign(process, { getBuiltinModule: withoutZstd })
    const error = await archiveFailure(tablesOf(await archiveOf({ name: '0.parquet', body })))
    expect(error.message).toContain(
      'uses ZSTD compression, which tables() does not support on this platform',
    )
    expect(error.message).not.toContain('not valid')
  })

  it('is read without rows', async () => {
    const body = await writeWithDuckDB(`${select} WHERE false`)
    const [table] = await tablesOf(await archiveOf({ name: '0.parquet', body }))
    expect(table).toMatchObject({ rowCount: 0, rows: [] })
    expect(table?.columns).toEqual(['index', 'mean', 'count', 'newest', 'flag', 'day'])
  })

  it.each(['snappy', 'uncompressed'])(
    'is read with many row groups and pages of %s',
    async (codec) => {
      const body = await writeWithDuckDB(
        `SELECT i % 1000 AS few, i AS many, CASE WHEN i % 3 = 0 THEN NULL ELSE 'source ' || (i % 5) END AS name
       FROM range(300000) AS numbers(i)`,
        `COMPRESSION ${codec}, ROW_GROUP_SIZE 100000`,
      )
      const [table] = await tablesOf(await archiveOf({ name: '0.parquet', body }))
      expect(table?.rows).toHaveLength(300_000)
      expect(table?.rows[123_457]).toEqual({ few: 457, many: 123_457, name: 'source 2' })
      expect(table?.rows[299_997]).toEqual({ few: 997, many: 299_997, name: null })
    },
  )

  it('distinguishes times with and without a time zone', async () => {
    const body = await writeWithDuckDB(
      `SELECT TIMESTAMPTZ '2025-02-17 12:00:00+00' AS utc, TIMESTAMP_NS '2025-02-17 12:00:00.000000001' AS exact`,
    )
    const [table] = await tablesOf(await archiveOf({ name: '0.parquet', body }))
    expect(table?.rows).toEqual([
      { utc: '2025-02-17T12:00:00Z', exact: '2025-02-17T12:00:00.000000001' },
    ])
  })
})

it('returns tables in the order of their queries, 10 after 9', async () => {
  const results = Array.from({ length: 12 }, (_, query): ResultColumn[] => [
    { name: 'mean', type: 'number', values: [query] },
  ])
  const found = await tablesOf(await parquetArchive(results))
  expect(found.map(({ query, rows }) => [query, rows])).toEqual(
    results.map((_, query) => [query, [{ mean: query }]]),
  )
})

it('keeps a table readable after the loop continued', async () => {
  const archive = ParquetArchive.from(
    await archiveOf(
      { name: '0.parquet', body: numbers(1, 2) },
      { name: '1.parquet', body: numbers(3) },
    ),
  )
  const [first] = await listOf(tables(archive))
  for (const _ of [1, 2]) {
    await expect(first && listOf(first.rows())).resolves.toEqual([{ mean: 1 }, { mean: 2 }])
  }
})

it('ends when the loop over rows ends early', async () => {
  const archive = ParquetArchive.from(
    await archiveOf({ name: '0.parquet', body: numbers(1, 2, 3) }),
  )
  for await (const table of tables(archive)) {
    const rows = table.rows()
    for await (const row of rows) {
      expect(row).toEqual({ mean: 1 })
      break
    }
    await expect(rows.next()).resolves.toEqual({ done: true, value: undefined })
  }
})

it('returns rows to concurrent reads', async () => {
  const archive = ParquetArchive.from(await archiveOf({ name: '0.parquet', body: numbers(1, 2) }))
  for await (const table of tables(archive)) {
    const rows = table.rows()
    const steps = await Promise.all([rows.next(), rows.next(), rows.next()])
    expect(steps.map(({ value }) => value)).toEqual([{ mean: 1 }, { mean: 2 }, undefined])
  }
})

describe('rejects', () => {
  const whole = numbers(1, 2, 3)
  const twice = parquetWriteBuffer({
    columnData: [
      { name: 'mean', data: [1], type: 'DOUBLE' },
      { name: 'mean', data: [2], type: 'DOUBLE' },
    ],
  })
  const unbearable = parquetWriteBuffer({
    columnData: [{ name: '__proto__', data: [1], type: 'DOUBLE' }],
  })

  it.each([
    ['text', new TextEncoder().encode('not Parquet, but long enough for one')],
    ['nothing', new Uint8Array()],
    ['a file that lacks its end', whole.slice(0, -20)],
    [
      'a footer of noise',
      new Uint8Array([...whole.slice(0, 20), ...noise(100), ...whole.slice(-8)]),
    ],
    ['two columns of one name', new Uint8Array(twice)],
    ['a column that no row can have', new Uint8Array(unbearable)],
  ])('%s', async (_, body) => {
    const error = await archiveFailure(tablesOf(await archiveOf({ name: '0.parquet', body })))
    expect(error.code).toBe('parquet_invalid')
    expect(error.message).toContain('0.parquet')
  })

  it('a time that no calendar has', async () => {
    const body = await writeWithDuckDB(`SELECT TIMESTAMP_MS 'infinity' AS index`)
    const error = await archiveFailure(tablesOf(await archiveOf({ name: '0.parquet', body })))
    expect(error.code).toBe('parquet_invalid')
  })

  it.each([
    ['maxTableBytes', { maxTableBytes: 100 }],
    ['maxGroupRows', { maxGroupRows: 2 }],
  ])('a file that exceeds %s', async (name, limits) => {
    const error = await archiveFailure(
      tablesOf(await archiveOf({ name: '0.parquet', body: whole }), limits),
    )
    expect(error).toMatchObject({ code: 'archive_too_large' })
    expect(error.message).toContain(`(${name})`)
  })
})

it('turns Parquet files with corrupt bytes into rows or a typed error, in bounded memory', async () => {
  const rows = 300
  const file = parquetFile([
    {
      name: 'count',
      type: 'integer',
      values: Array.from({ length: rows }, (_, at) => at % 5 || null),
    },
    { name: 'mean', type: 'number', values: Array.from({ length: rows }, (_, at) => at / 3) },
    {
      name: 'text',
      type: 'text',
      values: Array.from({ length: rows }, (_, at) => ['a', 'b', null][at % 3] ?? null),
    },
  ])
  const duckdb = await writeWithDuckDB(
    `SELECT i % 9 AS few, nullif(i % 4, 0) AS gaps FROM range(300) AS t(i)`,
  )
  const change = fc.record({ at: fc.nat(), byte: fc.oneof(fc.constant(255), fc.nat(255)) })
  const changes = fc.array(change, { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(file, duckdb), changes, async (original, changes) => {
      const body = original.slice()
      for (const { at, byte } of changes) body[at % body.length] = byte
      const bytes = await archiveOf({ name: '0.parquet', body })
      const found = await tablesOf(bytes).catch((error: unknown) => error)
      if (!Array.isArray(found)) expect(found).toMatchObject({ name: 'ArchiveError' })
    }),
    { numRuns: runsOf(1000) },
  )
})
