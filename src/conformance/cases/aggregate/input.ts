import { assertRejected, assertSuccess } from '../../assertions.ts'
import { invalidUuids, withValue } from '../../bodies/invalid-bodies.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import {
  by,
  pastTimeframe,
  presumeColumns,
  queryOf,
  queryTables,
  readTables,
  request,
  send,
} from './queries.ts'

const mean = queryOf(['mean duration_second'])
const noIntegers = [0, -1, 1.5, 'one', '1', true, [1], {}]
const noDates = ['yesterday', '2025-02-30', '2025-13-01', '2025-05-00', '20250531', '31-05-2025', 7]

async function userOf(service: TestedService) {
  const user = await service.user()
  await presumeColumns(service, user)
  const reject = async (body: unknown, input: string) =>
    assertRejected(await send(service, user, body), input)
  return { user, reject }
}

export const aggregateInputCases = defineCases(['user'], {
  '4.11/required': {
    title: 'Requires timeframe and queries, but not config',
    rules: ['4.11/body', '2.10/objects'],
    readOnly: true,
    async run(service) {
      const { user, reject } = await userOf(service)
      const body = request([mean])
      for (const field of ['timeframe', 'queries']) {
        await reject(withValue(body, field, undefined), `a request without ${field}`)
        const empty = { ...body, [field]: null }
        await reject(empty, `null for ${field}`)
      }
      readTables(await send(service, user, body), 1)
      const config = { provider_priority_overrides: [] }
      for (const value of [{}, config]) {
        readTables(await send(service, user, { ...body, config: value }), 1)
      }
    },
  },
  '4.11/types': {
    title: 'Rejects wrong types in timeframe, queries and config',
    rules: ['4.11/body', '2.10/objects'],
    readOnly: true,
    async run(service) {
      const { user, reject } = await userOf(service)
      const select = mean['select']
      for (const body of [
        [request([mean])],
        request(mean),
        request({ 0: mean }),
        request('all'),
        request([mean, 'all']),
        request([7]),
        request([mean], { timeframe: '30 days' }),
        request([mean], { timeframe: [pastTimeframe(30)] }),
        request([mean], { timeframe: { ...pastTimeframe(30), past: 30 } }),
        request([mean], { timeframe: { ...pastTimeframe(30), past: '30 days' } }),
        request([mean], { timeframe: { ...pastTimeframe(30), type: 7 } }),
        request([mean], { timeframe: pastTimeframe(30, 7) }),
        request([{ ...mean, select: 'mean' }]),
        request([{ ...mean, select: { 0: select } }]),
        request([{ ...mean, select: ['mean'] }]),
        request([{ ...mean, group_by: 'day' }]),
        request([{ ...mean, group_by: by('day') }]),
        request([{ ...mean, where: 7 }]),
        request([{ ...mean, where: ['score > 1'] }]),
        request([{ ...mean, select: [{ arg: 'sleep', func: 'mean' }] }]),
        request([{ ...mean, select: [{ arg: { sleep: 7 }, func: 'mean' }] }]),
        request([{ ...mean, select: [{ arg: { sleep: 'score' }, func: 7 }] }]),
        request([{ ...mean, group_by: [{ date_trunc: 'day', arg: { index: 'sleep' } }] }]),
        request([{ ...mean, group_by: [{ date_trunc: by('day').date_trunc, arg: 'sleep' }] }]),
        request([mean], { config: 'oura' }),
        request([mean], { config: { provider_priority_overrides: 'oura' } }),
        request([mean], { config: { provider_priority_overrides: [7] } }),
        request([mean], { config: { provider_priority_overrides: { 0: 'oura' } } }),
      ]) {
        await reject(body, 'a wrong type')
      }
      await queryTables(service, user, [mean])
    },
  },
  '4.11/parts': {
    title:
      'Requires every part of timeframe, a select in each query, and a column for each function',
    rules: ['2.10/objects'],
    readOnly: true,
    assumption:
      "each part of timeframe, each query's select and each function's column are required",
    async run(service) {
      const { reject } = await userOf(service)
      for (const part of ['type', 'anchor', 'past']) {
        const body = request([mean], { timeframe: withValue(pastTimeframe(30), part, undefined) })
        await reject(body, `a timeframe without ${part}`)
      }
      // A service may accept a column without a function, so only a function without a column is checked.
      const withoutColumn = request([{ ...mean, select: [{ func: 'mean' }] }])
      await reject(withoutColumn, 'a function without a column')
      await reject(request([withValue(mean, 'select', undefined)]), 'a query without select')
    },
  },
  '4.11/uuid': {
    title: 'Rejects an aggregate query for a user id that is not a UUID',
    rules: ['4.11/path'],
    readOnly: true,
    async run(service) {
      const { user } = await userOf(service)
      for (const id of [...invalidUuids, `${user}0`, user.slice(1)]) {
        assertRejected(await send(service, id, request([mean])), 'a user_id that is not a UUID')
      }
    },
  },
  '2.10/value': {
    title: 'Requires the values of past and group_by to be positive integers',
    rules: ['2.10/value'],
    readOnly: true,
    async run(service) {
      const { reject } = await userOf(service)
      for (const value of noIntegers) {
        const body = request([mean], { timeframe: pastTimeframe(value) })
        await reject(body, 'a past value that is not a positive integer')
        const grouped = request([{ ...mean, group_by: [by('day', value)] }])
        await reject(grouped, 'a group_by value that is not a positive integer')
        const second = request([mean, { ...mean, group_by: [by('day', value)] }])
        await reject(second, 'a group_by value that is not a positive integer')
      }
    },
  },
  '2.10/units': {
    title: 'Accepts the unit minute with any positive value in past and group_by',
    rules: ['2.10/value'],
    readOnly: true,
    async run(service) {
      const { user } = await userOf(service)
      for (const value of [1, 2, 90]) {
        const group_by = [by('minute', value)]
        const queries = [{ ...mean, group_by }]
        await queryTables(service, user, queries, { timeframe: pastTimeframe(value, 'minute') })
      }
    },
  },
  '2.10/anchor': {
    title: 'Rejects a timeframe whose anchor is not a date',
    rules: ['2.10/objects'],
    readOnly: true,
    async run(service) {
      const { user, reject } = await userOf(service)
      for (const anchor of noDates) {
        const body = request([mean], { timeframe: pastTimeframe(1, 'day', anchor) })
        await reject(body, 'an anchor that is not a date')
      }
      const leap = request([mean], { timeframe: pastTimeframe(1, 'day', '2024-02-29') })
      assertSuccess(await send(service, user, leap))
    },
  },
})
