import { assertEqual, assertRejected, assertSuccess } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import {
  assertQueryRejected,
  by,
  documented,
  funcs,
  parquetMediaType,
  past,
  query,
  queryTables,
  readTables,
  request,
  send,
} from './queries.ts'
import { assertRows, groupRows, keys } from './reference.ts'
import { addSleeper } from './results.ts'
import { gaps, type Night, nights } from './rows.ts'

const inTable = ['oldest', 'sum', 'count', 'median', 'stddev']

export const aggregateAssumptionCases = defineCases({
  '4.11/further-functions': {
    title: 'Computes oldest, sum, count, median and the standard deviation of a sample',
    rules: ['2.10/objects'],
    needs: ['user', 'addHealthData'],
    assumption: 'these functions exist, and skip nulls',
    async run(service: TestedService) {
      const user = await addSleeper(service, gaps)
      for (const [column, name] of [
        ['duration_second', 'duration'],
        ['score', 'score'],
      ]) {
        for (const unit of ['day', 'week', 'month'] as const) {
          const select = inTable.map((func) => `${func} ${column}`)
          const queries = [query(select, { group_by: [by(unit)] })]
          const [table = {}] = await queryTables(service, user, queries)
          const wanted = inTable.map((func) => `${func} ${name}`)
          const length = unit === 'month' ? 7 : 10
          assertRows(table, groupRows(gaps, keys[unit], wanted), inTable, length)
        }
      }
    },
  },
  '2.10/timeframe-bounds': {
    title: 'Begins and ends the timeframe with whole days, the anchor included',
    rules: ['2.10/objects'],
    needs: ['user', 'addHealthData'],
    assumption: 'the timeframe ends with the anchor day; weeks have seven days',
    async run(service: TestedService) {
      for (const [timeframe, first, last] of [
        [past(1), '2025-05-31', '2025-05-31'],
        [past(2), '2025-05-30', '2025-05-31'],
        [past(7), '2025-05-25', '2025-05-31'],
        [past(1, 'week'), '2025-05-25', '2025-05-31'],
        [past(2, 'week'), '2025-05-18', '2025-05-31'],
        [past(30), '2025-05-02', '2025-05-31'],
        [past(1, 'month', '2025-05-15'), '2025-04-16', '2025-05-15'],
        [past(1, 'year', '2025-05-15'), '2024-05-16', '2025-05-15'],
        [past(3, 'day', '2024-03-01'), '2024-02-28', '2024-03-01'],
        [past(24, 'hour', '2025-05-15'), '2025-05-15', '2025-05-15'],
        [past(1440, 'minute', '2025-05-15'), '2025-05-15', '2025-05-15'],
      ] as const) {
        const slept = [
          { at: `${first}T00:00:00`, duration: 101 },
          { at: `${last}T23:59:00`, duration: 102 },
          { at: `${shift(first, -1)}T23:59:00`, duration: 103 },
          { at: `${shift(last, 1)}T00:00:00`, duration: 104 },
        ]
        const user = await addSleeper(service, slept)
        const queries = [query(['sum duration_second', 'count duration_second'])]
        const [table = {}] = await queryTables(service, user, queries, { timeframe })
        const expected = groupRows(slept.slice(0, 2), keys.day, ['sum duration', 'count duration'])
        assertRows(table, expected, ['sum', 'count'])
      }
    },
  },
  '2.10/time-of-day': {
    title: 'Counts a past of hours and minutes from the end of the anchor day',
    rules: ['2.10/objects'],
    needs: ['user', 'addHealthData'],
    assumption: 'the timeframe ends with the anchor day',
    async run(service: TestedService) {
      const slept = ['11:59', '12:00', '22:29', '22:30', '23:59'].map((time, at) => {
        return { at: `2025-05-31T${time}:00`, duration: 100 + at }
      })
      const user = await addSleeper(service, slept)
      for (const [timeframe, first] of [
        [past(12, 'hour'), 1],
        [past(90, 'minute'), 3],
        [past(1, 'hour'), 4],
      ] as const) {
        const queries = [query(['min duration_second'], { group_by: [by('minute')] })]
        const [table = {}] = await queryTables(service, user, queries, { timeframe })
        const expected = groupRows(slept.slice(first), keys.minute, ['min duration'])
        assertRows(table, expected, ['min'], 16)
      }
    },
  },
  '2.10/weeks': {
    title: 'Begins weeks on Monday, and counts a past of weeks, months and years in whole days',
    rules: ['2.10/value', '2.10/objects'],
    needs: ['user', 'addHealthData'],
    assumption: 'weeks begin on Monday; the timeframe ends with the anchor day',
    async run(service: TestedService) {
      const user = await addSleeper(service, nights)
      for (const timeframe of [past(5, 'week'), past(1, 'month'), past(1, 'year')]) {
        const queries = [query(funcs('duration_second'), { group_by: [by('week')] })]
        const [table = {}] = await queryTables(service, user, queries, { timeframe })
        assertRows(table, groupRows(nights, keys.week, funcs('duration')), documented)
      }
    },
  },
  '2.10/wide-groups': {
    title: 'Counts groups of several units from 1970, and weeks from a Monday',
    rules: ['2.10/value'],
    needs: ['user', 'addHealthData'],
    assumption: 'groups of several units are counted from 1970',
    async run(service: TestedService) {
      const user = await addSleeper(service, nights)
      for (const [unit, value, width] of [
        ['minute', 30, 30],
        ['hour', 6, 360],
        ['day', 2, 2880],
        ['day', 7, 10_080],
        ['week', 2, 20_160],
      ] as const) {
        const origin = unit === 'week' ? Date.parse('1970-01-05T00:00:00Z') : 0
        const keyOf = (at: string) => {
          const span = width * 60_000
          const start = Math.floor((Date.parse(`${at}Z`) - origin) / span) * span + origin
          return new Date(start).toISOString().slice(0, 16)
        }
        const queries = [query(['newest duration_second'], { group_by: [by(unit, value)] })]
        const [table = {}] = await queryTables(service, user, queries)
        assertRows(table, groupRows(nights, keyOf, ['newest duration']), ['newest'], 16)
      }
      for (const [unit, value, key] of [
        ['month', 2, '2025-05'],
        ['month', 3, '2025-04'],
        ['year', 2, '2024-01'],
        ['year', 5, '2025-01'],
      ] as const) {
        const queries = [query(['max duration_second'], { group_by: [by(unit, value)] })]
        const [table = {}] = await queryTables(service, user, queries)
        assertRows(
          table,
          groupRows(nights, () => key, ['max duration']),
          ['max'],
          7,
        )
      }
    },
  },
  '4.11/index': {
    title: 'Returns index as local time without a zone, in ascending order',
    rules: ['4.11/json'],
    needs: ['user', 'addHealthData'],
    assumption: 'index has the start of the group, such as 2025-02-17T00:00:00',
    async run(service: TestedService) {
      const user = await addSleeper(service, nights)
      for (const [unit, length] of [
        ['hour', 13],
        ['day', 10],
        ['month', 7],
      ] as const) {
        const [table = {}] = await queryTables(service, user, [
          query(['max duration_second'], { group_by: [by(unit)] }),
        ])
        const starts = [...new Set(nights.map(({ at }) => at.slice(0, length)))].toSorted()
        const expected = starts.map((start) => `${start}${'0000-01-01T00:00:00'.slice(length)}`)
        assertEqual(table['index'], expected, 'index')
      }
    },
  },
  '4.11/one-row': {
    title: 'Returns one row without group_by, with the start of the timeframe',
    rules: ['2.10/objects'],
    needs: ['user', 'addHealthData'],
    assumption: 'a query without group_by has one row',
    async run(service: TestedService) {
      const user = await addSleeper(service, nights)
      const select = ['mean score', 'min score', 'max score', 'newest score', 'count score']
      const funcs = ['mean', 'min', 'max', 'newest', 'count']
      for (const group_by of [undefined, null, []]) {
        const queries = [query(select, { group_by })]
        const [table = {}] = await queryTables(service, user, queries)
        assertRows(
          table,
          groupRows(nights, () => '2025-05-02T00:00:00', select),
          funcs,
          19,
        )
      }
    },
  },
  '4.11/nulls': {
    title: 'Skips nulls, and returns null for a group without values',
    rules: ['2.10/objects'],
    needs: ['user', 'addHealthData'],
    assumption: 'newest is the latest value that is not null',
    async run(service: TestedService) {
      const user = await addSleeper(service, gaps)
      for (const [column, name] of [
        ['duration_second', 'duration'],
        ['score', 'score'],
      ] as const) {
        const [table = {}] = await queryTables(service, user, [query(funcs(column))])
        assertRows(table, groupRows(gaps, keys.day, funcs(name)), documented)
      }
    },
  },
  '4.11/names': {
    title: 'Adds the column to the name of a function that is used again',
    rules: ['4.11/json'],
    needs: ['user', 'addHealthData'],
    assumption: 'a function that is used twice gives the columns func and func.column',
    async run(service: TestedService) {
      const user = await addSleeper(service, nights)
      const queries = [query(['max duration_second', 'max score', 'min score'])]
      const [table = {}] = await queryTables(service, user, queries)
      const expected = groupRows(nights, keys.day, ['max duration', 'max score', 'min score'])
      assertRows(table, expected, ['max', 'max.score', 'min'])
    },
  },
  '4.11/where-grammar': {
    title: 'Filters by comparisons, AND, OR, NOT, parentheses, strings and null',
    rules: ['2.10/objects'],
    needs: ['user', 'addHealthData'],
    assumption: 'where is an SQL expression over columns',
    async run(service: TestedService) {
      const user = await addSleeper(service, nights)
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
        const queries = [query(['newest duration_second'], { where })]
        const [table = {}] = await queryTables(service, user, queries)
        const expected = groupRows(nights.filter(keeps), keys.day, ['newest duration'])
        assertRows(table, expected, ['newest'])
      }
      for (const where of ['score >', 'score > > 1', 'no_such_column = 1', "type = 'open"]) {
        const body = request([query(['mean score'], { where })])
        await assertQueryRejected(service, user, body, 'an invalid where')
      }
    },
  },
  '4.11/unknown-names': {
    title: 'Rejects unknown units, functions, resources and columns, and a second resource',
    rules: ['2.10/objects'],
    needs: ['user'],
    assumption: 'an unknown name is an invalid request',
    async run(service: TestedService) {
      const user = await service.user()
      const mean = query(['mean score'])
      for (const body of [
        request([mean], { timeframe: past(1, 'fortnight') }),
        request([{ ...mean, group_by: [by('fortnight')] }]),
        request([query(['average score'])]),
        request([query(['mean no_such_column'])]),
        request([{ ...mean, select: [{ arg: { dreams: 'score' }, func: 'mean' }] }]),
        request([{ ...mean, group_by: [by('day', 1, 'activity')] }]),
        request([{ ...mean, group_by: [by('day'), by('week')] }]),
        request([mean, query(['mean no_such_column'])]),
      ]) {
        await assertQueryRejected(service, user, body, 'an unknown name')
      }
      const response = await send(service, user, request([mean]), { accept: 'text/csv' })
      assertRejected(response, 'the media type text/csv')
    },
  },
  '4.11/accept-forms': {
    title: 'Accepts media types in another case and with parameters',
    rules: ['4.11/accept'],
    needs: ['user'],
    assumption: 'accept follows RFC 9110',
    async run(service: TestedService) {
      const user = await service.user()
      const body = request([query(['mean score'])])
      for (const accept of [
        'Application/JSON',
        'application/json; charset=utf-8',
        'text/html, */*',
      ]) {
        readTables(await send(service, user, body, { accept }), 1)
      }
      const accept = parquetMediaType.toUpperCase()
      const { bytes } = assertSuccess(await send(service, user, body, { accept }))
      assertEqual([bytes[0], bytes[1]], [0x1f, 0x8b], 'the first bytes of a gzipped body')
    },
  },
  '2.10/priorities': {
    title: 'Uses the rows of the first provider of provider_priority_overrides in each group',
    rules: ['2.10/objects'],
    needs: ['user', 'addHealthData'],
    assumption: 'a group has the rows of its most preferred provider',
    async run(service: TestedService) {
      const slept = [
        { at: '2025-05-29T07:00:00', duration: 100, provider: 'oura', type: 'ring' },
        { at: '2025-05-29T07:30:00', duration: 200, provider: 'ultrahuman', type: 'ring' },
        { at: '2025-05-30T07:00:00', duration: 300, provider: 'ultrahuman', type: 'ring' },
        { at: '2025-05-31T07:00:00', duration: 400, provider: 'oura', type: 'ring' },
      ]
      const user = await addSleeper(service, slept)
      for (const [provider, first] of [
        ['oura', 100],
        ['ultrahuman', 200],
        ['oura', 100],
      ] as const) {
        const config = { provider_priority_overrides: [provider] }
        const [table = {}] = await queryTables(service, user, [query(['sum duration_second'])], {
          config,
        })
        const expected = { '2025-05-29': [first], '2025-05-30': [300], '2025-05-31': [400] }
        assertRows(table, expected, ['sum'])
      }
    },
  },
  '4.11/time-series': {
    title: 'Computes aggregations of a time series',
    rules: ['2.10/objects'],
    needs: ['user', 'addHealthData'],
    assumption: 'a time series is a resource with the columns timestamp and value',
    async run(service: TestedService) {
      const user = await service.user()
      const series = { glucose: 5, heartrate: 60 }
      for (const [resource, value] of Object.entries(series)) {
        const rows = [1, 2, 3].map((more) => {
          return {
            resource,
            values: { timestamp: `2025-05-30T0${more}:15:00`, value: value + more },
          }
        })
        await service.addHealthData(user, rows)
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

/** Returns the date a number of days later. */
function shift(date: string, days: number): string {
  const moment = Date.parse(`${date}T00:00:00Z`) + days * 86_400_000
  return new Date(moment).toISOString().slice(0, 10)
}
