import { assertEqual, assertSuccess, assertThat } from '../assertions.ts'
import { defineCases } from '../case.ts'
import { aggregateBody, sleepQuery } from '../request-bodies.ts'
import { isParquet, readTar } from '../tar.ts'
import {
  assumedColumns,
  pastDays,
  queryTables,
  readTables,
  sendQuery,
} from './aggregate-queries.ts'

export const aggregateCases = defineCases({
  '4.11/tables': {
    title: 'Returns a table with columns of equal length: index and one for each aggregation',
    rules: ['4.11/json', '2.10/objects', '4.11/body'],
    needs: ['user'],
    readOnly: true,
    assumption: assumedColumns,
    async run(service) {
      const [table = {}] = await queryTables(service, [
        sleepQuery(['mean', 'min', 'max', 'newest']),
      ])
      assertEqual(Object.keys(table).toSorted().join(), 'index,max,mean,min,newest', 'the columns')
    },
  },
  '4.11/values': {
    title: 'Returns a mean between min and max',
    rules: ['4.11/json'],
    needs: ['user'],
    readOnly: true,
    assumption: assumedColumns,
    async run(service) {
      const week = {
        group_by: [{ date_trunc: { unit: 'week', value: 1 }, arg: { index: 'sleep' } }],
      }
      const [table = {}] = await queryTables(service, [sleepQuery(['mean', 'min', 'max'], week)])
      const { mean = [], min = [], max = [] } = table
      const holds = mean.every((value, at) => {
        if (value === null) return true
        return Number(min[at]) <= Number(value) && Number(value) <= Number(max[at])
      })
      assertThat(holds, 'Expected every mean to be between min and max.')
    },
  },
  '4.11/order': {
    title: 'Returns one result for each query in the order of the request',
    rules: ['4.11/json'],
    needs: ['user'],
    readOnly: true,
    assumption: assumedColumns,
    async run(service) {
      const funcs = ['mean', 'min', 'max', 'newest']
      const found = await queryTables(
        service,
        funcs.map((func) => sleepQuery([func])),
      )
      const names = found.map((table) => Object.keys(table).filter((name) => name !== 'index'))
      assertEqual(names.flat().join(), funcs.join(), 'the columns of the results')
    },
  },
  '4.11/groups': {
    title: 'Returns one row for each group',
    rules: ['2.10/objects', '4.11/json'],
    needs: ['user'],
    readOnly: true,
    assumption: assumedColumns,
    async run(service) {
      const [table = {}] = await queryTables(service, [sleepQuery(['mean'])])
      const index = table['index'] ?? []
      assertThat(index.length <= 31, 'Expected at most one row for each day of the timeframe.')
      assertEqual(new Set(index).size, index.length, 'the number of different index values')
      const sorted = index.map(String).toSorted()
      assertEqual(index.map(String).join(), sorted.join(), 'the order of index')
    },
  },
  '4.11/where': {
    title: 'Filters rows by where',
    rules: ['2.10/objects'],
    needs: ['user'],
    readOnly: true,
    assumption: `${assumedColumns}; where is an expression over columns`,
    async run(service) {
      const none = sleepQuery(['mean'], { where: 'duration_second < 0' })
      const [table = {}] = await queryTables(service, [none])
      assertEqual(table['index']?.length, 0, 'the number of rows')
    },
  },
  '4.11/accept': {
    title: 'Returns JSON without an accept header, and for */* and application/json',
    rules: ['4.11/accept'],
    needs: ['user'],
    readOnly: true,
    assumption: assumedColumns,
    async run(service) {
      const body = aggregateBody([sleepQuery(['mean'])])
      for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
        assertEqual(
          readTables(await sendQuery(service, body, headers)).length,
          1,
          'the number of results',
        )
      }
    },
  },
  '4.11/parquet': {
    title: 'Returns a gzipped tar of Parquet files numbered in the order of the queries',
    rules: ['4.11/parquet', '4.11/accept'],
    needs: ['user'],
    readOnly: true,
    assumption: assumedColumns,
    async run(service) {
      const queries = Array.from({ length: 11 }, () => sleepQuery(['mean']))
      const response = await sendQuery(service, aggregateBody(queries), {
        accept: 'application/vnd.service.tar+gzip+parquet',
      })
      const files = await readTar(assertSuccess(response).bytes)
      const expected = queries.map((_, at) => `${at}.parquet`)
      assertEqual(
        files.map(({ name }) => name).toSorted(),
        expected.toSorted(),
        'the names of the files',
      )
      assertThat(
        files.every(({ bytes }) => isParquet(bytes)),
        'Expected every file to be Parquet.',
      )
    },
  },
  '2.10/timeframe': {
    title: 'Returns only rows of the timeframe',
    rules: ['2.10/objects'],
    needs: ['user'],
    readOnly: true,
    assumption: `${assumedColumns}; the timeframe ends with the anchor, and index is local time`,
    async run(service) {
      const [table = {}] = await queryTables(service, [sleepQuery(['mean'])], pastDays(7))
      const days = (table['index'] ?? []).map((value) => String(value).slice(0, 10))
      assertThat(
        days.every((day) => day >= '2025-05-24' && day <= '2025-05-31'),
        'Expected only rows of the timeframe.',
      )
      assertThat(days.length <= 8, 'Expected at most one row for each day.')
    },
  },
})
