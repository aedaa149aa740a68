import { assertEqual, assertThat } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import {
  by,
  documented,
  funcs,
  pastTimeframe,
  queryOf,
  queryTables,
  readTables,
  request,
  send,
} from './queries.ts'
import { assertRows, groupRows, keys } from './reference.ts'
import { addSleeper } from './results.ts'
import { type Night, nights } from './rows.ts'

export const aggregateGroupCases = defineCases({
  '4.11/timeframes': {
    title: 'Uses the rows of the timeframe of each request',
    rules: ['2.10/objects', '4.11/body'],
    needs: ['user', 'addHealthData'],
    async run(service: TestedService) {
      const slept = Array.from({ length: 12 }, (_, month) => [
        { at: `2024-${String(month + 1).padStart(2, '0')}-15T07:00:00`, duration: 1000 + month },
        { at: `2025-${String(month + 1).padStart(2, '0')}-15T07:00:00`, duration: 2000 + month },
      ]).flat()
      const user = await addSleeper(service, slept)
      for (const [timeframe, from, to] of [
        [pastTimeframe(20), '2025-05-11', '2025-05-31'],
        [pastTimeframe(50), '2025-04-11', '2025-05-31'],
        [pastTimeframe(10), '2025-06-01', '2025-05-31'],
        [pastTimeframe(340), '2024-06-25', '2025-05-31'],
        [pastTimeframe(1000, 'day', '2025-12-31'), '2023-01-01', '2025-12-31'],
        [pastTimeframe(20, 'day', '2024-10-31'), '2024-10-11', '2024-10-31'],
        [pastTimeframe(50, 'day', '2024-10-20'), '2024-09-01', '2024-10-20'],
        [pastTimeframe(60 * 24 * 20, 'minute'), '2025-05-11', '2025-05-31'],
      ] as const) {
        const inside = slept.filter(({ at }) => at >= from && at.slice(0, 10) <= to)
        const queries = [queryOf(['max duration_second'])]
        const [table = {}] = await queryTables(service, user, queries, { timeframe })
        assertRows(table, groupRows(inside, keys.day, ['max duration']), ['max'])
      }
    },
  },
  '4.11/groups': {
    title: 'Groups rows by each unit of time',
    rules: ['2.10/objects', '2.10/value', '4.11/json'],
    needs: ['user', 'addHealthData'],
    async run(service: TestedService) {
      const slept = [...nights, ...nights.map(toEarlierYear)]
      const user = await addSleeper(service, slept)
      const timeframe = pastTimeframe(700)
      for (const [unit, length] of [
        ['minute', 16],
        ['hour', 13],
        ['day', 10],
        ['month', 7],
        ['year', 4],
      ] as const) {
        const queries = [queryOf(funcs('duration_second'), { group_by: [by(unit)] })]
        const response = await send(service, user, request(queries, { timeframe }))
        service.presume(unit === 'minute' || response.status < 400, `${unit} is a time unit`)
        const [table = {}] = readTables(response, 1)
        assertRows(table, groupRows(slept, keys[unit], funcs('duration')), documented, length)
      }
    },
  },
  '4.11/wide-groups': {
    title: 'Groups rows by several units of time',
    rules: ['2.10/value', '2.10/objects'],
    needs: ['user', 'addHealthData'],
    async run(service: TestedService) {
      const days = Array.from({ length: 12 }, (_, at) => String(20 + at))
      const slept = days.map((day, at) => ({ at: `2025-05-${day}T07:00:00`, duration: 100 + at }))
      const user = await addSleeper(service, slept)
      for (const [value, fewest] of [
        [1, 12],
        [2, 6],
        [3, 4],
        [6, 2],
        [12, 1],
        [1, 12],
      ] as const) {
        const queries = [queryOf(['max duration_second'], { group_by: [by('day', value)] })]
        const [table = {}] = await queryTables(service, user, queries)
        const count = table['index']?.length ?? 0
        // The specification does not show where groups begin, so there may be one more.
        const most = value === 1 ? fewest : fewest + 1
        assertThat(
          count >= fewest && count <= most,
          `Expected ${fewest} to ${most} groups of ${value} days, found ${count}.`,
        )
        const isLast = (found: unknown) => Math.abs(Number(found) - 111) < 1e-6
        assertEqual(table['max']?.some(isLast), true, 'whether the last day is in a group')
      }
    },
  },
  '4.11/empty': {
    title: 'Returns equal columns without values when the timeframe has no rows',
    rules: ['4.11/json'],
    needs: ['user', 'addHealthData'],
    async run(service: TestedService) {
      const user = await addSleeper(service, nights)
      const timeframe = pastTimeframe(30, 'day', '2001-05-31')
      const queries = [queryOf(funcs('duration_second')), queryOf(['max score'])]
      for (const table of await queryTables(service, user, queries, { timeframe })) {
        assertEqual(table['index']?.length ?? 0, 0, 'the number of rows')
      }
    },
  },
  '4.11/where': {
    title: 'Filters rows by where, for each query on its own',
    rules: ['2.10/objects'],
    needs: ['user', 'addHealthData'],
    async run(service: TestedService) {
      const user = await addSleeper(service, nights)
      const filters = [
        {
          where: 'duration_second > 20000',
          keeps: (night: Night) => (night.duration ?? 0) > 20_000,
        },
        { where: 'duration_second < 0', keeps: () => false },
        { where: 'score <= 62', keeps: (night: Night) => (night.score ?? 100) <= 62 },
        { where: undefined, keeps: () => true },
      ]
      const queries = filters.map(({ where }) => queryOf(['newest duration_second'], { where }))
      const response = await send(service, user, request(queries))
      service.presume(response.status < 400, 'where is an expression over columns')
      const tables = readTables(response, queries.length)
      for (const [at, { keeps }] of filters.entries()) {
        const expected = groupRows(nights.filter(keeps), keys.day, ['newest duration'])
        assertRows(tables[at] ?? {}, expected, ['newest'])
      }
    },
  },
})

function toEarlierYear({ at, duration, score = null }: Night): Night {
  return { at: at.replace('2025-05', '2024-03'), duration: duration && duration + 60, score }
}
