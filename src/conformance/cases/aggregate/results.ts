import { assertEqual, assertSuccess, assertThat } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import {
  by,
  documented,
  funcs,
  past,
  presumeColumns,
  query,
  queryTables,
  readTables,
  request,
  send,
} from './queries.ts'
import { assertRows, groupRows, keys } from './reference.ts'
import { gaps, type Night, nights, sleepRow } from './rows.ts'

/** Returns the id of a user with these nights. */
export async function addSleeper(service: TestedService, slept: readonly Night[]): Promise<string> {
  const user = await service.user()
  await service.addHealthData(user, slept.map(sleepRow))
  await presumeColumns(service, user)
  return user
}

export const aggregateResultCases = defineCases({
  '4.11/values': {
    title: 'Computes mean, min, max and newest of the rows of each group',
    rules: ['4.11/json', '2.10/objects', '4.11/body'],
    needs: ['user', 'addHealthData'],
    async run(service: TestedService) {
      const user = await addSleeper(service, nights)
      for (const [column, name] of [
        ['duration_second', 'duration'],
        ['score', 'score'],
      ] as const) {
        const [table = {}] = await queryTables(service, user, [query(funcs(column))])
        assertRows(table, groupRows(nights, keys.day, funcs(name)), documented)
      }
    },
  },
  '4.11/missing-values': {
    title: 'Computes mean, min and max of the values of a group that has some',
    rules: ['4.11/json', '2.10/objects'],
    needs: ['user', 'addHealthData'],
    async run(service: TestedService) {
      const slept = gaps.filter(({ score }) => score !== null)
      const user = await addSleeper(service, [...slept, ...slept.map(withoutScore)])
      const names = ['mean', 'min', 'max']
      const queries = [query(names.map((func) => `${func} score`))]
      const [table = {}] = await queryTables(service, user, queries)
      const expected = groupRows(
        slept,
        keys.day,
        names.map((func) => `${func} score`),
      )
      assertRows(table, expected, names)
    },
  },
  '4.11/columns': {
    title: 'Returns index and one column for each aggregation, whatever their order',
    rules: ['4.11/json', '2.10/objects'],
    needs: ['user', 'addHealthData'],
    async run(service: TestedService) {
      const user = await addSleeper(service, nights)
      for (const funcs of [['max'], ['newest', 'min'], ['min', 'mean', 'newest'], ['mean']]) {
        const select = funcs.map((func) => `${func} duration_second`)
        const expected = funcs.map((func) => `${func} duration`)
        const [table = {}] = await queryTables(service, user, [query(select)])
        assertRows(table, groupRows(nights, keys.day, expected), funcs)
      }
    },
  },
  '4.11/order': {
    title: 'Returns one result for each query in the order of the request',
    rules: ['4.11/json', '2.10/objects'],
    needs: ['user', 'addHealthData'],
    async run(service: TestedService) {
      const user = await addSleeper(service, nights)
      const asked = [
        ['max', 'duration'],
        ['min', 'duration'],
        ['max', 'score'],
        ['newest', 'score'],
        ['max', 'duration'],
        ['mean', 'score'],
      ] as const
      const nameOf = { duration: 'duration_second', score: 'score' } as const
      for (const order of [asked, asked.toReversed(), asked.slice(0, 1), []]) {
        const queries = order.map(([func, name]) => query([`${func} ${nameOf[name]}`]))
        const tables = await queryTables(service, user, queries)
        for (const [at, [func, name]] of order.entries()) {
          const expected = groupRows(nights, keys.day, [`${func} ${name}`])
          assertRows(tables[at] ?? {}, expected, [func])
        }
      }
    },
  },
  '4.11/users': {
    title: 'Computes the aggregations of the user in the path, also after those of another',
    rules: ['4.11/path', '4.11/json'],
    needs: ['user', 'addHealthData'],
    async run(service: TestedService) {
      const halves = [nights.slice(0, 6), nights.slice(6)]
      const users: string[] = []
      for (const half of halves) users.push(await addSleeper(service, half))
      for (const at of [0, 1, 0]) {
        const queries = [query(['max duration_second'])]
        const [table = {}] = await queryTables(service, users[at] ?? '', queries)
        assertRows(table, groupRows(halves[at] ?? [], keys.day, ['max duration']), ['max'])
      }
    },
  },
  '4.11/another-team': {
    title: "Returns nothing of another team's user",
    rules: ['4.11/path', '5/team-key'],
    needs: ['user', 'addHealthData', 'team'],
    async run(service: TestedService) {
      const user = await addSleeper(service, [{ at: '2025-05-30T07:00:00', duration: 54_321 }])
      const body = request([query(['max duration_second', 'newest duration_second'])])
      const own = assertSuccess(await send(service, user, body))
      assertThat(JSON.stringify(own.json).includes('54321'), "Expected the team's own data.")
      const team = await service.team({})
      const { json } = await send(team, user, body)
      const shows = JSON.stringify(json ?? null).includes('54321')
      assertThat(!shows, "Expected no data of another team's user.")
    },
  },
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
        [past(20), '2025-05-11', '2025-05-31'],
        [past(50), '2025-04-11', '2025-05-31'],
        [past(10), '2025-06-01', '2025-05-31'],
        [past(340), '2024-06-25', '2025-05-31'],
        [past(1000, 'day', '2025-12-31'), '2023-01-01', '2025-12-31'],
        [past(20, 'day', '2024-10-31'), '2024-10-11', '2024-10-31'],
        [past(50, 'day', '2024-10-20'), '2024-09-01', '2024-10-20'],
        [past(60 * 24 * 20, 'minute'), '2025-05-11', '2025-05-31'],
      ] as const) {
        const inside = slept.filter(({ at }) => at >= from && at.slice(0, 10) <= to)
        const queries = [query(['max duration_second'])]
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
      const timeframe = past(700)
      for (const [unit, length] of [
        ['minute', 16],
        ['hour', 13],
        ['day', 10],
        ['month', 7],
        ['year', 4],
      ] as const) {
        const queries = [query(funcs('duration_second'), { group_by: [by(unit)] })]
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
      const days = ['26', '27', '28', '29', '30', '31']
      const slept = days.map((day, at) => ({ at: `2025-05-${day}T07:00:00`, duration: 100 + at }))
      const user = await addSleeper(service, slept)
      for (const [value, fewest] of [
        [1, 6],
        [2, 3],
        [3, 2],
        [6, 1],
        [1, 6],
      ] as const) {
        const queries = [query(['max duration_second'], { group_by: [by('day', value)] })]
        const [table = {}] = await queryTables(service, user, queries)
        const count = table['index']?.length ?? 0
        // The specification does not show where groups begin, so there may be one more.
        const most = value === 1 ? fewest : fewest + 1
        assertThat(
          count >= fewest && count <= most,
          `Expected ${fewest} to ${most} groups of ${value} days, found ${count}.`,
        )
        assertEqual(table['max']?.includes(105), true, 'whether the last day is in a group')
      }
    },
  },
  '4.11/empty': {
    title: 'Returns equal columns without values when the timeframe has no rows',
    rules: ['4.11/json'],
    needs: ['user', 'addHealthData'],
    async run(service: TestedService) {
      const user = await addSleeper(service, nights)
      const timeframe = past(30, 'day', '2001-05-31')
      const queries = [query(funcs('duration_second')), query(['max score'])]
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
      const queries = filters.map(({ where }) => query(['newest duration_second'], { where }))
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

/** Returns a night that begins a little later and has no score. */
function withoutScore({ at, duration }: Night): Night {
  return { at: at.replace(/\d:00$/, '9:30'), duration, score: null }
}
