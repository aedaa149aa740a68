import { readFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { expect, it } from 'vitest'
import { adaptDatabase } from '../../src/stores/database.ts'
import { heartrateEvent, nightEvent, syncInto, user } from './synced-schema.ts'

/** The queries of the guide, by what they find. */
const [, block = ''] =
  /const queries = \{\n(.*?)\n\}\n/s.exec(readFileSync('docs/guides/sync.md', 'utf8')) ?? []
const queries = Object.fromEntries(
  [...block.matchAll(/'([^']+)': `([^`]+)`/g)].map(([, name = '', text = '']) => [name, text]),
)

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toJSON().slice(0, 10)
const source = { provider: 'oura', type: 'ring', app_id: null }

function dataEvent(resource: string, records: readonly object[]) {
  return { event_type: `daily.data.${resource}.created`, data: { data: records, source } }
}

it('finds with the ten queries of the guide what their names say', async () => {
  await using database = await PGlite.create()
  const { schema, deliver, query } = await syncInto(database)
  const ofOther = { user_id: crypto.randomUUID() }
  const today = daysAgo(0)

  await deliver(
    nightEvent({ id: 'a', calendar_date: '2026-01-05', total: 3600, score: 70, hr_resting: 50 }),
  )
  await deliver(
    nightEvent({ id: 'b', calendar_date: '2026-01-06', total: 7200, score: 80, hr_resting: 60 }),
  )
  await deliver(
    nightEvent({ id: 'c', calendar_date: '2026-02-01', total: 7200, score: 90, hr_resting: 40 }),
  )
  await deliver({ ...nightEvent({ id: 'd', calendar_date: '2026-01-07' }), ...ofOther })
  await deliver(
    dataEvent('activity', [
      { id: 'today', calendar_date: today, steps: 1000 },
      { id: 'yesterday', calendar_date: daysAgo(1), steps: 3000 },
      { id: 'old', calendar_date: daysAgo(30), steps: 90_000 },
    ]),
  )
  await deliver(
    dataEvent('body', [
      { id: 'first', calendar_date: '2026-01-01', weight: 70 },
      { id: 'last', calendar_date: '2026-01-03', weight: 71.5 },
      { id: 'without', calendar_date: '2026-01-04', fat: 20 },
    ]),
  )
  await deliver(
    dataEvent('workouts', [
      { id: 'r1', calendar_date: '2026-01-01', distance: 5000, sport: { slug: 'running' } },
      { id: 'r2', calendar_date: '2026-01-02', distance: 7000, sport: { slug: 'running' } },
      { id: 's1', calendar_date: '2026-01-02', distance: 1000, sport: { slug: 'swimming' } },
    ]),
  )
  await deliver(
    heartrateEvent([
      // 22:30 and 22:45 of the user, and 23:00.
      { timestamp: '2026-01-06T03:30:00Z', timezone_offset: -18_000, value: 50 },
      { timestamp: '2026-01-06T03:45:00Z', timezone_offset: -18_000, value: 60 },
      { timestamp: '2026-01-06T04:00:00Z', timezone_offset: -18_000, value: 70 },
    ]),
  )
  await deliver(
    dataEvent(
      'glucose',
      [9.9, 10.1, 12].map((value, minute) => ({
        timestamp: `2026-01-06T12:0${minute}:00Z`,
        ...{ timezone_offset: 0, unit: 'mmol/L', value },
      })),
    ),
  )
  await deliver(
    dataEvent('sleep_cycle', [
      {
        ...{ id: 'cycle-1', sleep_id: 'a', calendar_date: '2026-01-05' },
        session_start: '2026-01-05T23:00:00Z',
        ...{ stage_start_offset_second: [0, 120], stage_end_offset_second: [120, 300] },
        stage_type: ['light', 'deep'],
      },
    ]),
  )
  const results = [
    { name: 'LDL', slug: 'ldl', result: '120', unit: 'mg/dL' },
    { name: 'HDL', slug: 'hdl', result: '50', unit: 'mg/dL' },
  ]
  await deliver({
    event_type: 'labtest.order.updated',
    data: { id: 'order-1', created_at: '2026-01-01T00:00:00Z', results },
  })
  await deliver({
    event_type: 'provider.connection.error',
    data: { provider: 'fitbit', error_type: 'token_refresh_failed' },
  })

  const run = async (name: string, columns: string) => {
    const text = (queries[name] ?? '').replaceAll('health.', `${schema}.`)
    const wrapped = `select ${columns} from (${text}) as found`
    return (await adaptDatabase(database).query(wrapped, [user])).rows.map((row) =>
      Object.values(row).join(' '),
    )
  }
  expect(Object.keys(queries)).toHaveLength(10)
  expect(await run('nights of a user', 'calendar_date::text, hours, score')).toEqual([
    ...['2026-02-01 2 90', '2026-01-06 2 80', '2026-01-05 1 70'],
  ])
  expect(await run('mean steps of a week', 'avg')).toEqual(['2000'])
  expect(await run('latest weight', 'weight, calendar_date::text')).toEqual(['71.5 2026-01-03'])
  expect(await run('resting heart rate by month', 'month::date::text, avg')).toEqual([
    ...['2026-01-01 55', '2026-02-01 40'],
  ])
  expect(await run('heart rate by hour of the day', 'hour::int, avg')).toEqual(['22 55', '23 70'])
  expect(await run('workouts by sport', 'sport_slug, count::int, kilometers')).toEqual([
    ...['running 2 12', 'swimming 1 1'],
  ])
  expect(await run('minutes of deep sleep', 'calendar_date::text, count::int')).toEqual([
    '2026-01-05 3',
  ])
  expect(await run('results of a marker', 'created_at::date::text, result, unit')).toEqual([
    '2026-01-01 120 mg/dL',
  ])
  expect(await run('users whose connection fails', 'source_provider, error_type')).toEqual([
    'fitbit token_refresh_failed',
  ])
  expect(await run('glucose above 10 mmol/L', 'local_date::text, count::int')).toEqual([
    '2026-01-06 2',
  ])
  expect(await query('select id from $.sleep order by id')).toHaveLength(4)
})
