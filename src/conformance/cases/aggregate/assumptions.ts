import { assertEqual, assertRejected, assertSuccess } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import {
  archiveMediaType,
  by,
  funcs,
  pastTimeframe,
  queryOf,
  queryTables,
  readTables,
  request,
  send,
} from './queries.ts'
import {
  addSleeper,
  assertComputed,
  assertRows,
  gaps,
  groupRows,
  keys,
  type Night,
  nights,
} from './reference.ts'

const inTable = ['oldest', 'sum', 'count', 'median', 'stddev']

export const aggregateAssumptionCases = defineCases(['user', 'addHealthData'], {
  '4.11/further-functions': {
    title: 'Computes oldest, sum, count, median and stddev (sample standard deviation)',
    rules: ['2.10/objects'],
    assumption: 'the functions oldest, sum, count, median and stddev exist and skip nulls',
    async run(service) {
      const sleeper = await addSleeper(service, gaps)
      for (const column of ['duration_second', 'score']) {
        const select = inTable.map((func) => `${func} ${column}`)
        for (const unit of ['day', 'week', 'month'] as const) {
          await assertComputed(sleeper, select, { unit })
        }
      }
    },
  },
  '4.11/one-row': {
    title:
      'Returns one row, with the start of the timeframe as index, for a query without group_by',
    rules: ['2.10/objects'],
    assumption: 'a query without group_by returns one row',
    async run(service) {
      const sleeper = await addSleeper(service, nights)
      const select = ['mean score', 'min score', 'max score', 'newest score', 'count score']
      const keyOf = () => '2025-05-02T00:00:00'
      for (const group_by of [undefined, null, []]) {
        await assertComputed(sleeper, select, { keyOf, query: { group_by } })
      }
    },
  },
  '4.11/nulls': {
    title: 'Skips nulls in aggregations, and returns null for a group without values',
    rules: ['2.10/objects'],
    assumption: 'newest is the latest value that is not null',
    async run(service) {
      const sleeper = await addSleeper(service, gaps)
      for (const column of ['duration_second', 'score']) {
        await assertComputed(sleeper, funcs(column))
      }
    },
  },
  '4.11/names': {
    title: 'Names the second result column func.column when a function is used twice',
    rules: ['4.11/json'],
    assumption: 'a function that is used twice yields the columns func and func.column',
    async run(service) {
      const { user } = await addSleeper(service, nights)
      const select = ['max duration_second', 'max score', 'min score']
      const [table = {}] = await queryTables(service, user, [queryOf(select)])
      assertRows(table, groupRows(nights, keys.day, select), ['max', 'max.score', 'min'])
    },
  },
  '4.11/where-grammar': {
    title:
      'Accepts comparisons, AND, OR, NOT, parentheses and strings in where, and rejects invalid expressions',
    rules: ['2.10/objects'],
    assumption: 'the where field is an SQL expression over columns',
    async run(service) {
      const sleeper = await addSleeper(service, nights)
      const score = ({ score: value }: Night) => value ?? Number.NaN
      const duration = ({ duration: value }: Night) => value ?? Number.NaN
      for (const [where, keeps] of [
        ['score = 81', (night) => score(night) === 81],
        ['score != 81', (night) => score(night) < 81 || score(night) > 81],
        ['score < 62', (night) => score(night) < 62],
        ['score <= 62', (night) => score(night) <= 62],
        ['score > 77', (night) => score(night) > 77],
        ['score >= 77', (night) => score(night) >= 77],
        ['score > 40 AND duration_second < 10000', (one) => score(one) > 40 && duration(one) < 1e4],
        ['score > 90 OR score < 40', (night) => score(night) > 90 || score(night) < 40],
        ['NOT score > 50', (night) => score(night) <= 50],
        [
          'score > 50 AND (duration_second > 30000 OR duration_second < 3000)',
          (night) => score(night) > 50 && (duration(night) > 30_000 || duration(night) < 3000),
        ],
        ["source_provider = 'oura'", () => true],
        ["source_provider = 'fitbit'", () => false],
      ] satisfies [string, (night: Night) => boolean][]) {
        const slept = nights.filter(keeps)
        await assertComputed(sleeper, ['newest duration_second'], { slept, query: { where } })
      }
      for (const where of ['score >', 'score > > 1', 'no_such_column = 1', "type = 'open"]) {
        const body = request([queryOf(['mean score'], { where })])
        assertRejected(await send(service, sleeper.user, body), 'an invalid where')
      }
    },
  },
  '4.11/unknown-names': {
    title:
      'Rejects unknown units, functions, columns, resources and media types, and a second group or resource',
    rules: ['2.10/objects'],
    needs: ['user'],
    assumption: 'a request with an unknown name, or with a second group or resource, is invalid',
    async run(service) {
      const user = await service.user()
      const mean = queryOf(['mean score'])
      for (const body of [
        request([mean], { timeframe: pastTimeframe(1, 'fortnight') }),
        request([{ ...mean, group_by: [by('fortnight')] }]),
        request([queryOf(['average score'])]),
        request([queryOf(['mean no_such_column'])]),
        request([{ ...mean, select: [{ arg: { dreams: 'score' }, func: 'mean' }] }]),
        request([{ ...mean, group_by: [by('day', 1, 'activity')] }]),
        request([{ ...mean, group_by: [by('day'), by('week')] }]),
        request([mean, queryOf(['mean no_such_column'])]),
      ]) {
        assertRejected(
          await send(service, user, body),
          'an unknown name, or a second group or resource',
        )
      }
      const response = await send(service, user, request([mean]), { accept: 'text/csv' })
      assertRejected(response, 'the media type text/csv')
    },
  },
  '4.11/accept-forms': {
    title: 'Accepts parameters and any letter case in the media types of the accept header',
    rules: ['4.11/accept'],
    needs: ['user'],
    assumption: 'the accept header follows RFC 9110',
    async run(service) {
      const user = await service.user()
      const body = request([queryOf(['mean score'])])
      for (const accept of [
        'Application/JSON',
        'application/json; charset=utf-8',
        'text/html, */*',
      ]) {
        readTables(await send(service, user, body, { accept }), 1)
      }
      const accept = archiveMediaType.toUpperCase()
      const { bytes } = assertSuccess(await send(service, user, body, { accept }))
      assertEqual([bytes[0], bytes[1]], [0x1f, 0x8b], 'the first bytes of a gzipped body')
    },
  },
  '2.10/priorities': {
    title: "Aggregates only the rows of each group's most preferred provider",
    rules: ['2.10/objects'],
    assumption: 'provider_priority_overrides selects one provider per group',
    async run(service) {
      const slept = [
        { at: '2025-05-29T07:00:00', duration: 100, provider: 'oura', type: 'ring' },
        { at: '2025-05-29T07:30:00', duration: 200, provider: 'ultrahuman', type: 'ring' },
        { at: '2025-05-30T07:00:00', duration: 300, provider: 'ultrahuman', type: 'ring' },
        { at: '2025-05-31T07:00:00', duration: 400, provider: 'oura', type: 'ring' },
      ]
      const { user } = await addSleeper(service, slept)
      for (const [provider, first] of [
        ['oura', 100],
        ['ultrahuman', 200],
        ['oura', 100],
      ] as const) {
        const config = { provider_priority_overrides: [provider] }
        const queries = [queryOf(['sum duration_second'])]
        const [table = {}] = await queryTables(service, user, queries, { config })
        const expected = { '2025-05-29': [first], '2025-05-30': [300], '2025-05-31': [400] }
        assertRows(table, expected, ['sum'])
      }
    },
  },
  '4.11/time-series': {
    title: 'Computes min, mean and max of a time series',
    rules: ['2.10/objects'],
    assumption: 'a time series is a resource with the columns timestamp and value',
    async run(service) {
      const user = await service.user()
      const series = { glucose: 5, heartrate: 60 }
      for (const [resource, value] of Object.entries(series)) {
        const rows = [1, 2, 3].map((more) => {
          return {
            resource,
            values: { timestamp: `2025-05-30T0${more}:15:00`, value: value + more },
          }
        })
        await service.setup.addHealthData(user, rows)
      }
      for (const [resource, value] of Object.entries(series)) {
        const select = ['min', 'mean', 'max'].map((func) => ({
          arg: { [resource]: 'value' },
          func,
        }))
        const queries = [{ select, group_by: [by('day', 1, resource)] }]
        const [table = {}] = await queryTables(service, user, queries)
        const expected = { '2025-05-30': [value + 1, value + 2, value + 3] }
        assertRows(table, expected, ['min', 'mean', 'max'])
      }
    },
  },
})
