import { Float64, Int32, Int64, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow'
import { parquetWriteBuffer } from 'hyparquet-writer'
import * as arrowParquet from 'parquet-wasm'
import { describe, expect, it } from 'vitest'
import { archiveFailure, archiveOf, tablesOf } from '../support/parquet/archives.ts'
import { writeWithDuckDB } from '../support/parquet/duckdb.ts'

const { Compression, Encoding, WriterPropertiesBuilder, WriterVersion, writeParquet } = arrowParquet

const rows = Array.from({ length: 3000 }, (_, at) => {
  const hasGap = at % 7 === 3
  return {
    small: hasGap ? null : ((at * 7919) % 100_003) - 50_000,
    whole: hasGap ? null : at * 1_000_003,
    part: hasGap ? null : at / 8,
    text: hasGap ? null : `a text that begins alike ${at % 13} ${at}`,
  }
})

/** The rows without their gaps: columns without nulls are written without levels. */
const full = rows.filter(({ text }) => text !== null)

async function rowsOf(body: Uint8Array<ArrayBuffer>) {
  const [table] = await tablesOf(await archiveOf({ name: '0.parquet', body }))
  return table?.rows
}

describe.each([
  ['with nulls', rows],
  ['without nulls', full],
])('%s', (_, values) => {
  const column = <Name extends keyof (typeof rows)[0]>(name: Name) => values.map((row) => row[name])

  const arrow = () => {
    const bigs = column('whole').map((value) => (value === null ? null : BigInt(value)))
    const table = new Table({
      small: vectorFromArray(column('small'), new Int32()),
      whole: vectorFromArray(bigs, new Int64()),
      part: vectorFromArray(column('part'), new Float64()),
      text: vectorFromArray(column('text'), new Utf8()),
    })
    return arrowParquet.Table.fromIPCStream(tableToIPC(table, 'stream'))
  }

  const numbers = { small: Encoding.DELTA_BINARY_PACKED, whole: Encoding.DELTA_BINARY_PACKED }
  const split = { small: Encoding.BYTE_STREAM_SPLIT, part: Encoding.BYTE_STREAM_SPLIT }
  it.each([
    ['dictionaries', undefined],
    ['PLAIN', { small: Encoding.PLAIN, whole: Encoding.PLAIN, text: Encoding.PLAIN }],
    ['DELTA_BINARY_PACKED and DELTA_BYTE_ARRAY', { ...numbers, text: Encoding.DELTA_BYTE_ARRAY }],
    [
      'BYTE_STREAM_SPLIT and DELTA_LENGTH_BYTE_ARRAY',
      { ...split, text: Encoding.DELTA_LENGTH_BYTE_ARRAY },
    ],
  ])('reads %s of arrow-rs, in pages of both versions', async (_, encodings) => {
    for (const version of [WriterVersion.V1, WriterVersion.V2]) {
      let builder = new WriterPropertiesBuilder().setWriterVersion(version)
      builder = builder.setCompression(Compression.SNAPPY).setDictionaryEnabled(!encodings)
      builder = builder.setDataPageSizeLimit(2000).setMaxRowGroupSize(1000)
      for (const [name, encoding] of Object.entries(encodings ?? {})) {
        builder = builder.setColumnEncoding(name, encoding)
      }
      const body = new Uint8Array(writeParquet(arrow(), builder.build()))
      await expect(rowsOf(body)).resolves.toEqual(values)
    }
  })

  it.each([
    ['INT32', 'small', ['PLAIN', 'DELTA_BINARY_PACKED', 'BYTE_STREAM_SPLIT']],
    ['INT64', 'whole', ['PLAIN', 'DELTA_BINARY_PACKED', 'BYTE_STREAM_SPLIT']],
    ['DOUBLE', 'part', ['PLAIN', 'BYTE_STREAM_SPLIT']],
    ['STRING', 'text', ['PLAIN', 'DELTA_LENGTH_BYTE_ARRAY', 'DELTA_BYTE_ARRAY']],
  ] as const)('reads %s of hyparquet-writer in every encoding', async (type, name, encodings) => {
    const data = column(name).map((value) =>
      type === 'INT64' && value !== null ? BigInt(value) : value,
    )
    for (const encoding of [undefined, ...encodings]) {
      const columnData = [{ name, data, type, ...(encoding ? { encoding } : {}) }]
      const body = new Uint8Array(parquetWriteBuffer({ columnData, pageSize: 2000 }))
      await expect(rowsOf(body)).resolves.toEqual(values.map((row) => ({ [name]: row[name] })))
    }
  })

  it.each(['snappy', 'zstd', 'uncompressed'])(
    'reads what DuckDB writes in both versions as %s',
    async (codec) => {
      const gaps = values === rows ? 'CASE WHEN i % 7 = 3 THEN NULL ELSE v END' : 'v'
      const where = values === rows ? '' : 'WHERE i % 7 <> 3'
      const of = (value: string, name: string) => `${gaps.replace('v', value)} AS ${name}`
      const select = `SELECT ${[
        of('(((i * 7919) % 100003) - 50000)::INTEGER', 'small'),
        of('(i * 1000003)::BIGINT', 'whole'),
        of('(i / 8)::DOUBLE', 'part'),
        of(`'a text that begins alike ' || (i % 13) || ' ' || i`, 'text'),
      ].join(', ')} FROM range(3000) AS numbers(i) ${where}`
      for (const version of ['V1', 'V2']) {
        for (const dictionary of ['', ', DICTIONARY_SIZE_LIMIT 1']) {
          const options = `COMPRESSION ${codec}, PARQUET_VERSION ${version}${dictionary}`
          await expect(rowsOf(await writeWithDuckDB(select, options))).resolves.toEqual(values)
        }
      }
    },
  )
})

it('reads decimals of every size as the nearest numbers', async () => {
  const sizes = [4, 9, 18, 38]
  const columns = sizes.map((digits) => `(i / 10 - 1)::DECIMAL(${digits}, 1) AS d${digits}`)
  const body = await writeWithDuckDB(
    `SELECT ${columns.join(', ')}, NULL::DECIMAL(18, 3) AS missing FROM range(30) AS numbers(i)`,
  )
  expect(await rowsOf(body)).toEqual(
    Array.from({ length: 30 }, (_, i) => {
      const value = (i - 10) / 10
      return { d4: value, d9: value, d18: value, d38: value, missing: null }
    }),
  )
})

it('rejects a delta encoding whose first value has more than 32 bits, and reads other unsigned values', async () => {
  const write = (values: string) =>
    writeWithDuckDB(
      `SELECT CAST(unnest([${values}]) AS UINTEGER) AS value`,
      'PARQUET_VERSION V2, DICTIONARY_SIZE_LIMIT 1',
    )
  expect(await rowsOf(await write('0, 3000000000'))).toEqual([{ value: 0 }, { value: 3000000000 }])
  const error = await archiveFailure(rowsOf(await write('3000000000, 0')))
  expect(error.message).toContain('uses a delta encoding whose first value has more than 32 bits')
})

it('reads lists, structs and maps', async () => {
  const body = await writeWithDuckDB(
    `SELECT [i, NULL, i + 1] AS list, {'name': 'n' || i, 'deep': [[i]]} AS struct, MAP {'key': i} AS map
     FROM range(3) AS numbers(i)`,
  )
  const nested: unknown = await rowsOf(body)
  expect(nested).toEqual(
    [0, 1, 2].map((at) => ({
      list: [at, null, at + 1].map((value) => (value === null ? null : BigInt(value))),
      struct: { name: `n${at}`, deep: [[BigInt(at)]] },
      map: { key: BigInt(at) },
    })),
  )
})

it.each([
  ['with a number', `MAP {'__proto__': i}`],
  ['with an object', `MAP {'__proto__': {'admin': i}}`],
  ['in a list of structs', `[{'inner': MAP {'a': i, '__proto__': i}}]`],
])('rejects the map key __proto__ %s, which would replace a prototype', async (_, value) => {
  const body = await writeWithDuckDB(`SELECT ${value} AS map FROM range(3) AS numbers(i)`)
  const error = await archiveFailure(rowsOf(body))
  expect(error).toMatchObject({ code: 'parquet_invalid' })
  expect(error.message).toContain('uses __proto__ in a map, which tables() does not support')
})

it('reads the string __proto__ outside of maps', async () => {
  const body = await writeWithDuckDB(`SELECT '__proto__' AS text, ['__proto__'] AS list`)
  await expect(rowsOf(body)).resolves.toEqual([{ text: '__proto__', list: ['__proto__'] }])
})
