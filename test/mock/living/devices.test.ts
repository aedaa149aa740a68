import { describe, expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import type { Device, DeviceRecord } from '../../../mock/living/devices/device-record.ts'
import { deviceOf, devicesOf } from '../../../mock/living/devices/devices.ts'
import type { LivingPerson } from '../../../mock/living/person/life.ts'
import { personas } from '../../../mock/living/person/personas.ts'
import { planOf } from '../../../mock/living/plan/plan.ts'
import { reportedRecords, reportedStages } from '../../../mock/living/reports/records.ts'
import { reportedSeries } from '../../../mock/living/reports/series.ts'
import { offsetAt } from '../../../mock/shared/time-zone.ts'
import { parseEvent, recordsOf } from '../../../src/events/index.ts'
import { fc } from '../../support/properties.ts'
import { dateOf, peopleAndDates, personOf, runs } from './people.ts'

const minute = 60_000
const day = 24 * 60 * minute
const providers = ['oura', 'garmin', 'withings', 'my_fitness_pal_v2', 'apple_health_kit', 'strava']

/** The number of people to check; 200 of them in the long run. */
const people = Number(process.env['LIFE_PEOPLE'] ?? 8)

/** What a device reports of a person on a date. */
interface Report {
  person: LivingPerson
  device: Device
  date: number
}

/** Checks what each device reports of many people on many dates. */
function checkReports(check: (report: Report) => void): void {
  const property = fc.property(peopleAndDates, ({ person, dates }) => {
    const devices = devicesOf(person, providers)
    for (const date of dates) for (const device of devices) check({ person, device, date })
  })
  fc.assert(property, { ...runs, numRuns: people })
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0)

/** Returns the values of a time series that a device took from a moment to another. */
function valuesIn({ person, device, date }: Report, resource: string, record: DeviceRecord) {
  const { session_start = 0, session_end = 0 } = record.moments
  return [date - 1, date].flatMap((of) => {
    const { moments, values = [] } = reportedSeries(person, device, resource, of) ?? {}
    return [...values].filter((_, at) => {
      const moment = moments?.[at] ?? Number.NaN
      return moment >= session_start && moment < session_end
    })
  })
}

function heartRates(values: readonly number[]) {
  if (values.length === 0) return { heart_rate_mean: null }
  return {
    heart_rate_mean: Math.round(sum(values) / values.length),
    heart_rate_minimum: Math.min(...values),
    heart_rate_maximum: Math.max(...values),
  }
}

/** Returns the height of the latest profile that a device reported until a date. */
function heightInProfile({ person, device, date }: Report): number {
  const resources = [...device.resources, 'profile']
  for (let ago = 0; ago < 366; ago += 1) {
    const [profile] = reportedRecords(person, { ...device, resources }, 'profile', date - ago)
    if (profile) return Number(profile.values['height_centimeter'])
  }
  return Number.NaN
}

/** What not every sport has. */
const ofSports = [
  'distance_meter',
  'speed_mean',
  'speed_maximum',
  'elevation_gain_meter',
  'power_mean',
  'steps',
]

const totals = {
  steps: 'steps',
  distance_meter: 'distance',
  floors_climbed: 'floors_climbed',
  calories_active: 'calories_active',
}

describe('what a device reports', () => {
  it('sums and averages its own samples in the summary of a day', () => {
    let count = 0
    checkReports((report) => {
      const { person, device, date } = report
      const samples = (resource: string) => [
        ...(reportedSeries(person, device, resource, date)?.values ?? []),
      ]
      for (const { values } of reportedRecords(person, device, 'activity', date)) {
        count += 1
        const measured = Object.entries(totals).filter(([, name]) =>
          device.resources.includes(name),
        )
        expect(values).toMatchObject({
          ...Object.fromEntries(measured.map(([column, name]) => [column, sum(samples(name))])),
          ...heartRates(samples('heartrate')),
        })
        if (device.resources.includes('calories_basal')) {
          const parts = [...samples('calories_active'), ...samples('calories_basal')]
          expect(values['calories_total']).toBe(sum(parts))
        }
        const { intensity_low_second, intensity_medium_second, intensity_high_second } = values
        expect(values['duration_active_second']).toBe(
          sum([intensity_low_second, intensity_medium_second, intensity_high_second].map(Number)),
        )
      }
    })
    expect(count).toBeGreaterThan(people * 20)
  })

  it('covers a sleep session with stages that sum to its parts', () => {
    checkReports(({ person, device, date }) => {
      for (const record of reportedRecords(person, device, 'sleep', date)) {
        const { values, moments } = record
        const stages = reportedStages(person, device, record) ?? []
        const seconds = (type: string) =>
          sum(stages.map((stage) => (stage.type === type ? stage.end - stage.start : 0))) / 1000
        expect(values).toMatchObject({
          stage_awake_second: seconds('awake'),
          stage_light_second: seconds('light'),
          stage_deep_second: seconds('deep'),
          stage_rem_second: seconds('rem'),
          stage_asleep_second: seconds('light') + seconds('deep') + seconds('rem'),
        })
        const { session_start = 0, session_end = 0 } = moments
        expect(values['duration_second']).toBe((session_end - session_start) / 1000)
        expect(values['duration_second']).toBe(
          Number(values['stage_asleep_second']) + Number(values['stage_awake_second']),
        )
        const starts = [session_start, ...stages.slice(0, -1).map(({ end }) => end)]
        expect(stages.map(({ start }) => start)).toEqual(starts)
        expect(stages.at(-1)?.end).toBe(session_end)
      }
    })
  })

  it('averages its own samples in sleep sessions and workouts', () => {
    checkReports((report) => {
      const { person, device, date } = report
      for (const record of reportedRecords(person, device, 'sleep', date)) {
        expect(record.values).toMatchObject(heartRates(valuesIn(report, 'heartrate', record)))
        const variability = valuesIn(report, 'hrv', record)
        const mean = variability.length === 0 ? null : sum(variability) / variability.length
        // toFixed rounds halves such as 19.95 down, because no number is exactly 19.95.
        expect(record.values['hrv_mean_rmssd']).toBe(mean && Math.round(mean * 10) / 10)
      }
      for (const record of reportedRecords(person, device, 'workout', date)) {
        expect(record.values).toMatchObject({
          ...heartRates(valuesIn(report, 'heartrate', record)),
          calories: sum(valuesIn(report, 'calories_active', record)),
          distance_meter: sum(valuesIn(report, 'distance', record)) || null,
        })
      }
    })
  })

  it('has in a workout only what the sport has', () => {
    const athlete = personOf({ persona: personas.athlete })
    const yogi = personOf({ persona: personas.older_adult })
    const found = new Map<string, Set<string>>()
    for (const person of [athlete, yogi, personOf()]) {
      const device = deviceOf(person, 'garmin')
      for (let date = dateOf('2025-01-01'); date < dateOf('2025-04-01'); date += 1) {
        for (const { values } of reportedRecords(person, device, 'workout', date)) {
          const sport = String(values['sport_slug'])
          const known = found.get(sport) ?? found.set(sport, new Set()).get(sport)
          for (const name of ofSports) if (values[name] !== null) known?.add(name)
        }
      }
    }
    const speeds = ['distance_meter', 'speed_mean', 'speed_maximum']
    expect(Object.fromEntries([...found].map(([name, columns]) => [name, [...columns]]))).toEqual({
      running: [...speeds, 'elevation_gain_meter', 'steps'],
      walking: [...speeds, 'elevation_gain_meter', 'steps'],
      cycling: [...speeds, 'elevation_gain_meter', 'power_mean'],
      swimming: speeds,
      strength_training: ['steps'],
      yoga: [],
    })
  })

  it('has no workout in a sleep session, and no overlapping sleep sessions', () => {
    checkReports(({ person, device, date }) => {
      const spans = [date, date + 1]
        .flatMap((of) => [
          ...reportedRecords(person, device, 'sleep', of),
          ...reportedRecords(person, device, 'workout', of),
        ])
        .map(({ moments: { session_start = 0, session_end = 0 } }) => [session_start, session_end])
        .toSorted(([one = 0], [other = 0]) => one - other)
      for (const [at, [start]] of spans.slice(1).entries()) {
        expect(start).toBeGreaterThanOrEqual(spans[at]?.[1] ?? 0)
      }
    })
  })

  it('has one weight in all of its forms, and a body mass index of weight and height in the profile', () => {
    checkReports(({ person, device, date }) => {
      const height = heightInProfile({ person, device, date }) / 100
      const records = reportedRecords(person, device, 'body', date)
      const weights = records.map(({ values }) => Number(values['weight_kilogram']))
      if (device.resources.includes('weight')) {
        expect([...(reportedSeries(person, device, 'weight', date)?.values ?? [])]).toEqual(weights)
      }
      expect(records.map(({ values }) => values['body_mass_index'])).toEqual(
        weights.map((weight) => Math.round((weight / height ** 2) * 10) / 10),
      )
    })
  })

  it('is of workouts only if it is a sports app', () => {
    let [days, samples] = [0, 0]
    checkReports(({ person, device, date }) => {
      if (device.provider !== 'strava') return
      const workouts = reportedRecords(person, device, 'workout', date)
      const spans = workouts.map(({ moments }) => moments)
      for (const resource of ['heartrate', 'distance', 'calories_active']) {
        for (const moment of reportedSeries(person, device, resource, date)?.moments ?? []) {
          samples += 1
          const isIn = spans.some(
            ({ session_start = 0, session_end = 0 }) =>
              moment >= session_start && moment < session_end,
          )
          expect(isIn).toBe(true)
        }
      }
      const summaries = reportedRecords(person, device, 'activity', date)
      expect(summaries).toHaveLength(Math.min(1, workouts.length))
      expect(summaries.map(({ values }) => values['heart_rate_resting'])).toEqual(
        summaries.map(() => null),
      )
      days += summaries.length
    })
    expect(Math.min(days, samples)).toBeGreaterThan(people)
  })

  it('belongs to its calendar date in local time, with the offset of the place', () => {
    checkReports(({ person, device, date }) => {
      const { zones } = planOf(person, date)
      const offsetOf = (moment: number) =>
        offsetAt(zones.findLast(({ from }) => from <= moment)?.zone ?? 'none', moment) * 1000
      for (const resource of ['heartrate', 'steps']) {
        const { moments = [], locals = [] } = reportedSeries(person, device, resource, date) ?? {}
        expect(locals.find((local) => Math.floor(local / day) !== date)).toBeUndefined()
        // Offsets change at half hours.
        const isWrong = (moment: number, at: number) =>
          moment % (30 * minute) === 0 && locals[at] !== moment + offsetOf(moment)
        expect(moments.find(isWrong)).toBeUndefined()
      }
      const columns = { sleep: 'session_end', workout: 'session_start', body: 'measured_at' }
      for (const [resource, column] of Object.entries({ ...columns, activity: 'date' })) {
        for (const { values } of reportedRecords(person, device, resource, date)) {
          expect(Date.parse(`${String(values[column]).slice(0, 10)}T00:00:00Z`) / day).toBe(date)
        }
      }
    })
  })

  it('is the same in any order, and after any other person', () => {
    const dates = Array.from({ length: 12 }, (_, at) => dateOf('2025-03-25') + at)
    const report = (order: number[]) => {
      const person = personOf()
      const found = order.map((date) => [
        date,
        ...['sleep', 'activity', 'workout'].flatMap((resource) =>
          devicesOf(person).flatMap((device) => reportedRecords(person, device, resource, date)),
        ),
      ])
      return found.toSorted(([one], [other]) => Number(one) - Number(other))
    }
    expect(report(dates.toReversed())).toEqual(report(dates))
    expect(report(dates).flat().length).toBeGreaterThan(40)
  })
})

describe('several devices', () => {
  const person = personOf()
  const dates = Array.from({ length: 60 }, (_, at) => dateOf('2025-03-01') + at)
  const stepsOf = (provider: string) =>
    dates.map((date) => {
      const [record] = reportedRecords(person, deviceOf(person, provider), 'activity', date)
      return Number(record?.values['steps'] ?? 0)
    })

  it('count the same steps differently, and each of them misses some', () => {
    const [watch, ring, phone] = ['garmin', 'oura', 'apple_health_kit'].map(stepsOf)
    const truth = dates.map((date) => {
      const samples = reportedSeries(person, deviceOf(person, 'polar'), 'steps', date)
      return Math.max(sum(samples?.values ?? []), watch?.[dates.indexOf(date)] ?? 0)
    })
    const share = (counts: number[] = []) => sum(counts) / sum(truth)
    expect(share(watch)).toBeGreaterThan(share(ring))
    expect(share(phone)).toBeLessThan(0.9)
    expect(share(watch) + share(ring)).toBeGreaterThan(1.4)
    expect(ring?.filter((steps) => steps === 0).length).toBeGreaterThan(3)
  })

  it('notice the same night within a few minutes of each other', () => {
    const nights = dates.flatMap((date) => {
      const [ring, watch] = ['oura', 'garmin'].map((provider) =>
        reportedRecords(person, deviceOf(person, provider), 'sleep', date).at(0),
      )
      return ring && watch ? [[ring, watch] as const] : []
    })
    expect(nights.length).toBeGreaterThan(20)
    expect(nights.length).toBeLessThan(55)
    for (const [ring, watch] of nights) {
      const late = (watch.moments['session_start'] ?? 0) - (ring.moments['session_start'] ?? 0)
      expect(late).toBeGreaterThanOrEqual(0)
      expect(late).toBeLessThan(10 * minute)
    }
  })
})

it.each(['google_fit', 'apple_health_kit', 'strava'])(
  'sends neither nights nor naps of a user who connects %s',
  async (provider) => {
    const team = createMock({ seed: 3, now: '2026-03-01T09:00:00Z' }).team()
    const { user_id } = team.users.create({ persona: 'new_parent' })
    team.connections.create({ user_id, provider })
    await team.clock.advance('30d')
    const sleeps = team.events
      .list()
      .filter(({ event_type }) => /data[.]sleep[.]/.test(event_type))
      .flatMap(({ body }) => recordsOf(parseEvent(body)))
    expect(sleeps).toEqual([])
  },
)
