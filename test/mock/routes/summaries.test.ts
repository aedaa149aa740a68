import { expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { summaryResources } from '../../../src/contract/values/known-values.ts'
import { userId } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

const days = 'start_date=2025-05-30&end_date=2025-06-01'

it.each(summaryResources)(
  'lists %s summaries with their source (2.8, 2.9, 4.12)',
  async (resource) => {
    const { status, body } = await call(
      createMock().team(),
      `GET /v2/summary/${resource}/${userId}?${days}`,
    )
    expect(status).toBe(200)
    const records = resource === 'profile' ? [body] : (Object.values(body)[0] as object[])
    for (const record of records) {
      expect(record).toMatchObject({ user_id: userId, source: { provider: expect.any(String) } })
    }
  },
)

it('lists the summaries from start date to end date, inclusive (4.12)', async () => {
  const { body } = await call(createMock().team(), `GET /v2/summary/activity/${userId}?${days}`)
  const shown = new Set(body.activity.map((item: { calendar_date: string }) => item.calendar_date))
  for (const day of shown) expect(['2025-05-30', '2025-05-31', '2025-06-01']).toContain(day)
})

const ring = { source_provider: 'oura', source_type: 'ring', source_app_id: 'app-1' }

it.each([
  [
    'sleep',
    'sleep',
    {
      session_start: '2025-05-30T23:10:00',
      session_end: '2025-05-31T07:00:00',
      type: 'long_sleep',
      state: 'tentative',
      duration_second: 1,
      stage_asleep_second: 2,
      stage_awake_second: 3,
      stage_light_second: 4,
      stage_rem_second: 5,
      stage_deep_second: 6,
      latency_second: 7,
      score: 8,
      heart_rate_minimum: 9,
      heart_rate_mean: 10,
      heart_rate_resting: 11,
      heart_rate_dip: 12,
      efficiency: 13,
      hrv_mean_rmssd: 14,
      respiratory_rate: 15,
      skin_temperature: 16,
      skin_temperature_delta: 17,
    },
    {
      calendar_date: '2025-05-31',
      date: '2025-05-31T00:00:00+00:00',
      bedtime_start: '2025-05-30T21:10:00+00:00',
      bedtime_stop: '2025-05-31T05:00:00+00:00',
      type: 'long_sleep',
      state: 'tentative',
      timezone_offset: 7200,
      duration: 1,
      total: 2,
      awake: 3,
      light: 4,
      rem: 5,
      deep: 6,
      latency: 7,
      score: 8,
      hr_lowest: 9,
      hr_average: 10,
      hr_resting: 11,
      hr_dip: 12,
      efficiency: 13,
      average_hrv: 14,
      respiratory_rate: 15,
      skin_temperature: 16,
      temperature_delta: 17,
    },
  ],
  [
    'activity',
    'activity',
    {
      date: '2025-05-31',
      calories_total: 1,
      calories_active: 2,
      steps: 3,
      distance_meter: 4,
      floors_climbed: 5,
      wheelchair_push: 6,
      intensity_low_second: 7,
      intensity_medium_second: 8,
      intensity_high_second: 9,
      heart_rate_mean: 10,
      heart_rate_minimum: 11,
      heart_rate_maximum: 12,
      heart_rate_resting: 13,
    },
    {
      calendar_date: '2025-05-31',
      date: '2025-05-31T00:00:00+00:00',
      calories_total: 1,
      calories_active: 2,
      steps: 3,
      daily_movement: 4,
      distance: 4,
      floors_climbed: 5,
      wheelchair_push: 6,
      low: 7,
      medium: 8,
      high: 9,
      timezone_offset: 7200,
      time_zone: 'Europe/Berlin',
      heart_rate: { avg_bpm: 10, min_bpm: 11, max_bpm: 12, resting_bpm: 13 },
    },
  ],
  [
    'workouts',
    'workout',
    {
      session_start: '2025-05-31T17:00:00',
      session_end: '2025-05-31T18:00:00',
      title: 'Run',
      sport_name: 'Running',
      sport_slug: 'running',
      duration_active_second: 1,
      heart_rate_mean: 2,
      heart_rate_maximum: 3,
      distance_meter: 4,
      elevation_gain_meter: 5,
      speed_mean: 6,
      speed_maximum: 7,
      power_mean: 8,
      power_maximum: 9,
      steps: 10,
      calories: 11,
      external_id: 'w-1',
    },
    {
      calendar_date: '2025-05-31',
      time_start: '2025-05-31T15:00:00+00:00',
      time_end: '2025-05-31T16:00:00+00:00',
      timezone_offset: 7200,
      title: 'Run',
      sport: { id: 301, name: 'Running', slug: 'running' },
      moving_time: 1,
      average_hr: 2,
      max_hr: 3,
      hr_zones: null,
      distance: 4,
      total_elevation_gain: 5,
      average_speed: 6,
      max_speed: 7,
      average_watts: 8,
      max_watts: 9,
      steps: 10,
      calories: 11,
      provider_id: 'w-1',
    },
  ],
  [
    'body',
    'body',
    {
      measured_at: '2025-05-31T07:00:00',
      weight_kilogram: 1,
      fat_mass_percentage: 2,
      water_percentage: 3,
      muscle_mass_percentage: 4,
      visceral_fat_index: 5,
      bone_mass_percentage: 6,
      body_mass_index: 7,
      lean_body_mass_kilogram: 8,
      waist_circumference_centimeter: 9,
    },
    {
      calendar_date: '2025-05-31',
      date: '2025-05-31T00:00:00+00:00',
      weight: 1,
      fat: 2,
      water_percentage: 3,
      muscle_mass_percentage: 4,
      visceral_fat_index: 5,
      bone_mass_percentage: 6,
      body_mass_index: 7,
      lean_body_mass_kilogram: 8,
      waist_circumference_centimeter: 9,
    },
  ],
  [
    'meal',
    'meal',
    {
      date: '2025-05-31T08:00:00',
      name: 'Breakfast',
      calories: 400,
      carbohydrate_gram: 1,
      protein_gram: 2,
      fat_gram: 3,
    },
    {
      calendar_date: '2025-05-31',
      timestamp: '2025-05-31T06:00:00+00:00',
      name: 'Breakfast',
      priority_id: null,
      source_id: null,
      provider_id: null,
      energy: { unit: 'kcal', value: 400 },
      macros: {
        carbs: 1,
        protein: 2,
        alcohol: null,
        water: null,
        fibre: null,
        sugar: null,
        cholesterol: null,
        fats: {
          saturated: null,
          monounsaturated: null,
          polyunsaturated: null,
          omega3: null,
          omega6: null,
          total: 3,
        },
      },
      micros: { minerals: null, trace_elements: null, vitamins: null },
    },
  ],
  [
    'profile',
    'profile',
    {
      updated_at: '2025-05-31T08:00:00',
      height_centimeter: 180,
      sex: 'female',
      gender: 'other',
      birth_date: '1980-02-29',
    },
    {
      date: '2025-05-31',
      height: 180,
      sex: 'female',
      gender: 'other',
      birth_date: '1980-02-29',
    },
  ],
])(
  'shows every column of %s under the name of its field (2.9, 4.12)',
  async (resource, table, values, fields) => {
    const team = createMock().team({ timeZone: 'Europe/Berlin' })
    const row = { user_id: userId, resource: table, values: { ...values, ...ring } }
    const { id } = team.data.create(row)
    const { body } = await call(team, `GET /v2/summary/${resource}/${userId}?${days}`)
    const [record] = resource === 'profile' ? [body] : (Object.values(body)[0] as object[])
    const source = { provider: 'oura', type: 'ring', app_id: 'app-1' }
    const times = { created_at: expect.any(String), updated_at: expect.any(String) }
    expect(record).toEqual({ id, user_id: userId, source, ...times, ...fields })
    const [event] = team.events.list(`daily.data.${resource}.created`)
    expect(event?.body['data']).toMatchObject({ data: [record] })
  },
)

it.each([
  ['oura', 3600, 3600],
  ['strava', 3600, null],
  ['google_fit', null, null],
  ['another', null, null],
])(
  'sends the offset of %s in sessions: %s, and in other data: %s (assumption)',
  async (source_provider, ofSession, ofSeries) => {
    const team = createMock().team({ timeZone: '+01:00' })
    const session_end = '2025-05-31T07:00:00'
    const timestamp = '2025-05-31T08:00:00'
    team.data.create({
      user_id: userId,
      resource: 'sleep',
      values: { session_end, source_provider },
    })
    team.data.create({ user_id: userId, resource: 'hrv', values: { timestamp, source_provider } })
    const { body } = await call(team, `GET /v2/summary/sleep/${userId}?${days}`)
    expect(body.sleep).toMatchObject([
      { bedtime_stop: '2025-05-31T06:00:00+00:00', timezone_offset: ofSession },
    ])
    expect(team.events.last('daily.data.hrv.created')?.body['data']).toMatchObject({
      data: [{ timestamp: '2025-05-31T07:00:00+00:00', timezone_offset: ofSeries }],
    })
  },
)

it('sends the local time of a floating provider as if it were UTC (assumption)', () => {
  const team = createMock().team({ timeZone: 'America/New_York' })
  const values = { timestamp: '2025-05-31T08:00:00', source_provider: 'freestyle_libre', value: 5 }
  team.data.create({ user_id: userId, resource: 'glucose', values })
  expect(team.events.last()?.body['data']).toMatchObject({
    data: [{ timestamp: '2025-05-31T08:00:00+00:00', timezone_offset: null }],
  })
})

it('uses the time zone of a row, with its daylight saving time', async () => {
  const team = createMock().team()
  const rows = [
    { date: '2025-03-30T01:30:00', time_zone: 'Europe/Berlin' },
    { date: '2025-03-30T03:30:00', time_zone: 'Europe/Berlin' },
    { date: '2025-05-31T00:30:00', time_zone: '+05:30' },
    { date: '2025-06-01T00:30:00', time_zone: null },
  ]
  for (const values of rows) team.data.create({ user_id: userId, resource: 'meal', values })
  const { body } = await call(team, `GET /v2/summary/meal/${userId}?start_date=2025-03-01`)
  expect(body.meals.map(({ timestamp }: { timestamp: string }) => timestamp)).toEqual([
    '2025-03-30T00:30:00+00:00',
    '2025-03-30T01:30:00+00:00',
    '2025-05-30T19:00:00+00:00',
    '2025-06-01T00:30:00+00:00',
  ])
  expect(body.meals[2].calendar_date).toBe('2025-05-31')
})

it.each([
  ['America/Los_Angeles', '2025-05-31T22:00:00'],
  ['Asia/Tokyo', '2025-06-01T14:00:00'],
])('has data until now in the time zone %s', async (timeZone, now) => {
  const team = createMock({ now: '2025-06-01T05:00:30Z' }).team({ timeZone })
  const { body } = await call(team, `POST /aggregate/v1/user/${userId}/query`, {
    timeframe: { type: 'relative', anchor: '2025-06-02', past: { unit: 'week' } },
    queries: [{ select: [{ arg: { heartrate: 'timestamp' }, func: 'max' }] }],
  })
  expect(body.results[0].table.max).toEqual([now])
  const created = team.data.create({ user_id: userId, resource: 'meal' })
  expect(created.values['date']).toBe(now.replace(':00:00', ':00:30'))
})

it.each(['Mars/Base', '+25:00', ''])('rejects the time zone %j', (timeZone) => {
  expect(() => createMock().team({ timeZone })).toThrow(
    /options.timeZone to be a time zone such as/,
  )
})

it('keeps the id of a row that changes, and has different ids for rows of the same time', async () => {
  const team = createMock().team()
  const meal = { user_id: userId, resource: 'meal', values: { date: '2025-05-31T08:00:00' } }
  const { id } = team.data.create(meal)
  const other = team.data.create(meal)
  team.data.update(id, { values: { ...team.data.get(id)?.values, date: '2025-05-31T09:00:00' } })
  const { body } = await call(team, `GET /v2/summary/meal/${userId}?${days}`)
  expect(body.meals.map((item: { id: string }) => item.id)).toEqual([other.id, id])
})

it('returns the profile of a provider, without dates (4.12)', async () => {
  const team = createMock().team()
  const { body } = await call(team, `GET /v2/summary/profile/${userId}`)
  expect(body).toMatchObject({ height: expect.any(Number), sex: expect.any(String) })
  const other = await call(team, `GET /v2/summary/profile/${userId}?provider=oura`)
  expect(other.body).toMatchObject({ height: null, source: { provider: 'oura' }, birth_date: null })
})

it('requires a start date (4.12)', async () => {
  const { status } = await call(createMock().team(), `GET /v2/summary/sleep/${userId}`)
  expect(status).toBe(422)
})

it.each([
  [{ now: '2024-07-30T23:00:00Z' }, true],
  [{ now: '2024-07-31T00:00:00Z' }, false],
  [{ now: '2024-07-31T00:00:00Z', deprecatedFields: 'always' as const }, true],
  [{ now: '2020-01-01T00:00:00Z', deprecatedFields: 'never' as const }, false],
])('shows the deprecated source fields with %j: %s (2.8, part 9)', async (options, isShown) => {
  const team = createMock().team(options)
  const { body } = await call(team, `GET /v2/summary/profile/${userId}?start_date=2020-01-01`)
  expect(Object.keys(body.source).includes('slug')).toBe(isShown)
})

it.each([
  ['2025-05-31T23:59:59', '2025-05-31'],
  ['2025-06-01T02:30:00Z', '2025-05-31'],
  ['2025-05-31T22:30:00-04:00', '2025-05-31'],
  ['2025-06-01T04:00:00.000+00:00', '2025-06-01'],
])('reads %s in a summary request as a local day of the user (assumption)', async (time, first) => {
  const team = createMock().team({ timeZone: 'America/New_York', generatedData: false })
  for (const day of ['2025-05-30', '2025-05-31', '2025-06-01'])
    team.data.create({ user_id: userId, resource: 'activity', values: { date: day } })
  const list = async (query: Record<string, string>) => {
    const search = new URLSearchParams({ start_date: '2025-05-01', ...query })
    const { body } = await call(team, `GET /v2/summary/activity/${userId}?${search}`)
    return body.activity.map((record: { calendar_date: string }) => record.calendar_date)
  }
  expect((await list({ start_date: time })).at(0)).toBe(first)
  expect((await list({ end_date: time })).at(-1)).toBe(first)
})

it.each(['yesterday', '2025-02-30', '2025-05-31T25:00', '31.05.2025'])(
  'rejects %j as a day of a summary request',
  async (start_date) => {
    const query = new URLSearchParams({ start_date })
    const { status, body } = await call(
      createMock().team(),
      `GET /v2/summary/sleep/${userId}?${query}`,
    )
    expect(status).toBe(422)
    expect(body.detail).toMatchObject([{ loc: ['query', 'start_date'] }])
  },
)
