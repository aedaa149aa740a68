import { hour, minute } from '../../shared/time-units.ts'
import { uniform } from '../noise.ts'
import { roundTo } from '../numbers.ts'
import { ageOf } from '../person/growth.ts'
import { lifeOf } from '../person/life.ts'
import type { PlannedMeal } from '../plan/day-plan.ts'
import type { SampleFields } from './device-record.ts'
import type { LivedDay } from './lived-day.ts'
import { skinTemperatureOf } from './vitals.ts'

/** A measurement taken occasionally. */
export interface Single {
  /** A Unix timestamp in milliseconds. */
  readonly at: number
  readonly value: number
  /** The interval length in minutes. Default: 0. */
  readonly length?: number
  readonly fields?: SampleFields
}

/** A day and the seed for the random parts of its measurements. */
interface Occasion {
  day: LivedDay
  seed: number
}

/** The time series of single measurements, such as blood pressure. The values are assumptions. */
const measures: Readonly<Record<string, (occasion: Occasion) => Single[]>> = {
  blood_pressure: (occasion) =>
    [wakeUp(occasion.day) + 25 * minute, evening(occasion.day)].map((at, index) =>
      bloodPressure(occasion, at, index),
    ),
  body_temperature_delta: ({ day }) => [
    { at: wakeUp(day), value: skinTemperatureOf(day).delta, fields: { sensor_location: 'finger' } },
  ],
  basal_body_temperature: ({ day, seed }) => [
    {
      at: wakeUp(day) + minute,
      value: roundTo(36.3 + uniform(seed, 1) * 0.4 + day.plan.body.illness * 1.5, 2),
      fields: { sensor_location: 'mouth' },
    },
  ],
  body_temperature: ({ day, seed }) => [
    {
      at: wakeUp(day) + 2 * minute,
      value: roundTo(36.4 + uniform(seed, 4) * 0.5 + day.plan.body.illness * 2.2, 1),
      fields: { sensor_location: 'forehead' },
    },
  ],
  caffeine: ({ day, seed }) =>
    day.plan.meals
      .slice(0, 2)
      .filter((_, index) => uniform(seed, 10 + index) < 0.8)
      .map(({ at }, index) => ({
        at: at + 5 * minute,
        value: roundTo(0.06 + uniform(seed, 12 + index) * 0.07, 3),
      })),
  daylight_exposure: ({ day }) =>
    day.plan.walks.map(({ start, end }) => interval(start, (end - start) / minute)),
  handwashing: ({ day, seed }) =>
    day.plan.meals.map(({ at }, index) => ({
      at: at - 3 * minute,
      value: 1,
      length: uniform(seed, 20 + index) < 0.3 ? 2 : 1,
    })),
  heart_rate_recovery_one_minute: ({ day, seed }) =>
    day.plan.workouts.map(({ end }, index) => ({
      at: end,
      value: Math.round(
        14 + lifeOf(day.person).traits.fitness * 28 + uniform(seed, 30 + index) * 6,
      ),
      length: 1,
    })),
  insulin_injection: ({ day, seed }) => [
    ...day.plan.meals.map((meal, index) => bolus(meal, uniform(seed, 40 + index))),
    {
      at: evening(day) + hour,
      value: Math.round(day.plan.body.weightKilogram * 0.2),
      fields: { ...insulin, type: 'long_acting', delivery_mode: 'basal', bolus_purpose: null },
    },
  ],
  mindfulness_minutes: ({ day, seed }) =>
    uniform(seed, 50) < 0.6 ? [interval(evening(day), 5 + Math.floor(uniform(seed, 51) * 16))] : [],
  note: ({ day, seed }) =>
    day.plan.meals
      .slice(-1)
      .filter(() => uniform(seed, 60) < 0.5)
      .map(({ at, name }) => ({
        at,
        value: 0,
        fields: { value: `${name} at home`, tags: 'meal' },
      })),
  sleep_breathing_disturbance: ({ day, seed }) =>
    day.plan.sleeps
      .filter(({ isNap }) => !isNap)
      .map(({ start, end }) => {
        // The hours before midnight belong to the previous day.
        const at = Math.max(start, day.plan.start)
        return { at, value: Math.floor(uniform(seed, 70) * 7), length: (end - at) / minute }
      }),
  stand_duration: (occasion) =>
    activeHours(occasion).map(({ at, minutes }) => ({ at, value: minutes, length: 60 })),
  stand_hour: (occasion) => activeHours(occasion).map(({ at }) => ({ at, value: 1, length: 60 })),
  uv_exposure: ({ day, seed }) =>
    day.plan.walks.map(({ start, end }, index) => ({
      at: start,
      value: roundTo(uniform(seed, 80 + index) * 6, 1),
      length: (end - start) / minute,
    })),
  vo2_max: ({ day, seed }) => [
    {
      at: evening(day),
      value: roundTo(27 + lifeOf(day.person).traits.fitness * 32 + uniform(seed, 90), 1),
    },
  ],
  water: ({ day, seed }) =>
    day.plan.meals.map(({ at }, index) => ({
      at: at + minute,
      value: 150 + 50 * Math.floor(uniform(seed, 100 + index) * 8),
    })),
}

export const singleSeries: readonly string[] = Object.keys(measures)

/**
 * Returns a day's single measurements in chronological order, or undefined if the time series is not in
 * {@link singleSeries}.
 */
export function singlesOf(day: LivedDay, resource: string, seed: number): Single[] | undefined {
  if (!Object.hasOwn(measures, resource)) return undefined
  const { start, end } = day.plan
  return measures[resource]?.({ day, seed })
    .filter(({ at }) => at >= start && at < end)
    .sort((one, other) => one.at - other.at)
}

function interval(at: number, minutes: number): Single {
  return { at, value: minutes, length: minutes }
}

function wakeUp({ plan }: LivedDay): number {
  return plan.sleeps.find(({ isNap }) => !isNap)?.end ?? plan.start + 7 * hour
}

function evening({ plan }: LivedDay): number {
  return (plan.meals.at(-1)?.at ?? plan.start + 18 * hour) + 90 * minute
}

/** Returns a systolic and a diastolic value in mmHg that are consistent with each other and with the person. */
function bloodPressure({ day, seed }: Occasion, at: number, index: number): Single {
  const { person, date, plan } = day
  const { weightKilogram, heightCentimeter, stress, illness } = plan.body
  const excess = weightKilogram / (heightCentimeter / 100) ** 2 - 24
  const years = Math.max(0, ageOf(person, date) - 25)
  const usual = 108 + 0.35 * years + 0.7 * excess + 8 * stress - 4 * illness
  const systolic = Math.round(usual + (uniform(seed, index) - 0.5) * 14)
  const diastolic = Math.round(systolic * 0.64 + (uniform(seed, 2 + index) - 0.5) * 6)
  return { at, value: systolic, fields: { systolic, diastolic } }
}

const insulin = {
  delivery_mode: 'bolus',
  delivery_form: 'standard',
  bolus_purpose: 'food',
} as const

/** Returns the insulin dose for a meal: about one unit per ten grams of carbohydrates. */
function bolus({ at, carbohydrateGram }: PlannedMeal, random: number): Single {
  const value = Math.max(1, Math.round(carbohydrateGram * (0.08 + random * 0.05)))
  return { at: at - 10 * minute, value, fields: { ...insulin, type: 'rapid_acting' } }
}

/** Returns each hour in which the person took steps, with the number of minutes that contain steps. */
function activeHours({ day }: Occasion): { at: number; minutes: number }[] {
  const { steps } = day.samples
  const hours = Array.from({ length: Math.floor(day.length / 60) }, (_, index) => ({
    at: day.plan.start + index * hour,
    minutes: steps.subarray(index * 60, index * 60 + 60).filter((count) => count > 0).length,
  }))
  return hours.filter(({ minutes }) => minutes > 0)
}
