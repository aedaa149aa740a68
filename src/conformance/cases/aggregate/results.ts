import { assertSuccess, assertThat } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import {
  documented,
  funcs,
  presumeColumns,
  queryOf,
  queryTables,
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
        const [table = {}] = await queryTables(service, user, [queryOf(funcs(column))])
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
      const queries = [queryOf(names.map((func) => `${func} score`))]
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
        const [table = {}] = await queryTables(service, user, [queryOf(select)])
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
        const queries = order.map(([func, name]) => queryOf([`${func} ${nameOf[name]}`]))
        const tables = await queryTables(service, user, queries)
        for (const [at, [func, name]] of order.entries()) {
          const expected = groupRows(nights, keys.day, [`${func} ${name}`])
          assertRows(tables[at] ?? {}, expected, [func])
        }
      }
    },
  },
  '4.11/config': {
    title: 'Keeps the rows of the only provider, whatever provider_priority_overrides prefers',
    rules: ['2.10/objects', '4.11/body'],
    needs: ['user', 'addHealthData'],
    async run(service: TestedService) {
      const user = await addSleeper(service, nights)
      const expected = groupRows(nights, keys.day, ['max duration'])
      for (const provider_priority_overrides of [['oura', 'fitbit'], ['fitbit', 'garmin'], []]) {
        const config = { provider_priority_overrides }
        const queries = [queryOf(['max duration_second'])]
        const [table = {}] = await queryTables(service, user, queries, { config })
        assertRows(table, expected, ['max'])
      }
    },
  },
  '4.11/new-rows': {
    title: 'Computes the same query again with rows that were added',
    rules: ['4.11/json'],
    needs: ['user', 'addHealthData'],
    async run(service: TestedService) {
      const user = await addSleeper(service, nights)
      const queries = [queryOf(['max duration_second'])]
      const [before = {}] = await queryTables(service, user, queries)
      assertRows(before, groupRows(nights, keys.day, ['max duration']), ['max'])
      const added = { at: '2025-05-31T07:00:00', duration: 11_111 }
      await service.addHealthData(user, [...nights, added].map(sleepRow))
      const [table = {}] = await queryTables(service, user, queries)
      assertRows(table, groupRows([...nights, added], keys.day, ['max duration']), ['max'])
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
        const queries = [queryOf(['max duration_second'])]
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
      const body = request([queryOf(['max duration_second', 'newest duration_second'])])
      const own = assertSuccess(await send(service, user, body))
      assertThat(JSON.stringify(own.json).includes('54321'), "Expected the team's own data.")
      const team = await service.team({})
      const { json } = await send(team, user, body)
      const shows = JSON.stringify(json ?? null).includes('54321')
      assertThat(!shows, "Expected no data of another team's user.")
    },
  },
})

/** Returns a night that begins a little later and has no score. */
function withoutScore({ at, duration }: Night): Night {
  return { at: at.replace(/\d:00$/, '9:30'), duration, score: null }
}
