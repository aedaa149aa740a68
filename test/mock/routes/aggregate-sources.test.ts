import { describe, expect, it } from 'vitest'
import { createMock, type Team, type TeamOptions } from '../../../mock/index.ts'
import {
  type AnyQuery,
  column,
  count,
  dateTrunc,
  groupKey,
  max,
  mean,
  newest,
  oldest,
  past,
  query,
  ServiceClient,
  sum,
} from '../../../src/index.ts'
import { tables } from '../../../src/parquet/index.ts'
import { userId } from '../../support/bodies.ts'
import { listOf } from '../../support/parquet/archives.ts'

type Steps = [day: string, steps: number | null, source: string]

/** Creates a team with steps; a source such as `ring/oura` has a type and a provider. */
function teamWith(rows: readonly Steps[], options: TeamOptions = {}): Team {
  const team = createMock().team(options)
  for (const [date, steps, source] of rows) {
    const [source_type = '', source_provider = ''] = source.split('/')
    const values = { date, steps, source_type, source_provider }
    team.data.create({ user_id: userId, resource: 'activity', values })
  }
  return team
}

async function tableOf(team: Team, asked: AnyQuery, overrides: string[] = []) {
  const client = new ServiceClient(team.connection())
  const { results } = await client.aggregate.query(userId, {
    timeframe: past(7, 'day', '2025-06-01'),
    queries: [asked],
    config: { provider_priority_overrides: overrides },
  })
  return results[0].table
}

const steps = query(sum('activity', 'steps'))
const daily = steps.groupBy(dateTrunc('activity', 1, 'day'))
const bySource = column('source', 'source_provider')
const byType = column('source', 'source_type')

describe('several sources in one group (assumption)', () => {
  it('does not count the steps of a phone on a day with those of a ring', async () => {
    const team = teamWith([
      ['2025-05-30', 9000, 'ring/oura'],
      ['2025-05-30', 8000, 'phone/apple_health_kit'],
      ['2025-05-31', 7000, 'phone/apple_health_kit'],
    ])
    expect((await tableOf(team, daily))['sum']).toEqual([9000, 7000])
  })

  it.each(
    [
      'lab',
      'automatic',
      'watch',
      'ring',
      'chest_strap',
      'scale',
      'cuff',
      'fingerprick',
      'manual_scan',
      'phone',
      'app',
      'multiple_sources',
      'unknown',
      'hat',
    ].map((type, at, types) => [type, types[at + 1]]),
  )('prefers the source type %s to %s', async (better, worse = 'hoof') => {
    const rows: Steps[] = [
      ['2025-05-30', 1, `${worse}/a`],
      ['2025-05-30', 2, `${better}/z`],
    ]
    expect((await tableOf(teamWith(rows), daily, ['a']))['sum']).toEqual([2])
  })

  const watches: Steps[] = [
    ['2025-05-30', 1, 'watch/garmin'],
    ['2025-05-30', 2, 'watch/fitbit'],
    ['2025-05-30', 4, 'watch/polar'],
    ['2025-05-31', 8, 'watch/polar'],
    ['2025-05-31', 16, 'watch/polar'],
  ]

  it.each<[TeamOptions, string[], number[]]>([
    [{}, [], [2, 24]],
    [{ providerPriority: ['garmin', 'polar'] }, [], [1, 24]],
    [{ providerPriority: ['garmin', 'polar'] }, ['polar'], [4, 24]],
    [{ providerPriority: ['polar'] }, ['garmin', 'fitbit'], [1, 24]],
    [{ sourcePriority: 'all_sources' }, ['garmin'], [7, 24]],
  ])('with the options %j and the overrides %j: %j', async (options, overrides, expected) => {
    expect((await tableOf(teamWith(watches, options), daily, overrides))['sum']).toEqual(expected)
  })

  it('counts all sources without groups, and in groups of provider and type', async () => {
    const team = teamWith([...watches, ['2025-05-30', 32, 'phone/fitbit']])
    expect(await tableOf(team, steps, ['polar'])).toEqual({
      index: ['2025-05-26T00:00:00'],
      sum: [63],
    })
    const both = steps.groupBy(dateTrunc('activity', 1, 'day'), byType, bySource)
    expect((await tableOf(team, both))['sum']).toEqual([32, 2, 1, 4, 24])
    const one = steps.groupBy(bySource)
    expect(await tableOf(team, one)).toEqual({
      index: ['fitbit', 'garmin', 'polar'],
      sum: [2, 1, 28],
    })
  })

  it('chooses among the rows that match where', async () => {
    const phones = daily.where("source_type = 'phone'")
    const team = teamWith([...watches, ['2025-05-30', 32, 'phone/fitbit']])
    expect((await tableOf(team, phones))['sum']).toEqual([32])
  })

  it('can be configured later', async () => {
    const team = teamWith(watches)
    team.configure({ providerPriority: ['polar'] })
    expect((await tableOf(team, daily))['sum']).toEqual([4, 24])
  })
})

describe('group keys (assumption)', () => {
  const rows: Steps[] = [
    ['2025-05-30', 1, 'watch/garmin'],
    ['2025-05-30', 2, 'phone/fitbit'],
    ['2025-05-31', 4, 'watch/garmin'],
  ]
  const groups = [bySource, dateTrunc('activity', 1, 'day'), byType]

  it('are the columns group_key.n beside index, in the order of group_by', async () => {
    const all = query(sum('activity', 'steps'), groupKey()).groupBy(...groups)
    expect(await tableOf(teamWith(rows), all)).toEqual({
      index: ['2025-05-30T00:00:00', '2025-05-30T00:00:00', '2025-05-31T00:00:00'],
      sum: [2, 1, 4],
      'group_key.0': ['fitbit', 'garmin', 'garmin'],
      'group_key.1': ['2025-05-30T00:00:00', '2025-05-30T00:00:00', '2025-05-31T00:00:00'],
      'group_key.2': ['phone', 'watch', 'watch'],
    })
    const one = query(groupKey(2), count('activity', 'steps')).groupBy(...groups)
    const table = await tableOf(teamWith(rows), one)
    expect(Object.keys(table)).toEqual(['index', 'group_key.2', 'count'])
    expect(table['group_key.2']).toEqual(['phone', 'watch', 'watch'])
  })

  it('are not in the table without being selected', async () => {
    const table = await tableOf(teamWith(rows), steps.groupBy(...groups))
    expect(Object.keys(table)).toEqual(['index', 'sum'])
  })

  it('are the same in Parquet', async () => {
    const client = new ServiceClient(teamWith(rows).connection())
    const request = {
      timeframe: past(7, 'day', '2025-06-01'),
      queries: [
        query(sum('activity', 'steps'), groupKey()).groupBy(...groups),
        query(sum('activity', 'calories_total')),
        query(newest('activity', 'steps')).where('steps > 100'),
      ],
    }
    const { results } = await client.aggregate.query(userId, request)
    for (const table of await listOf(
      tables(await client.aggregate.queryParquet(userId, request)),
    )) {
      const expected = results[table.query]?.table ?? {}
      expect(table.columns).toEqual(Object.keys(expected))
      const lines = await listOf(table.rows())
      for (const [name, values] of Object.entries(expected)) {
        expect(lines.map((line) => line[name])).toEqual(values)
      }
    }
  })
})

it('has no rows without data in the timeframe (assumption)', async () => {
  const team = teamWith([['2025-05-01', 1, 'watch/garmin']])
  expect(await tableOf(team, steps)).toEqual({ index: [], sum: [] })
  expect(await tableOf(team, daily)).toEqual({ index: [], sum: [] })
  expect(await tableOf(team, query(count('caffeine', 'value')))).toEqual({ index: [], count: [] })
})

it('skips nulls in oldest and newest, and keeps a row whose values are all null', async () => {
  const team = teamWith([
    ['2025-05-29', null, 'watch/garmin'],
    ['2025-05-30', 2, 'watch/garmin'],
    ['2025-05-31', 3, 'watch/garmin'],
    ['2025-06-01', null, 'watch/garmin'],
  ])
  const ends = query(oldest('activity', 'steps'), newest('activity', 'steps'))
  expect(await tableOf(team, ends)).toMatchObject({ oldest: [2], newest: [3] })
  expect((await tableOf(team, ends.where('steps IS NULL')))['newest']).toEqual([null])
})

it('reads both forms of time series (assumption)', async () => {
  const team = createMock().team()
  for (const [hour, value] of [5, 6].entries()) {
    const timestamp = `2025-05-31T0${hour}:30:00`
    team.data.create({ user_id: userId, resource: 'glucose', values: { timestamp, value } })
  }
  const long = { timeseries: 'glucose', field: 'value' }
  const forms: AnyQuery[] = [
    query(mean('glucose', 'value')).groupBy(dateTrunc('glucose', 1, 'hour'), bySource),
    query(mean('glucose', 'value')).groupBy(dateTrunc('timeseries', 1, 'hour')),
    {
      select: [{ arg: long, func: 'mean' }],
      group_by: [
        { date_trunc: { unit: 'hour', value: 1 }, arg: { index: 'timeseries' } },
        { arg: { timeseries: 'glucose', field: 'source_type' } },
      ],
    },
  ]
  for (const form of forms) {
    expect(await tableOf(team, form)).toEqual({
      index: ['2025-05-31T00:00:00', '2025-05-31T01:00:00'],
      mean: [5, 6],
    })
  }
})

it('groups by floating local time (assumption)', async () => {
  const team = createMock().team({ timeZone: 'Asia/Tokyo' })
  const values = { session_end: '2025-05-31T07:00:00', score: 80 }
  team.data.create({ user_id: userId, resource: 'sleep', values })
  const nights = query(max('sleep', 'session_end')).groupBy(dateTrunc('sleep', 1, 'day'))
  expect(await tableOf(team, nights)).toEqual({
    index: ['2025-05-31T00:00:00'],
    max: ['2025-05-31T07:00:00'],
  })
})

it.each([
  ['meal', 'date', 'calories'],
  ['profile', 'updated_at', 'height_centimeter'],
  ['activity', 'date', 'steps'],
  ['sleep', 'session_end', 'score'],
  ['workout', 'session_start', 'calories'],
  ['body', 'measured_at', 'weight_kilogram'],
  ['hrv', 'timestamp', 'value'],
])('uses for %s the time column %s (assumption)', async (resource, time, value) => {
  const team = createMock().team()
  for (const moment of ['2025-05-25T23:59:59', '2025-05-26T00:00:00', '2025-06-01T23:59:59']) {
    const values = { [time]: moment, [value]: 1 }
    team.data.create({ user_id: userId, resource, values })
  }
  expect((await tableOf(team, query(count(resource, value))))['count']).toEqual([2])
})
