import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { runQueries } from '../mock/query/engine.ts'
import type { Column, Table } from '../mock/query/table.ts'
import { Random } from '../mock/reference-data/random.ts'
import { hour, minute } from '../mock/shared/time-units.ts'
import { cpuTime, type Figure, ratio } from './figure.ts'

const rows = 1_000_000
const first = Date.UTC(2023, 6, 1)

/** The sides run alternately. The fastest run is used. */
const rounds = 20

const random = new Random('bench')
const time = Float64Array.from({ length: rows }, (_, at) => first + at * minute)
const rates = Float64Array.from(time, () => random.integer(45, 180))
const levels = Float64Array.from(time, () => random.next() * 10)
/** Two devices alternate every few minutes. */
const sources = Int32Array.from(time, (_, at) => Math.floor(at / 7) % 2)

const columns: Record<string, Column> = {
  rate: { type: 'number', isInteger: true, values: rates },
  level: { type: 'number', isInteger: false, values: levels },
}
const ofOneSource: Table = { time, columns }
const ofTwoSources: Table = {
  time,
  columns: {
    ...columns,
    source_provider: { type: 'text', codes: sources, dictionary: ['oura', 'fitbit'] },
    source_type: { type: 'text', codes: sources, dictionary: ['ring', 'watch'] },
  },
}

/** Compares the mock's engine with DuckDB: hourly means of two columns over a million minutes of the same data. */
export default async function (): Promise<Figure[]> {
  const database = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await database.connect()
  await createSeries(connection)
  const means = await compare(
    connection,
    () => hourlyMeans(ofOneSource),
    'SELECT hour, avg(rate), avg(level) FROM series GROUP BY hour ORDER BY hour',
  )
  const preferred = await compare(
    connection,
    () => hourlyMeans(ofTwoSources, ['oura', 'fitbit']),
    `SELECT hour, arg_min(rate, rank), arg_min(level, rank) FROM (
      SELECT hour, rank, avg(rate) AS rate, avg(level) AS level FROM series GROUP BY hour, rank
    ) GROUP BY hour ORDER BY hour`,
  )
  return [
    ratio(
      'Hourly means of two columns over 1,000,000 rows: the engine / DuckDB (1 thread)',
      means,
      0.3,
      0.25,
    ),
    ratio(
      'The same hourly means, choosing the better of two sources for each hour',
      preferred,
      0.5,
    ),
  ]
}

async function hourlyMeans(table: Table, providers?: string[]) {
  const anchor = new Date(first + rows * minute).toISOString().slice(0, 10)
  const request = {
    timeframe: { type: 'relative', anchor, past: { unit: 'year', value: 3 } },
    queries: [
      {
        select: [
          { arg: { series: 'rate' }, func: 'mean' },
          { arg: { series: 'level' }, func: 'mean' },
        ],
        group_by: [{ date_trunc: { unit: 'hour', value: 1 }, arg: { index: 'series' } }],
      },
    ],
  }
  const [columns = []] = await runQueries(request, () => table, providers)
  return columns
}

async function createSeries(connection: DuckDBConnection): Promise<void> {
  await connection.run(
    'CREATE TABLE series (hour INTEGER, rank INTEGER, rate DOUBLE, level DOUBLE)',
  )
  const appender = await connection.createAppender('series')
  for (let at = 0; at < rows; at += 1) {
    appender.appendInteger(Math.floor((time[at] ?? 0) / hour))
    // A watch is preferred to a ring.
    appender.appendInteger(1 - (sources[at] ?? 0))
    appender.appendDouble(rates[at] ?? 0)
    appender.appendDouble(levels[at] ?? 0)
    appender.endRow()
  }
  appender.closeSync()
}

/** Asserts that the results are equal. Returns the engine's CPU time divided by DuckDB's. */
async function compare(
  connection: DuckDBConnection,
  engine: () => ReturnType<typeof hourlyMeans>,
  sql: string,
): Promise<number> {
  const duckdb = async () => (await connection.runAndReadAll(sql)).getColumns()
  const [found, expected] = [await engine(), await duckdb()]
  for (const column of [1, 2]) {
    const values = found[column]?.values ?? []
    const isEqual = (value: unknown, at: number) =>
      Math.abs(Number(value) - Number(values[at])) < 1e-6
    if (values.length === 0 || !expected[column]?.every(isEqual)) {
      throw new Error('The results differ.')
    }
  }
  const least = { engine: Number.POSITIVE_INFINITY, duckdb: Number.POSITIVE_INFINITY }
  for (let round = 0; round < rounds; round += 1) {
    least.engine = Math.min(least.engine, await cpuTime(1, engine))
    least.duckdb = Math.min(least.duckdb, await cpuTime(1, duckdb))
  }
  return least.engine / least.duckdb
}
