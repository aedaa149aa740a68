import {
  type AggregateResource,
  aggregateColumns,
  timeseriesColumns,
} from '../../src/contract/values/columns.ts'
import type { Random } from '../base/random.ts'
import { day, minute } from '../base/time-units.ts'
import { floating } from '../query/calendar.ts'
import { columnOf, type Row, type Table, tableOf } from '../query/table.ts'

/** The health data a user is born with: two sources that overlap and have gaps, in plausible shapes of days. */

/** How far the generated history reaches back from the team's start. */
export const historyDays = { daily: 365, minutely: 30 } as const

/** The sources of generated data: a ring that sleeps well and a watch that is sometimes left on the table. */
const ring = { source_provider: 'oura', source_type: 'ring', source_app_id: null } as const
const watch = { source_provider: 'garmin', source_type: 'watch', source_app_id: null } as const
const scale = { source_provider: 'withings', source_type: 'scale', source_app_id: null } as const
const app = {
  source_provider: 'my_fitness_pal_v2',
  source_type: 'app',
  source_app_id: null,
} as const

/** The column that says when a row of a resource is. */
export const timeColumns: Readonly<Record<AggregateResource, string>> = {
  sleep: 'session_end',
  activity: 'date',
  workout: 'session_start',
  body: 'measured_at',
  meal: 'timestamp',
  profile: 'date',
}

/** Whose rows are generated; of the time series heart rates are, any other is empty until rows are added. */
const rowsOf: Record<AggregateResource, (random: Random, lastDay: number, count: number) => Row[]> =
  {
    sleep: nights,
    activity: days,
    workout: workouts,
    body: weighings,
    meal: meals,
    profile,
  }

/**
 * The generated rows of one resource of a user.
 *
 * @param random The user's own source of chance.
 * @param lastDay Midnight of the last day with data.
 * @param count Of how many days, up to the last one. Default: of all that there are.
 */
export function healthTable(
  resource: string,
  random: Random,
  lastDay: number,
  count: number = historyDays.daily,
): Table {
  const chance = random.fork(resource)
  if (resource === 'heartrate') {
    return heartRates(chance, lastDay, Math.min(count, historyDays.minutely))
  }
  if (!isResource(resource)) return tableOf(timeseriesColumns, 'timestamp', [])
  const rows = rowsOf[resource](chance, lastDay, count)
  return tableOf(aggregateColumns[resource], timeColumns[resource], rows)
}

function isResource(name: string): name is AggregateResource {
  return Object.hasOwn(rowsOf, name)
}

/** Calls `row` for each day of the history, with chance of that day's own; days without a row are gaps. */
function eachDay(
  random: Random,
  lastDay: number,
  count: number,
  row: (midnight: number, random: Random) => readonly Row[],
): Row[] {
  return Array.from({ length: count }, (_, ago) => {
    const midnight = lastDay - ago * day
    return row(midnight, random.fork(floating(midnight)))
  }).flat()
}

/** A draw around `center`, at most `spread` away and mostly near. */
function around(random: Random, center: number, spread: number): number {
  return center + (random.next() + random.next() + random.next() - 1.5) * (spread / 1.5)
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

function nights(random: Random, lastDay: number, count: number): Row[] {
  const restingRate = Math.round(around(random, 56, 8))
  return eachDay(random, lastDay, count, (midnight, chance) => {
    const start = midnight + Math.round(around(chance, -60, 90)) * minute
    const hours = around(chance, isWeekend(midnight) ? 8 : 7.2, 1.6)
    return [
      ...(chance.next() < 0.94 ? [night(chance, start, hours, restingRate, ring)] : []),
      ...(chance.next() < 0.6
        ? [night(chance, start + 6 * minute, hours - 0.2, restingRate, watch)]
        : []),
    ]
  })
}

function night(
  random: Random,
  start: number,
  hours: number,
  restingRate: number,
  source: typeof ring | typeof watch,
): Row {
  const duration = Math.round(hours * 60) * 60
  const awake = Math.round(duration * around(random, 0.08, 0.05))
  const asleep = duration - awake
  const deep = Math.round(asleep * around(random, 0.19, 0.07))
  const rem = Math.round(asleep * around(random, 0.22, 0.07))
  const efficiency = asleep / duration
  return {
    id: random.uuid(),
    session_start: floating(start),
    session_end: floating(start + duration * 1000),
    state: 'confirmed',
    type: 'long_sleep',
    duration_second: duration,
    stage_asleep_second: asleep,
    stage_awake_second: awake,
    stage_light_second: asleep - deep - rem,
    stage_rem_second: rem,
    stage_deep_second: deep,
    latency_second: Math.round(around(random, 720, 600)),
    heart_rate_minimum: restingRate - random.integer(2, 6),
    heart_rate_mean: restingRate + random.integer(2, 7),
    heart_rate_maximum: restingRate + random.integer(18, 34),
    heart_rate_resting: restingRate + random.integer(-2, 2),
    efficiency: rounded(efficiency * 100, 1),
    hrv_mean_rmssd: random.next() < 0.9 ? rounded(around(random, 48, 25), 1) : null,
    respiratory_rate: rounded(around(random, 14.5, 1.5), 2),
    score: Math.min(100, Math.round(efficiency * 60 + hours * 4 + around(random, 0, 6))),
    ...source,
  }
}

function isWeekend(midnight: number): boolean {
  const weekday = new Date(midnight).getUTCDay()
  return weekday === 0 || weekday === 6
}

function days(random: Random, lastDay: number, count: number): Row[] {
  const weight = around(random, 74, 16)
  return eachDay(random, lastDay, count, (midnight, chance) => {
    const steps = Math.round(around(chance, isWeekend(midnight) ? 6800 : 9200, 5200))
    return [
      ...(chance.next() < 0.97 ? [activity(chance, midnight, steps, weight, watch)] : []),
      ...(chance.next() < 0.7
        ? [activity(chance, midnight, Math.round(steps * 0.93), weight, ring)]
        : []),
    ]
  })
}

function activity(
  random: Random,
  midnight: number,
  steps: number,
  weight: number,
  source: typeof ring | typeof watch,
): Row {
  const active = rounded(steps * 0.0005 * weight, 1)
  const hasHeartRate = random.next() < 0.85
  return {
    date: floating(midnight),
    calories_active: active,
    calories_total: rounded(active + weight * 22, 1),
    steps,
    distance_meter: rounded(steps * 0.74, 1),
    floors_climbed: source === watch ? random.integer(0, 22) : null,
    duration_active_second: Math.round(steps * 0.55),
    heart_rate_mean: hasHeartRate ? random.integer(66, 84) : null,
    heart_rate_minimum: hasHeartRate ? random.integer(46, 58) : null,
    heart_rate_maximum: hasHeartRate ? random.integer(118, 172) : null,
    heart_rate_resting: hasHeartRate ? random.integer(50, 64) : null,
    ...source,
  }
}

const sports = [
  { sport_slug: 'running', title: 'Run', speed: 2.8 },
  { sport_slug: 'cycling', title: 'Ride', speed: 6.9 },
  { sport_slug: 'walking', title: 'Walk', speed: 1.4 },
  { sport_slug: 'yoga', title: 'Yoga', speed: 0 },
] as const

function workouts(random: Random, lastDay: number, count: number): Row[] {
  return eachDay(random, lastDay, count, (midnight, chance) => {
    if (chance.next() > 0.45) return []
    const { speed, ...sport } = chance.pick(sports)
    const start = midnight + Math.round(around(chance, 17 * 60, 240)) * minute
    const seconds = Math.round(around(chance, 45, 25)) * 60
    const row = {
      session_start: floating(start),
      session_end: floating(start + seconds * 1000),
      ...sport,
      duration_active_second: Math.round(seconds * 0.94),
      heart_rate_mean: chance.integer(112, 148),
      heart_rate_minimum: chance.integer(78, 98),
      heart_rate_maximum: chance.integer(150, 184),
      distance_meter: speed === 0 ? null : rounded(seconds * speed, 1),
      calories: rounded(seconds * 0.16, 1),
      ...watch,
    }
    return [row]
  })
}

function weighings(random: Random, lastDay: number, count: number): Row[] {
  const weight = around(random, 74, 16)
  const height = around(random, 1.72, 0.14)
  return eachDay(random, lastDay, count, (midnight, chance) => {
    if (new Date(midnight).getUTCDay() !== 1) return []
    const today = weight + around(chance, 0, 1.6)
    const row = {
      measured_at: floating(midnight + chance.integer(6 * 60, 8 * 60) * minute),
      weight_kilogram: rounded(today, 1),
      fat_mass_percentage: rounded(around(chance, 23, 2), 1),
      body_mass_index: rounded(today / height ** 2, 1),
      ...scale,
    }
    return [row]
  })
}

const mealtimes = [
  { name: 'Breakfast', hour: 8, calories: 420 },
  { name: 'Lunch', hour: 13, calories: 680 },
  { name: 'Dinner', hour: 19, calories: 740 },
] as const

function meals(random: Random, lastDay: number, count: number): Row[] {
  return eachDay(random, lastDay, count, (midnight, chance) =>
    mealtimes
      .filter(() => chance.next() < 0.8)
      .map(({ name, hour, calories }) => ({
        timestamp: floating(midnight + Math.round(around(chance, hour * 60, 50)) * minute),
        name,
        calories: Math.round(around(chance, calories, 220)),
        ...app,
      })),
  )
}

function profile(random: Random, lastDay: number): Row[] {
  const height = Math.round(around(random, 172, 16))
  return [{ date: floating(lastDay - (historyDays.daily - 1) * day), height, ...app }]
}

/** One heart rate a minute from the watch, but for the hours it is charged; written straight into columns. */
function heartRates(random: Random, lastDay: number, count: number): Table {
  const first = lastDay - (count - 1) * day
  const moments: number[] = []
  const values: number[] = []
  for (let midnight = first; midnight <= lastDay; midnight += day) {
    const chance = random.fork(floating(midnight))
    const charging = chance.integer(18 * 60, 21 * 60)
    for (let at = 0; at < 24 * 60; at += 1) {
      if (at >= charging && at < charging + 70) continue
      moments.push(midnight + at * minute)
      values.push(Math.round(daytimeRate(at) + (chance.next() - 0.5) * 14))
    }
  }
  const cells = (value: string | null) => moments.map(() => value)
  return {
    time: Float64Array.from(moments),
    columns: {
      timestamp: columnOf('time', moments),
      value: columnOf('number', values),
      source_provider: columnOf('text', cells(watch.source_provider)),
      source_type: columnOf('text', cells(watch.source_type)),
      source_app_id: columnOf('text', cells(null)),
    },
  }
}

/** The heart rate that a minute of the day is about: low at night, highest in the late afternoon. */
function daytimeRate(minuteOfDay: number): number {
  return 70 - 13 * Math.cos(((minuteOfDay - 4 * 60) / (24 * 60)) * 2 * Math.PI)
}
