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
import {
  addSleeper,
  assertComputed,
  assertRows,
  functionsOf,
  gaps,
  groupRows,
  keys,
  type Night,
  nights,
  type Sleeper,
  sleepRow,
} from './reference.ts'

/**
 * A sleep column whose values can be negative and have decimal places. The specification names no such column, so a
 * service may not have it.
 */
const signed = 'skin_temperature_delta'

/**
 * Each inner array contains a day's values. On some days, all values have the same sign. On two days, a value is null.
 */
const deltas: readonly Night[] = [
  [-1.372, 0.418, -0.235],
  [-0.913, -2.647],
  [0.731, 0.2894, 0.4417],
  [0, 0],
  [-0.000_518, 0.000_274],
  [3.2716, -0.061, null],
  [-1.75, null],
  [-12_345.678, 71_234.561],
  [0.25, -0.25],
].flatMap((values, day) =>
  values.map((duration, at) => ({ at: `2025-05-1${day}T0${3 * at + 1}:20:00`, duration })),
)
const presentDeltas = deltas.filter(({ duration }) => duration !== null)

async function addDeltas(service: TestedService, rows: readonly Night[]): Promise<Sleeper> {
  const user = await service.user()
  const data = rows.map(({ at, duration }) => {
    const { resource, values } = sleepRow({ at, duration: null })
    return { resource, values: { ...values, [signed]: duration } }
  })
  await service.setup.addHealthData(user, data)
  await presumeColumns(service, user)
  const probe = await send(service, user, request([queryOf([`min ${signed}`])]))
  service.presume(probe.status < 400, `sleep has the column ${signed}`)
  return { service, user, slept: presentDeltas }
}

export const aggregateResultCases = defineCases(['user', 'addHealthData'], {
  '4.11/values': {
    title: "Computes mean, min, max and newest of each group's rows",
    rules: ['4.11/json', '2.10/objects', '4.11/body'],
    async run(service) {
      const sleeper = await addSleeper(service, nights)
      for (const column of ['duration_second', 'score']) {
        await assertComputed(sleeper, funcs(column))
      }
    },
  },
  '4.11/missing-values': {
    title: 'Computes mean, min and max, ignoring missing values',
    rules: ['4.11/json', '2.10/objects'],
    async run(service) {
      const slept = gaps.filter(({ score }) => score !== null)
      const sleeper = await addSleeper(service, [...slept, ...slept.map(withoutScore)])
      await assertComputed(sleeper, ['mean score', 'min score', 'max score'], { slept })
    },
  },
  '4.11/columns': {
    title: 'Returns index and one column per aggregation, regardless of the order in select',
    rules: ['4.11/json', '2.10/objects'],
    async run(service) {
      const sleeper = await addSleeper(service, nights)
      for (const names of [['max'], ['newest', 'min'], ['min', 'mean', 'newest'], ['mean']]) {
        const select = names.map((func) => `${func} duration_second`)
        await assertComputed(sleeper, select)
      }
    },
  },
  '4.11/order': {
    title: 'Returns one result per query, in the order of the queries',
    rules: ['4.11/json', '2.10/objects'],
    async run(service) {
      const { user } = await addSleeper(service, nights)
      const asked = [
        'max duration_second',
        'min duration_second',
        'max score',
        'newest score',
        'max duration_second',
        'mean score',
      ].map((column) => [column])
      for (const order of [asked, asked.toReversed(), asked.slice(0, 1), []]) {
        const queries = order.map((select) => queryOf(select))
        const tables = await queryTables(service, user, queries)
        for (const [at, select] of order.entries()) {
          assertRows(tables[at] ?? {}, groupRows(nights, keys.day, select), functionsOf(select))
        }
      }
    },
  },
  '4.11/config': {
    title:
      "Uses the rows of a user's only provider even if provider_priority_overrides prefers another",
    rules: ['2.10/objects', '4.11/body'],
    async run(service) {
      const sleeper = await addSleeper(service, nights)
      for (const provider_priority_overrides of [['oura', 'fitbit'], ['fitbit', 'garmin'], []]) {
        const config = { provider_priority_overrides }
        await assertComputed(sleeper, ['max duration_second'], { request: { config } })
      }
    },
  },
  '4.11/new-rows': {
    title: 'Includes new rows in the results when the same query is sent again',
    rules: ['4.11/json'],
    async run(service) {
      const sleeper = await addSleeper(service, nights)
      await assertComputed(sleeper, ['max duration_second'])
      const slept = [...nights, { at: '2025-05-31T07:00:00', duration: 11_111 }]
      await service.setup.addHealthData(sleeper.user, slept.map(sleepRow))
      await assertComputed(sleeper, ['max duration_second'], { slept })
    },
  },
  '4.11/users': {
    title:
      'Computes the aggregations for the user in the path, even after a request for another user',
    rules: ['4.11/path', '4.11/json'],
    async run(service) {
      const one = await addSleeper(service, nights.slice(0, 6))
      const other = await addSleeper(service, nights.slice(6))
      for (const sleeper of [one, other, one]) {
        await assertComputed(sleeper, ['max duration_second'])
      }
    },
  },
  '4.11/another-team': {
    title: "Returns no aggregated data about another team's user",
    rules: ['4.11/path', '5/team-key'],
    needs: ['user', 'addHealthData', 'team'],
    async run(service) {
      const { user } = await addSleeper(service, [{ at: '2025-05-30T07:00:00', duration: 54_321 }])
      const body = request([queryOf(['max duration_second', 'newest duration_second'])])
      const own = assertSuccess(await send(service, user, body))
      assertThat(
        JSON.stringify(own.json).includes('54321'),
        "Expected the results to contain the team's own data.",
      )
      const team = await service.team({})
      const { json } = await send(team, user, body)
      const shows = JSON.stringify(json ?? null).includes('54321')
      assertThat(!shows, "Expected no data about another team's user, but found some.")
    },
  },
  '4.11/signs': {
    title: 'Aggregates negative numbers, decimals and zeros without rounding them',
    rules: ['4.11/json', '2.10/objects'],
    async run(service) {
      const sleeper = await addDeltas(service, presentDeltas)
      for (const names of [documented, ...documented.map((func) => [func])]) {
        const select = names.map((func) => `${func} ${signed}`)
        await assertComputed(sleeper, select)
      }
    },
  },
  '4.11/missing-numbers': {
    title: 'Computes mean, min and max of negative numbers, ignoring missing values',
    rules: ['4.11/json', '2.10/objects'],
    async run(service) {
      const sleeper = await addDeltas(service, deltas)
      await assertComputed(sleeper, [`mean ${signed}`, `min ${signed}`, `max ${signed}`])
    },
  },
})

/** Returns a copy of a night that ends up to 9.5 minutes later and has no score. */
function withoutScore({ at, duration }: Night): Night {
  return { at: at.replace(/\d:00$/, '9:30'), duration, score: null }
}
