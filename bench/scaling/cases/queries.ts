import { createMock } from '../../../mock/index.ts'
import { type ResultColumn, runQueries } from '../../../mock/query/engine.ts'
import { parquetArchive } from '../../../mock/query/parquet.ts'
import type { Table } from '../../../mock/query/table.ts'
import { Random } from '../../../mock/reference-data/random.ts'
import { minute } from '../../../mock/shared/time-units.ts'
import { ParquetArchive, tables } from '../../../src/parquet/index.ts'
import type { ScalingCase } from '../scaling-case.ts'
import { send, userIds } from './support.ts'

const first = Date.UTC(2024, 0, 1)

function minutes(rows: number): Table {
  const random = new Random('scaling')
  const time = Float64Array.from({ length: rows }, (_, at) => first + at * minute)
  const values = Float64Array.from(time, () => random.integer(45, 180))
  return { time, columns: { rate: { type: 'number', isInteger: true, values } } }
}

const timeframe = { type: 'relative', anchor: '2025-12-31', past: { unit: 'year', value: 10 } }

function meanBy(value: number) {
  return {
    select: [{ arg: { series: 'rate' }, func: 'mean' }],
    group_by: [{ date_trunc: { unit: 'minute', value }, arg: { index: 'series' } }],
  }
}

function resultColumns(rows: number, columns: number): ResultColumn[] {
  const random = new Random('scaling')
  return Array.from({ length: columns }, (_, at) => ({
    name: `column_${at}`,
    type: 'number',
    values: Array.from({ length: rows }, () => random.next()),
  }))
}

async function writeAndRead(results: ResultColumn[][]): Promise<void> {
  const archive = ParquetArchive.from(await parquetArchive(results))
  for await (const table of tables(archive)) {
    for await (const row of table.rows()) if (row['index'] === 0) return
  }
}

async function livingTeam(size: number) {
  const team = createMock({ journalLimit: 10 }).team()
  const [first = ''] = Array.from(
    { length: size },
    () => team.users.create({ living: true }).user_id,
  )
  await team.clock.advance('10d')
  return { team, first }
}

export const queryCases: Record<string, ScalingCase> = {
  rows: {
    what: 'Aggregates: rows',
    growth: 'linear',
    size: 6_400_000,
    prepare: (size) => {
      const table = minutes(size)
      return () => runQueries({ timeframe, queries: [meanBy(1000)] }, () => table)
    },
  },
  groups: {
    what: 'Aggregates: groups of ten rows',
    // A group costs little more than the memory for its time and value.
    growth: 'lookup',
    size: 320_000,
    prepare: (size) => {
      const table = minutes(size * 10)
      return () => runQueries({ timeframe, queries: [meanBy(10)] }, () => table)
    },
  },
  queries: {
    what: 'Aggregates: queries in a request',
    growth: 'linear',
    size: 96,
    prepare: (size) => {
      const table = minutes(50_000)
      const queries = Array.from({ length: size }, () => meanBy(1000))
      return () => runQueries({ timeframe, queries }, () => table)
    },
  },
  conditions: {
    what: 'Aggregates: conditions in a `where`',
    growth: 'linear',
    size: 160,
    prepare: (size) => {
      const table = minutes(20_000)
      const where = Array.from({ length: size }, (_, at) => `rate = ${1000 + at}`).join(' OR ')
      return () => runQueries({ timeframe, queries: [{ ...meanBy(1000), where }] }, () => table)
    },
  },
  truth: {
    what: 'Truth of one living user, by number of users in the team',
    growth: 'constant',
    size: 1024,
    prepare: async (size) => {
      const { team, first } = await livingTeam(size)
      return () => team.truth(first)
    },
  },
  ofOneUser: {
    what: 'Summaries, an aggregate query and orders of one living user, by number of users in the team',
    growth: 'constant',
    size: 1024,
    prepare: async (size) => {
      const { team, first } = await livingTeam(size)
      const select = [{ arg: { heartrate: 'value' }, func: 'mean' }]
      const body = {
        timeframe: { ...timeframe, past: { unit: 'day', value: 10 } },
        queries: [{ select }],
      }
      return async () => {
        await send(team, 'GET', `/v2/summary/sleep/${first}?start_date=2025-01-01`)
        await send(team, 'POST', `/aggregate/v1/user/${first}/query`, body)
        return team.orders.list({ user_id: first })
      }
    },
  },
  alternating: {
    what: 'Aggregates: add a row for a user and query it',
    growth: 'linear',
    size: 3200,
    prepare: (size) => {
      const team = createMock({ journalLimit: 10 }).team()
      const ids = userIds(team, size)
      const select = [{ arg: { sleep: 'score' }, func: 'mean' }]
      const body = {
        timeframe: { type: 'relative', anchor: '2025-06-01', past: { unit: 'week', value: 1 } },
        queries: [{ select }],
      }
      return async () => {
        for (const user_id of ids) {
          team.data.create({ user_id, resource: 'sleep', values: { score: 80 } })
          await send(team, 'POST', `/aggregate/v1/user/${user_id}/query`, body)
        }
      }
    },
  },
  parquetRows: {
    what: 'Parquet: write and read rows of two columns',
    growth: 'linear',
    size: 320_000,
    prepare: (size) => {
      const columns = resultColumns(size, 2)
      return () => writeAndRead([columns])
    },
  },
  parquetColumns: {
    what: 'Parquet: write and read columns of 1,000 rows',
    growth: 'linear',
    size: 640,
    prepare: (size) => {
      const columns = resultColumns(1000, size)
      return () => writeAndRead([columns])
    },
  },
  parquetFiles: {
    what: 'Parquet: write and read files of 1,000 rows',
    growth: 'linear',
    size: 640,
    prepare: (size) => {
      const columns = resultColumns(1000, 2)
      return () => writeAndRead(Array.from({ length: size }, () => columns))
    },
  },
}
