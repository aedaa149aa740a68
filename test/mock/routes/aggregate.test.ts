import { describe, expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import {
  column,
  dateTrunc,
  groupKey,
  max,
  mean,
  newest,
  past,
  query,
  rows,
  ServiceClient,
  sum,
  where,
} from '../../../src/index.ts'
import { userId } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

const route = `POST /aggregate/v1/user/${userId}/query`
const parquet = 'application/vnd.service.tar+gzip+parquet'

const body = {
  timeframe: past(4, 'week', '2025-06-01'),
  queries: [
    {
      select: [
        { arg: { sleep: 'score' }, func: 'mean' },
        { arg: { sleep: 'score' }, func: 'max' },
      ],
      group_by: [{ date_trunc: { unit: 'week', value: 1 }, arg: { index: 'sleep' } }],
    },
    { select: [{ arg: { activity: 'steps' }, func: 'sum' }] },
  ],
}

it('returns a table for each query, in the order of the queries (4.11)', async () => {
  const { status, body: response } = await call(createMock().team(), route, body)
  expect(status).toBe(200)
  const [weekly, total] = response.results
  expect(Object.keys(weekly.table)).toEqual(['index', 'mean', 'max'])
  expect(weekly.table.index).toEqual([
    '2025-05-05T00:00:00',
    '2025-05-12T00:00:00',
    '2025-05-19T00:00:00',
    '2025-05-26T00:00:00',
  ])
  for (const values of Object.values(weekly.table)) expect(values).toHaveLength(4)
  expect(total.table.sum).toHaveLength(1)
})

it.each([
  ['*/*', 200, 'application/json'],
  ['application/json', 200, 'application/json'],
  ['application/json;q=0.9, text/plain', 200, 'application/json'],
  [parquet, 200, parquet],
  [parquet.toUpperCase(), 200, parquet],
  [`application/json;q=0.5, ${parquet}`, 200, parquet],
  [`${parquet};q=0, */*`, 200, 'application/json'],
  ['APPLICATION/JSON', 200, 'application/json'],
  ['text/csv', 406, 'application/json'],
])('responds to the accept header %s with %i (4.11)', async (accept, status, type) => {
  const response = await call(createMock().team(), route, body, { accept })
  expect([response.status, response.headers.get('content-type')]).toEqual([status, type])
  if (status === 406) expect(response.body.detail).toContain(parquet)
})

it('responds with 403 while aggregate queries are disabled (4.11)', async () => {
  const team = createMock().team({ aggregate: false })
  for (const accept of ['*/*', parquet]) {
    expect((await call(team, route, body, { accept })).status).toBe(403)
  }
})

it.each([
  [{ aggregate: false }, 403],
  [{ autoCreateUsers: false }, 404],
])('with %j, responds with %i only to valid queries', async (options, status) => {
  const team = createMock().team(options)
  const unknown = { queries: [{ select: [{ arg: { sleep: 'mood' }, func: 'mean' }] }] }
  for (const accept of ['*/*', parquet]) {
    expect((await call(team, route, body, { accept })).status).toBe(status)
    expect((await call(team, route, { ...body, ...unknown }, { accept })).status).toBe(422)
  }
})

it.each([
  ['timeframe.past.unit', { timeframe: past(1, 'fortnight', '2025-06-01') }],
  ['timeframe.past.value', { timeframe: past(0, 'day', '2025-06-01') }],
  ['timeframe.anchor', { timeframe: past(1, 'day', '1 June') }],
  ['timeframe.type', { timeframe: { ...body.timeframe, type: 'absolute' } }],
  ['queries.0.select', { queries: [{ select: [] }] }],
  ['queries.0.select', { queries: [{ select: [{ arg: { moods: 'score' }, func: 'mean' }] }] }],
  [
    'queries.0.select.0.arg.sleep',
    { queries: [{ select: [{ arg: { sleep: 'mood' }, func: 'mean' }] }] },
  ],
  [
    'queries.0.select.0.func',
    { queries: [{ select: [{ arg: { sleep: 'score' }, func: 'mode' }] }] },
  ],
  [
    'queries.0.select.0.func',
    { queries: [{ select: [{ arg: { sleep: 'type' }, func: 'mean' }] }] },
  ],
  [
    'queries.1.select',
    {
      queries: [
        query(mean('sleep', 'score')),
        query(mean('sleep', 'score'), mean('activity', 'steps')),
      ],
    },
  ],
  [
    'queries.0.group_by.0.date_trunc.unit',
    { queries: [query(mean('sleep', 'score')).groupBy(dateTrunc('sleep', 1, 'decade'))] },
  ],
  [
    'queries.0.group_by.0.date_trunc.value',
    { queries: [query(mean('sleep', 'score')).groupBy(dateTrunc('sleep', 0, 'day'))] },
  ],
  [
    'queries.0.group_by.1',
    {
      queries: [
        query(mean('sleep', 'score')).groupBy(
          dateTrunc('sleep', 1, 'day'),
          dateTrunc('sleep', 1, 'week'),
        ),
      ],
    },
  ],
  [
    'queries.0.group_by.0.arg.sleep',
    { queries: [query(mean('sleep', 'score')).groupBy(column('sleep', 'mood'))] },
  ],
  [
    'queries.0.select.1.group_key',
    {
      queries: [query(mean('sleep', 'score'), groupKey(1)).groupBy(dateTrunc('sleep', 1, 'day'))],
    },
  ],
  ['queries.0.select.1.group_key', { queries: [query(mean('sleep', 'score'), groupKey(0))] }],
  [
    'queries.0.select.0.group_key',
    { queries: [{ select: [{ group_key: -1 }, mean('sleep', 'score')] }] },
  ],
  ['queries.0.select', { queries: [{ select: [{ group_key: '*' }] }] }],
  [
    'queries.0.select.0.arg.field',
    { queries: [{ select: [{ arg: { timeseries: 'hrv', field: 'score' }, func: 'mean' }] }] },
  ],
  [
    'queries.0.select',
    { queries: [query(mean('sleep', 'score')).groupBy(column('source', 'score'))] },
  ],
  ['queries.0.where', { queries: [query(mean('sleep', 'score')).where('score >')] }],
  ['queries.0.where', { queries: [query(mean('sleep', 'score')).where("mood = 'good'")] }],
])('responds with 422 and names %s (4.11)', async (place, changes) => {
  const { status, body: response } = await call(createMock().team(), route, { ...body, ...changes })
  expect(status).toBe(422)
  const places = response.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))
  expect(places).toContain(`body.${place}`)
})

it('names the position of a syntax error in a where expression, and what was expected', async () => {
  const queries = [query(mean('sleep', 'score')).where("score >= 80 AND (type = 'nap'")]
  const { body: response } = await call(createMock().team(), route, { ...body, queries })
  expect(response.detail[0].msg).toMatch(/position 29.*\)/)
})

describe('rows that a test adds', () => {
  const night = (score: number, day: string, source_provider = 'oura') => ({
    user_id: userId,
    resource: 'sleep',
    values: { score, session_end: `${day}T07:00:00`, source_provider },
  })

  it('replace the generated rows of that user and resource', async () => {
    const team = createMock().team()
    const client = new ServiceClient(team.connection())
    team.data.create(night(70, '2025-05-30'))
    const { id } = team.data.create(night(80, '2025-05-31'))
    const request = {
      timeframe: past(7, 'day', '2025-06-01'),
      queries: [query(mean('sleep', 'score')), query(sum('activity', 'steps'))],
    } as const
    const [sleep, activity] = (await client.aggregate.query(userId, request)).results
    expect(sleep.table.mean).toEqual([75])
    expect(activity.table.sum[0]).toBeGreaterThan(0)
    team.data.update(id, { values: { score: 90, session_end: '2025-05-31T07:00:00' } })
    const after = await client.aggregate.query(userId, request)
    expect(after.results[0].table.mean).toEqual([80])
    team.data.delete(id)
    expect((await client.aggregate.query(userId, request)).results[0].table.mean).toEqual([70])
  })

  it('are also in the summaries', async () => {
    const team = createMock().team()
    team.data.create(night(70, '2025-05-30'))
    const { body: response } = await call(
      team,
      `GET /v2/summary/sleep/${userId}?start_date=2025-05-30&end_date=2025-05-30`,
    )
    expect(response.sleep).toMatchObject([
      { score: 70, calendar_date: '2025-05-30', source: { provider: 'oura', type: 'ring' } },
    ])
  })

  it('are the only rows without generated data', async () => {
    const team = createMock().team({ generatedData: false })
    const client = new ServiceClient(team.connection())
    const [result] = (
      await client.aggregate.query(userId, {
        timeframe: past(7, 'day', '2025-06-01'),
        queries: [query(newest('body', 'weight_kilogram')).groupBy(dateTrunc('body', 1, 'day'))],
      })
    ).results
    expect(result.table).toEqual({ index: [], newest: [] })
    expect(rows(result)).toEqual([])
  })

  it.each([
    [{ resource: 'moods' }, /Unknown resource 'moods'/],
    [{ resource: 'sleep', values: { mood: 1 } }, /Unknown column 'mood' of sleep/],
  ])('require a known resource and known columns: %j', (changes, message) => {
    const { data } = createMock().team()
    expect(() => data.create({ user_id: userId, ...changes })).toThrow(
      expect.objectContaining({ code: 'invalid_state', message: expect.stringMatching(message) }),
    )
  })
})

it('has no data in the future', async () => {
  const team = createMock({ now: '2025-06-01T09:00:30Z' }).team()
  const client = new ServiceClient(team.connection())
  const latest = async () => {
    const { results } = await client.aggregate.query(userId, {
      timeframe: past(1, 'day', '2025-06-02'),
      queries: [query(max('heartrate', 'timestamp'))],
    })
    return results[0].table.max
  }
  expect(await latest()).toEqual([])
  await team.clock.advanceTo('2025-06-02T12:00:30Z')
  expect(await latest()).toEqual(['2025-06-02T12:00:00'])
})

it('compares with strings that contain quotes', async () => {
  const team = createMock().team()
  const client = new ServiceClient(team.connection())
  for (const title of ["Run 'n' ride", 'Run']) {
    team.data.create({ user_id: userId, resource: 'workout', values: { title, calories: 5 } })
  }
  const { results } = await client.aggregate.query(userId, {
    timeframe: past(7, 'day', '2025-06-01'),
    queries: [query(sum('workout', 'calories')).where(where`title = ${"Run 'n' ride"}`)],
  })
  expect(results[0].table.sum).toEqual([5])
})
