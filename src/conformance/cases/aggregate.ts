import { parquetMediaType, queryAggregate } from '../../contract/aggregate.ts'
import { assertEqual, assertRejected, assertSuccess, assertThat } from '../assertions.ts'
import { defineCases } from '../case.ts'
import { aggregateBody, sleepQuery, without } from '../request-bodies.ts'
import type { ServiceResponse } from '../response.ts'
import type { Service } from '../service.ts'
import { fieldOf, isObject } from '../shape.ts'
import { isParquet, readTar } from '../tar.ts'

type Table = Record<string, unknown[]>

const columns = 'the resource sleep has the column duration_second; the unit day'

async function sendQuery(service: Service, body: unknown, headers = {}): Promise<ServiceResponse> {
  const params = { user_id: await service.user() }
  return service.call(queryAggregate, { params, body, headers })
}

/** Returns the queryTables of a response and checks that their columns have the same length. */
function readTables(response: ServiceResponse): Table[] {
  const results = fieldOf(assertSuccess(response).json, 'results')
  assertThat(Array.isArray(results), 'Expected results to be an array.')
  return results.map((result) => {
    const table = fieldOf(result, 'table')
    assertThat(isObject(table), 'Expected every result to have a table.')
    const lengths = Object.values(table).map((column) => Array.isArray(column) && column.length)
    assertThat(!lengths.includes(false), 'Expected every column of a table to be an array.')
    assertThat(
      new Set(lengths).size <= 1,
      'Expected the columns of a table to have the same length.',
    )
    return table as Table
  })
}

async function queryTables(service: Service, queries: unknown[], changes = {}): Promise<Table[]> {
  return readTables(await sendQuery(service, aggregateBody(queries, changes)))
}

async function assertQueryRejected(service: Service, body: unknown, input: string): Promise<void> {
  assertRejected(await sendQuery(service, body), input)
}

const past = (value: unknown, unit = 'day') => ({
  timeframe: { type: 'relative', anchor: '2025-05-31', past: { unit, value } },
})

export const aggregateCases = defineCases({
  '4.11/tables': {
    title: 'Returns a table with columns of equal length: index and one for each aggregation',
    rules: ['4.11/json', '2.10/objects', '4.11/body'],
    needs: ['user'],
    readOnly: true,
    presumes: columns,
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
    presumes: columns,
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
    presumes: columns,
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
    presumes: columns,
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
    presumes: `${columns}; where is an expression over columns`,
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
    presumes: columns,
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
    presumes: columns,
    async run(service) {
      const queries = Array.from({ length: 11 }, () => sleepQuery(['mean']))
      const response = await sendQuery(service, aggregateBody(queries), {
        accept: parquetMediaType,
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
  '4.11/required': {
    title: 'Requires timeframe and queries but not config',
    rules: ['4.11/body'],
    needs: ['user'],
    readOnly: true,
    presumes: columns,
    async run(service) {
      const body = aggregateBody([sleepQuery(['mean'])])
      await assertQueryRejected(service, without(body, 'timeframe'), 'a request without timeframe')
      await assertQueryRejected(service, without(body, 'queries'), 'a request without queries')
      await assertQueryRejected(service, { ...body, queries: {} }, 'queries that are not an array')
      readTables(await sendQuery(service, body))
    },
  },
  '4.11/config': {
    title: 'Accepts a config with provider_priority_overrides',
    rules: ['2.10/objects', '4.11/body'],
    needs: ['user'],
    readOnly: true,
    presumes: columns,
    async run(service) {
      const config = { provider_priority_overrides: ['oura', 'fitbit'] }
      await queryTables(service, [sleepQuery(['mean'])], { config })
      const wrong = { config: { provider_priority_overrides: 'oura' } }
      await assertQueryRejected(
        service,
        aggregateBody([sleepQuery(['mean'])], wrong),
        'a string for an array',
      )
    },
  },
  '4.11/uuid': {
    title: 'Rejects a user id that is not a UUID',
    rules: ['4.11/path'],
    readOnly: true,
    async run(service) {
      const request = {
        params: { user_id: 'not-a-uuid' },
        body: aggregateBody([sleepQuery(['mean'])]),
      }
      assertRejected(await service.call(queryAggregate, request), 'a user_id that is not a UUID')
    },
  },
  '2.10/value': {
    title: 'Rejects a value that is not a positive integer',
    rules: ['2.10/value'],
    needs: ['user'],
    readOnly: true,
    async run(service) {
      for (const value of [0, -1, 1.5, 'one']) {
        const body = aggregateBody([sleepQuery(['mean'])], past(value))
        await assertQueryRejected(service, body, 'a value of past that is not a positive integer')
        const date_trunc = { unit: 'day', value }
        const group_by = [{ date_trunc, arg: { index: 'sleep' } }]
        const grouped = aggregateBody([sleepQuery(['mean'], { group_by })])
        await assertQueryRejected(
          service,
          grouped,
          'a value of date_trunc that is not a positive integer',
        )
      }
    },
  },
  '2.10/minute': {
    title: 'Accepts the time unit minute',
    rules: ['2.10/value'],
    needs: ['user'],
    readOnly: true,
    presumes: columns,
    async run(service) {
      await queryTables(service, [sleepQuery(['mean'])], past(90, 'minute'))
    },
  },
  '2.10/anchor': {
    title: 'Rejects an anchor that is not a date',
    rules: ['2.10/objects'],
    needs: ['user'],
    readOnly: true,
    async run(service) {
      for (const anchor of ['yesterday', '2025-02-30']) {
        const { timeframe } = past(1)
        const changes = { timeframe: { ...timeframe, anchor } }
        const body = aggregateBody([sleepQuery(['mean'])], changes)
        await assertQueryRejected(service, body, 'an anchor that is not a date')
      }
    },
  },
  '2.10/timeframe': {
    title: 'Returns only rows of the timeframe',
    rules: ['2.10/objects'],
    needs: ['user'],
    readOnly: true,
    presumes: `${columns}; the timeframe ends with the anchor, and index is local time`,
    async run(service) {
      const [table = {}] = await queryTables(service, [sleepQuery(['mean'])], past(7))
      const days = (table['index'] ?? []).map((value) => String(value).slice(0, 10))
      assertThat(
        days.every((day) => day >= '2025-05-24' && day <= '2025-05-31'),
        'Expected only rows of the timeframe.',
      )
      assertThat(days.length <= 8, 'Expected at most one row for each day.')
    },
  },
})
