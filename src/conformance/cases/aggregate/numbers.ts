import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { documented, presumeColumns, queryOf, queryTables, request, send } from './queries.ts'
import { assertRows, groupRows, keys } from './reference.ts'
import { type Night, sleepRow } from './rows.ts'

/** A column of sleep whose values may be negative and have decimals; no request of the specification names one. */
const column = 'skin_temperature_delta'

/** Values with decimals on both sides of 0; on some days all have one sign, on one all are missing. */
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

/** Asserts the documented functions of a column by day. */
async function assertByDay(service: TestedService, user: string, funcs: readonly string[]) {
  const select = funcs.map((func) => `${func} ${column}`)
  const [table = {}] = await queryTables(service, user, [queryOf(select)])
  const expected = groupRows(
    present,
    keys.day,
    funcs.map((func) => `${func} duration`),
  )
  assertRows(table, expected, funcs)
}

const present = deltas.filter(({ duration }) => duration !== null)

async function addDeltas(service: TestedService, rows: readonly Night[]): Promise<string> {
  const user = await service.user()
  await service.addHealthData(
    user,
    rows.map(({ at, duration }) => {
      const { resource, values } = sleepRow({ at, duration: null })
      return { resource, values: { ...values, [column]: duration } }
    }),
  )
  await presumeColumns(service, user)
  const probe = await send(service, user, request([queryOf([`min ${column}`])]))
  service.presume(probe.status < 400, `sleep has the column ${column}`)
  return user
}

export const aggregateNumberCases = defineCases({
  '4.11/signs': {
    title: 'Computes negative numbers, decimals and zeros without rounding',
    rules: ['4.11/json', '2.10/objects'],
    needs: ['user', 'addHealthData'],
    async run(service: TestedService) {
      const user = await addDeltas(service, present)
      await assertByDay(service, user, documented)
      for (const func of documented) await assertByDay(service, user, [func])
    },
  },
  '4.11/missing-numbers': {
    title: 'Computes mean, min and max of negative numbers beside missing ones',
    rules: ['4.11/json', '2.10/objects'],
    needs: ['user', 'addHealthData'],
    async run(service: TestedService) {
      const user = await addDeltas(service, deltas)
      await assertByDay(service, user, ['mean', 'min', 'max'])
    },
  },
})
