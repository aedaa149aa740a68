import { DuckDBInstance } from '@duckdb/node-api'
import { Random } from '../mock/base/random.ts'
import { hour, minute } from '../mock/base/time-units.ts'
import { runQueries } from '../mock/query/engine.ts'
import type { Table } from '../mock/query/table.ts'
import { type Figure, ratio } from './figure.ts'

const rows = 1_000_000
const first = Date.UTC(2023, 6, 1)

/** Compares the mock's engine with DuckDB: hourly means of two columns over a million minutes of the same data. */
export default async function (): Promise<Figure[]> {
  const random = new Random('bench')
  const time = Float64Array.from({ length: rows }, (_, at) => first + at * minute)
  const rates = Float64Array.from(time, () => random.integer(45, 180))
  const levels = Float64Array.from(time, () => random.next() * 10)
  const table: Table = {
    time,
    columns: {
      rate: { type: 'number', isInteger: true, values: rates },
      level: { type: 'number', isInteger: false, values: levels },
    },
  }
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
  const engine = () => runQueries(request, () => table)[0] ?? []

  const database = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await database.connect()
  await connection.run('CREATE TABLE series (hour INTEGER, rate DOUBLE, level DOUBLE)')
  const appender = await connection.createAppender('series')
  for (let at = 0; at < rows; at += 1) {
    appender.appendInteger(Math.floor((time[at] ?? 0) / hour))
    appender.appendDouble(rates[at] ?? 0)
    appender.appendDouble(levels[at] ?? 0)
    appender.endRow()
  }
  appender.closeSync()
  const sql = 'SELECT hour, avg(rate), avg(level) FROM series GROUP BY hour ORDER BY hour'
  const duckdb = async () => (await connection.runAndReadAll(sql)).getColumns()

  const [columns, expected] = [engine(), await duckdb()]
  if (columns[1]?.values.length !== expected[1]?.length) throw new Error('The results differ.')
  const found = await fastest(engine, duckdb)
  return [
    ratio(
      'Hourly means of two columns over 1,000,000 rows: the engine / DuckDB (1 thread)',
      found.one / found.other,
      0.5,
    ),
  ]
}

/** Returns the milliseconds of the fastest of twenty alternating rounds of each. */
async function fastest(one: () => unknown, other: () => unknown) {
  const best = { one: Number.POSITIVE_INFINITY, other: Number.POSITIVE_INFINITY }
  for (let round = 0; round < 20; round += 1) {
    best.one = Math.min(best.one, await duration(one))
    best.other = Math.min(best.other, await duration(other))
  }
  return best
}

async function duration(run: () => unknown): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}
