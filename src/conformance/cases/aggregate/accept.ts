import { ParquetArchive } from '../../../parquet/archive/archive.ts'
import { tables } from '../../../parquet/decoding/tables.ts'
import { assertEqual, assertSuccess, assertThat, ExpectationError } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import {
  archiveMediaType,
  by,
  documented,
  pastTimeframe,
  queryOf,
  type ResultTable,
  readTables,
  request,
  send,
} from './queries.ts'
import {
  addSleeper,
  assertNumber,
  assertRows,
  groupRows,
  keys,
  nights,
  sleepRow,
} from './reference.ts'

/** Reads an archive's tables, indexed by the numbers in their file names. */
async function readParquet(bytes: Uint8Array<ArrayBuffer>): Promise<ResultTable[]> {
  const found: ResultTable[] = []
  try {
    for await (const { query: number, columns, rows } of tables(ParquetArchive.from(bytes))) {
      const table: ResultTable = Object.fromEntries(columns.map((name) => [name, []]))
      for await (const row of rows()) {
        for (const name of columns) table[name]?.push(row[name] ?? null)
      }
      found[number] = table
    }
  } catch {
    throw new ExpectationError('Expected an archive of Parquet files that can be decoded.')
  }
  return found
}

/** Asserts that Parquet and JSON contain the same tables, with rows in any order. */
async function assertSameTables(
  service: TestedService,
  user: string,
  body: Record<string, unknown>,
): Promise<void> {
  const json = readTables(await send(service, user, body))
  const response = await send(service, user, body, { accept: archiveMediaType })
  const parquet = await readParquet(assertSuccess(response).bytes)
  assertEqual(parquet.length, json.length, 'the number of Parquet files')
  for (const [at, table] of json.entries()) assertSameTable(parquet[at] ?? {}, table)
}

function assertSameTable(found: ResultTable, expected: ResultTable): void {
  const names = Object.keys(expected).toSorted()
  assertEqual(Object.keys(found).toSorted(), names, 'the columns of a Parquet file')
  const [rows, wanted] = [rowsOf(found, names), rowsOf(expected, names)]
  assertEqual(rows.length, wanted.length, 'the number of rows in a Parquet file')
  for (const [at, row] of wanted.entries()) {
    for (const [position, value] of row.entries()) {
      const name = `${names[position]} in Parquet`
      if (typeof value === 'number') assertNumber(rows[at]?.[position], value, name)
      else assertEqual(rows[at]?.[position], value, name)
    }
  }
}

/** Returns a table's rows, sorted by `index`. */
function rowsOf(table: ResultTable, names: readonly string[]): unknown[][] {
  const count = table['index']?.length ?? 0
  const rows = Array.from({ length: count }, (_, at) =>
    names.map((name) => cellOf(table, name, at)),
  )
  const index = names.indexOf('index')
  return rows.toSorted((one, other) => (String(one[index]) < String(other[index]) ? -1 : 1))
}

/** Returns a cell. Removes a time's zero fraction and UTC offset, which may differ between Parquet and JSON. */
function cellOf(table: ResultTable, name: string, at: number): unknown {
  const value = table[name]?.[at] ?? null
  return typeof value === 'string' ? value.replace(/(?:\.0+)?(?:Z|\+00:00)?$/, '') : value
}

const select = ['mean duration_second', 'min score', 'max duration_second', 'newest score']

export const aggregateAcceptCases = defineCases(['user', 'addHealthData'], {
  '4.11/accept': {
    title: 'Returns JSON if the accept header is missing, */* or application/json',
    rules: ['4.11/accept'],
    async run(service) {
      const { user } = await addSleeper(service, nights)
      const expected = groupRows(nights, keys.day, ['max duration_second'])
      const accepts = [{}, { accept: '*/*' }, { accept: 'application/json' }]
      for (const headers of [...accepts, { accept: archiveMediaType }, ...accepts]) {
        const body = request([queryOf(['max duration_second'])])
        const response = await send(service, user, body, headers)
        if ('accept' in headers && headers.accept === archiveMediaType) continue
        const [table = {}] = readTables(response, 1)
        assertRows(table, expected, ['max'])
      }
    },
  },
  '4.11/parquet': {
    title: 'Returns a gzipped tar archive of Parquet files, numbered in query order',
    rules: ['4.11/parquet', '4.11/accept'],
    async run(service) {
      const { user } = await addSleeper(service, nights)
      for (const count of [1, 2, 12]) {
        const queries = Array.from({ length: count }, () => queryOf(['mean duration_second']))
        const headers = { accept: archiveMediaType }
        const response = await send(service, user, request(queries), headers)
        const files = await readTar(assertSuccess(response).bytes)
        const type = response.headers.get('content-type') ?? ''
        assertThat(!/json/i.test(type), 'Expected a content type other than JSON for Parquet.')
        const names = files.map(({ name }) => name).toSorted()
        const expected = queries.map((_, at) => `${at}.parquet`).toSorted()
        assertEqual(names, expected, 'the file names')
        const areParquet = files.every(({ bytes }) => isParquet(bytes))
        assertThat(areParquet, 'Expected every file in the archive to be a Parquet file.')
      }
    },
  },
  '4.11/same-tables': {
    title: 'Returns the same tables in Parquet and JSON',
    rules: ['4.11/parquet', '4.11/json'],
    async run(service) {
      const { user } = await addSleeper(service, nights)
      const queries = [
        queryOf(select),
        queryOf(['max score'], { group_by: [by('day', 7)] }),
        queryOf(['min duration_second', 'newest score']),
        queryOf(['newest duration_second']),
      ]
      await assertSameTables(service, user, request(queries))
      await assertSameTables(service, user, request(queries, { timeframe: pastTimeframe(3) }))
      await assertSameTables(service, user, request(queries.toReversed()))
      const timeframe = pastTimeframe(9, 'day', '2001-01-01')
      await assertSameTables(service, user, request(queries, { timeframe }))
    },
  },
  '4.11/twelve-tables': {
    title: 'Numbers the Parquet files in query order, even if there are more than ten files',
    rules: ['4.11/parquet'],
    async run(service) {
      const { user } = await addSleeper(service, nights)
      const queries = Array.from({ length: 12 }, (_, at) => {
        const column = `${documented[at % 4]} ${at % 3 === 0 ? 'score' : 'duration_second'}`
        return queryOf([column], { group_by: [by('day', 1 + Math.floor(at / 4))] })
      })
      await assertSameTables(service, user, request(queries))
    },
  },
  '4.11/parquet-of-new-rows': {
    title: 'Includes new rows in Parquet when the same request is sent again',
    rules: ['4.11/parquet', '4.11/json'],
    async run(service) {
      const { user } = await addSleeper(service, nights)
      const body = request([queryOf(select)])
      await assertSameTables(service, user, body)
      const added = { at: '2025-05-31T07:00:00', duration: 11_111, score: 51 }
      await service.setup.addHealthData(user, [...nights, added].map(sleepRow))
      await assertSameTables(service, user, body)
    },
  },
  '4.11/parquet-of-users': {
    title: 'Returns Parquet for the user in the path, even after a request for another user',
    rules: ['4.11/parquet', '4.11/path'],
    async run(service) {
      const users: string[] = []
      const halves = [nights.slice(0, 5), nights.slice(5)]
      for (const half of halves) users.push((await addSleeper(service, half)).user)
      for (const at of [0, 1, 0]) {
        const body = request([queryOf(['max duration_second'])])
        const headers = { accept: archiveMediaType }
        const response = await send(service, users[at] ?? '', body, headers)
        const [table = {}] = await readParquet(assertSuccess(response).bytes)
        assertRows(table, groupRows(halves[at] ?? [], keys.day, ['max duration_second']), ['max'])
      }
    },
  },
})

interface TarFile {
  name: string
  bytes: Uint8Array
}

const blockSize = 512
/** The type flags of tar entries that are files. Other entries, such as extended headers, are skipped. */
const fileTypes = ['', '0']

async function readTar(archive: Uint8Array<ArrayBuffer>): Promise<TarFile[]> {
  assertThat(archive[0] === 0x1f && archive[1] === 0x8b, 'Expected a gzipped body.')
  const stream = new Blob([archive]).stream().pipeThrough(new DecompressionStream('gzip'))
  const tar = new Uint8Array(await new Response(stream).arrayBuffer())
  const files: TarFile[] = []
  for (let at = 0; at + blockSize <= tar.length && tar[at] !== 0; ) {
    const size = Number.parseInt(readString(tar, at + 124, 12), 8)
    const start = at + blockSize
    assertThat(start + size <= tar.length, 'Expected a complete tar archive.')
    if (fileTypes.includes(readString(tar, at + 156, 1))) {
      files.push({ name: readString(tar, at, 100), bytes: tar.subarray(start, start + size) })
    }
    at = start + Math.ceil(size / blockSize) * blockSize
  }
  return files
}

function isParquet(bytes: Uint8Array): boolean {
  return readString(bytes, 0, 4) === 'PAR1' && readString(bytes, bytes.length - 4, 4) === 'PAR1'
}

function readString(bytes: Uint8Array, at: number, length: number): string {
  const string = new TextDecoder().decode(bytes.subarray(at, at + length))
  return string.replace(/\0.*$/s, '').trim()
}
