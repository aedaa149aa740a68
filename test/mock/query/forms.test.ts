import { expect, it } from 'vitest'
import { createMock, type Team } from '../../../mock/index.ts'
import { past, type Query, ServiceClient } from '../../../src/index.ts'
import { userId } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

const timeframe = past(7, 'day', '2025-06-01')
const score = { arg: { sleep: 'score' }, func: 'mean' }
const byDay = { date_trunc: { unit: 'day' }, arg: { index: 'sleep' } }

function teamWithNights(): Team {
  const team = createMock().team({ generatedData: false })
  for (const [session_end, score, type, source_provider] of [
    ['2025-05-30T07:00:00', 70, 'long_sleep', 'oura'],
    ['2025-05-30T15:00:00', 90, 'nap', 'oura'],
    ['2025-05-31T07:00:00', 80, 'long_sleep', 'fitbit'],
    ['2025-05-31T16:00:00', 60, null, 'fitbit'],
  ] as const) {
    const values = { session_end, score, type, source_provider, source_type: 'watch' }
    team.data.create({ user_id: userId, resource: 'sleep', values })
  }
  return team
}

async function tableOf(query: Query) {
  const client = new ServiceClient(teamWithNights().connection())
  const { results } = await client.aggregate.query(userId, { timeframe, queries: [query] })
  return results[0].table
}

it.each([
  [{ arg: { sleep: 'source_provider' } }],
  [{ sleep: 'source_provider' }],
  [{ arg: { source: 'source_provider' } }],
  [{ source: 'source_provider' }],
])('groups by the column that %j names (assumption)', async (item) => {
  expect(await tableOf({ select: [score], group_by: [item] })).toEqual({
    index: ['fitbit', 'oura'],
    mean: [70, 80],
  })
  expect(await tableOf({ select: [score, { group_key: 1 }], group_by: [byDay, item] })).toEqual({
    index: ['2025-05-30T00:00:00', '2025-05-31T00:00:00'],
    mean: [80, 70],
    'group_key.1': ['oura', 'fitbit'],
  })
})

it.each([[{ arg: { sleep: 'type' } }], [{ sleep: 'type' }]])(
  'returns the newest value of the column %j without a function (assumption)',
  async (item) => {
    const select = [item, score]
    const index = ['2025-05-30T00:00:00', '2025-05-31T00:00:00']
    const mean = [80, 70]
    const table = await tableOf({ select, group_by: [byDay] })
    expect(table).toEqual({ index, type: ['nap', 'long_sleep'], mean })
  },
)

it('names a column without a function after its resource if its name is taken', async () => {
  const table = await tableOf({ select: [{ sleep: 'type' }, { arg: { sleep: 'type' } }] })
  expect(Object.keys(table)).toEqual(['index', 'type', 'sleep.type'])
})

const datePart = { date_part: 'weekday', arg: { index: 'sleep' } }

it.each([
  ['group_by.0.date_part', { select: [score], group_by: [datePart] }, /date_part is not supported/],
  ['select.1.date_part', { select: [score, datePart] }, /date_part is not supported/],
  ['select.0.sleep', { select: [{ sleep: 'mood' }] }, /Unknown column/],
  ['group_by.0.source', { select: [score], group_by: [{ source: 'mood' }] }, /Unknown column/],
  ['select', { select: [{ moods: 'score' }] }, /Unknown resource/],
])('rejects %s', async (place, query, message) => {
  const { status, body } = await call(teamWithNights(), `POST /aggregate/v1/user/${userId}/query`, {
    timeframe,
    queries: [query],
  })
  expect(status).toBe(422)
  const loc = ['body', 'queries', 0, ...place.split('.')].map((key) =>
    /^\d$/.test(String(key)) ? Number(key) : key,
  )
  expect(body.detail).toContainEqual(
    expect.objectContaining({ loc, msg: expect.stringMatching(message) }),
  )
})

it.each([
  [{ select: [{ sleep: 'score', activity: 'steps' }] }],
  [{ select: [{ arg: 'sleep' }] }],
  [{ select: [{ func: 'mean' }] }],
  [{ select: [{ arg: 'sleep', func: 'mean' }] }],
  [{ select: [{}] }],
  [{ select: [JSON.parse('{"__proto__":"score"}')] }],
  [{ select: [score], group_by: [{ sleep: 7 }] }],
  [{ select: [score], group_by: [{}] }],
])('rejects %j, which names no column', async (query) => {
  const { status } = await call(teamWithNights(), `POST /aggregate/v1/user/${userId}/query`, {
    timeframe,
    queries: [query],
  })
  expect(status).toBe(422)
})
