import { expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { sampleForms } from '../../../src/contract/values/samples.ts'
import { parseEvent, recordsOf } from '../../../src/events/index.ts'
import { past, type Query } from '../../../src/index.ts'
import { userId } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

const intervals =
  'afib_burden basal_body_temperature body_mass_index body_temperature body_temperature_delta caffeine calories_active carbohydrates daylight_exposure distance fall forced_expiratory_volume_1 forced_vital_capacity handwashing heart_rate_alert heart_rate_recovery_one_minute hypnogram inhaler_usage insulin_injection lean_body_mass mindfulness_minutes note peak_expiratory_flow_rate sleep_apnea_alert sleep_breathing_disturbance stand_duration stand_hour steps uv_exposure vo2_max waist_circumference wheelchair_push workout_distance workout_duration workout_swimming_stroke'.split(
    ' ',
  )
const points =
  'blood_oxygen blood_pressure fat weight calories_basal cholesterol electrocardiogram_voltage floors_climbed glucose heartrate hrv ige igg respiratory_rate stress_level water'.split(
    ' ',
  )
const units: Record<string, string> = {
  afib_burden: '%',
  body_temperature: '°C',
  basal_body_temperature: '°C',
  body_temperature_delta: '°C',
  body_mass_index: 'index',
  uv_exposure: 'index',
  calories_active: 'kcal',
  calories_basal: 'kcal',
  distance: 'm',
  workout_distance: 'm',
  steps: 'count',
  floors_climbed: 'count',
  fall: 'count',
  handwashing: 'count',
  inhaler_usage: 'count',
  heart_rate_alert: 'count',
  sleep_apnea_alert: 'count',
  sleep_breathing_disturbance: 'count',
  stand_hour: 'count',
  wheelchair_push: 'count',
  workout_swimming_stroke: 'count',
  heart_rate_recovery_one_minute: 'count',
  forced_expiratory_volume_1: 'L',
  forced_vital_capacity: 'L',
  peak_expiratory_flow_rate: 'L/min',
  daylight_exposure: 'min',
  stand_duration: 'min',
  workout_duration: 'min',
  lean_body_mass: 'kg',
  waist_circumference: 'cm',
  insulin_injection: 'unit',
}

/** Returns the samples of a triggered event. */
function triggered(resource: string, options = {}) {
  const team = createMock({ seed: 3, ...options }).team()
  const kind = resource === 'hypnogram' ? 'timeseries' : 'data'
  return recordsOf(parseEvent(team.trigger(`daily.${kind}.${resource}.created`).body))
}

it('knows the form of every time series', () => {
  expect(Object.keys(sampleForms).toSorted()).toEqual([...intervals, ...points].toSorted())
})

it.each(intervals)('sends samples of %s with a start and an end', (resource) => {
  const samples = triggered(resource)
  expect(samples.length).toBeGreaterThan(0)
  for (const { timestamp, start, end } of samples) {
    expect(start).toBe(timestamp)
    expect(Date.parse(String(end))).toBeGreaterThanOrEqual(Date.parse(String(start)))
  }
})

it.each(points)('sends samples of %s with a timestamp only', (resource) => {
  const samples = triggered(resource)
  expect(samples.length).toBeGreaterThan(0)
  for (const sample of samples) {
    expect(sample).not.toHaveProperty('start')
    expect(sample).not.toHaveProperty('end')
  }
})

it.each([...intervals, ...points])('sends the common fields of a sample of %s', (resource) => {
  const [sample] = triggered(resource)
  expect(sample).toMatchObject({
    id: expect.any(Number),
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    unit: units[resource] ?? expect.any(String),
  })
  expect(sample).toHaveProperty('timezone_offset')
  expect(sample).toHaveProperty('type')
  if (resource === 'blood_pressure') expect(sample).not.toHaveProperty('value')
  else expect(typeof sample?.['value']).toBe(resource === 'note' ? 'string' : 'number')
})

it('omits the deprecated id with deprecatedFields never', () => {
  expect(triggered('glucose', { deprecatedFields: 'never' })[0]).not.toHaveProperty('id')
})

it('sends pairs of blood pressure that a person can have', () => {
  const pairs = Array.from({ length: 30 }, (_, seed) =>
    triggered('blood_pressure', { seed }),
  ).flat()
  for (const { systolic, diastolic } of pairs) {
    expect(Number(systolic) - Number(diastolic)).toBeGreaterThanOrEqual(20)
    expect([Number(diastolic) > 45, Number(systolic) < 200]).toEqual([true, true])
  }
})

it.each([
  ['insulin_injection', ['type', 'delivery_mode', 'delivery_form', 'bolus_purpose']],
  ['workout_duration', ['intensity']],
  ['body_temperature', ['sensor_location']],
  ['body_temperature_delta', ['sensor_location']],
  ['basal_body_temperature', ['sensor_location']],
  ['note', ['tags']],
])('sends samples of %s with %j', (resource, names) => {
  for (const name of names) expect(triggered(resource)[0]).toHaveProperty(name)
})

it('sends the values of added samples, in events and in aggregates', async () => {
  const team = createMock().team({ generatedData: false })
  const add = (resource: string, values: Record<string, string | number>) =>
    team.data.create({ user_id: userId, resource, values })
  const timestamp = '2025-05-31T08:00:00'
  add('blood_pressure', { timestamp, systolic: 121, diastolic: 78 })
  add('note', { timestamp, end: '2025-05-31T08:05:00', value: 'After a run', tags: 'sport,run' })
  const sample = (resource: string) =>
    recordsOf(parseEvent(team.events.last(`daily.data.${resource}.created`)?.body))[0]
  expect(sample('blood_pressure')).toMatchObject({ systolic: 121, diastolic: 78, unit: 'mmHg' })
  expect(sample('note')).toMatchObject({
    value: 'After a run',
    tags: ['sport', 'run'],
    start: '2025-05-31T08:00:00+00:00',
    end: '2025-05-31T08:05:00+00:00',
  })
  const queries: Query[] = [
    { select: [{ arg: { blood_pressure: 'diastolic' }, func: 'mean' }] },
    { select: [{ arg: { note: 'value' }, func: 'newest' }], where: "end > '2025-05-31 08:04'" },
  ]
  const { body } = await call(team, `POST /aggregate/v1/user/${userId}/query`, {
    timeframe: past(7, 'day', '2025-06-01'),
    queries,
  })
  expect(body.results).toMatchObject([
    { table: { mean: [78] } },
    { table: { newest: ['After a run'] } },
  ])
})

it('sends the intervals of a living user without overlaps, up to a sync', async () => {
  const team = createMock().team()
  const { user_id } = team.users.create({ living: true, connections: ['garmin'] })
  await team.clock.advance('1d')
  const steps = team.truth(user_id, 'steps')
  expect(steps.length).toBeGreaterThan(100)
  let latest = 0
  for (const { start, end } of steps) {
    expect(Date.parse(String(start))).toBeGreaterThanOrEqual(latest)
    latest = Date.parse(String(end))
  }
})
