import type { Random } from '../../base/random.ts'
import { minute } from '../../base/time-units.ts'
import { formatFloating } from '../../query/calendar.ts'
import type { Row } from '../../query/table.ts'
import { type Days, eachDay, integerAround, isWeekend, randomAround, roundTo } from './days.ts'
import { ring, type SourceColumns, watch } from './sources.ts'

/** A day, as each source measures it. */
interface Day {
  midnight: number
  steps: number
  /** The weight of the user in kilograms. */
  weight: number
}

/** Generates the rows of `activity`: a watch measures most days, and a ring many of them. */
export function activityRows(random: Random, days: Days): Row[] {
  const weight = randomAround(random, 74, 16)
  return eachDay(random, days, (midnight, dayRandom) => {
    const steps = integerAround(dayRandom, isWeekend(midnight) ? 6800 : 9200, 5200)
    const fewer = Math.round(steps * 0.93)
    return [
      ...(dayRandom.next() < 0.97 ? [dayRow(dayRandom, { midnight, steps, weight }, watch)] : []),
      ...(dayRandom.next() < 0.7
        ? [dayRow(dayRandom, { midnight, steps: fewer, weight }, ring)]
        : []),
    ]
  })
}

function dayRow(random: Random, { midnight, steps, weight }: Day, source: SourceColumns): Row {
  const active = roundTo(steps * 0.0005 * weight)
  const hasHeartRate = random.next() < 0.85
  const heartRate = (low: number, high: number) => (hasHeartRate ? random.integer(low, high) : null)
  return {
    date: formatFloating(midnight),
    calories_active: active,
    calories_total: roundTo(active + weight * 22),
    steps,
    distance_meter: roundTo(steps * 0.74),
    floors_climbed: source === watch ? random.integer(0, 22) : null,
    duration_active_second: Math.round(steps * 0.55),
    intensity_sedentary_second: 14 * 3600 - Math.round(steps * 0.55),
    intensity_low_second: Math.round(steps * 0.38),
    intensity_medium_second: Math.round(steps * 0.12),
    intensity_high_second: Math.round(steps * 0.05),
    heart_rate_mean: heartRate(66, 84),
    heart_rate_minimum: heartRate(46, 58),
    heart_rate_maximum: heartRate(118, 172),
    heart_rate_resting: heartRate(50, 64),
    ...source,
  }
}

/** Kinds of workouts, with the speed in meters per second, the steps per second and the power in watts. */
const sports = [
  { sport_slug: 'running', title: 'Run', speed: 2.8, cadence: 2.7, power: null },
  { sport_slug: 'cycling', title: 'Ride', speed: 6.9, cadence: null, power: 165 },
  { sport_slug: 'walking', title: 'Walk', speed: 1.4, cadence: 1.8, power: null },
  { sport_slug: 'yoga', title: 'Yoga', speed: 0, cadence: null, power: null },
] as const

/** Generates the rows of `workout`: a watch measures three of them in a week. */
export function workoutRows(random: Random, days: Days): Row[] {
  return eachDay(random, days, (midnight, dayRandom) => {
    if (dayRandom.next() > 0.45) return []
    const { speed, cadence, power, ...sport } = dayRandom.pick(sports)
    const start = midnight + integerAround(dayRandom, 17 * 60, 240) * minute
    const seconds = integerAround(dayRandom, 45, 25) * 60
    const row = {
      session_start: formatFloating(start),
      session_end: formatFloating(start + seconds * 1000),
      ...sport,
      sport_name: `${sport.sport_slug[0]?.toUpperCase()}${sport.sport_slug.slice(1)}`,
      duration_active_second: Math.round(seconds * 0.94),
      heart_rate_mean: dayRandom.integer(112, 148),
      heart_rate_minimum: dayRandom.integer(78, 98),
      heart_rate_maximum: dayRandom.integer(150, 184),
      distance_meter: speed === 0 ? null : roundTo(seconds * speed),
      elevation_gain_meter: speed === 0 ? null : roundTo((seconds * speed) / 90),
      speed_mean: speed === 0 ? null : speed,
      speed_maximum: speed === 0 ? null : roundTo(speed * 1.4),
      power_mean: power,
      power_maximum: power && power * 2,
      steps: cadence && Math.round(seconds * cadence),
      calories: roundTo(seconds * 0.16),
      external_id: String(start / minute),
      ...watch,
    }
    return [row]
  })
}
