import type { LivingPerson } from '../person/life.ts'
import { lifeOf } from '../person/life.ts'
import { planOf } from '../plan/plan.ts'
import { glucoseOf } from './glucose.ts'
import { heartRatesOf } from './heart-rate.ts'
import { movementOf } from './movement.ts'
import { leadMinutes, timelineOf } from './timeline.ts'

/** The body's true values for each minute of a day, before devices measure them. */
export interface DaySamples {
  /** The start of the day, as a Unix timestamp in milliseconds. Item `n` of each array is for minute `n` of the day. */
  readonly start: number
  /** The number of minutes: 1,440, except on days when the clock changes or the person travels. */
  readonly minutes: number
  /** The mean heart rate in whole beats per minute. */
  readonly heartRate: Float64Array
  readonly steps: Float64Array
  /** Meters, in multiples of 0.25. Sums are therefore exact in any order. */
  readonly distance: Float64Array
  /**
   * Kilocalories burned by movement, excluding resting energy. Multiples of 1/16 make sums exact in any order.
   */
  readonly activeCalories: Float64Array
  /**
   * Resting energy in kilocalories, in multiples of 1/16. On a day of 1,440 minutes, the values add up to the plan's
   * `basalCalories`.
   */
  readonly basalCalories: Float64Array
  readonly floors: Float64Array
  /** Blood glucose in mmol/L, to one decimal place. */
  readonly glucose: Float64Array
  /** The intensity of movement, from 0 (none) to 3 (high). */
  readonly intensity: Uint8Array
}

export function samplesOf(person: LivingPerson, date: number): DaySamples {
  const life = lifeOf(person)
  const plan = planOf(person, date)
  const before = planOf(person, date - 1)
  const timeline = timelineOf(before, plan, planOf(person, date + 1))
  const { steps, distance, activeCalories, floors, intensity } = movementOf(life, timeline, plan)
  const heartRate = heartRatesOf(life, timeline, steps, plan.body).slice(leadMinutes)
  let glucose: Float64Array | undefined
  let basalCalories: Float64Array | undefined
  return {
    start: plan.start,
    minutes: heartRate.length,
    heartRate,
    steps: steps.slice(leadMinutes),
    distance: distance.slice(leadMinutes),
    activeCalories: activeCalories.slice(leadMinutes),
    // Few callers need basal calories or glucose, which take a third of the total time. Compute each on its first use.
    get basalCalories() {
      basalCalories ??= spread(plan.body.basalCalories, heartRate.length)
      return basalCalories
    },
    floors: floors.slice(leadMinutes),
    get glucose() {
      glucose ??= glucoseOf(life, before, plan)
      return glucose
    },
    intensity: intensity.slice(leadMinutes),
  }
}

/**
 * Distributes 24 hours of energy over minutes, in multiples of 1/16 that add up to exactly `calories` in 1,440 minutes.
 */
function spread(calories: number, minutes: number): Float64Array {
  const values = new Float64Array(minutes)
  let total = 0
  for (let at = 0; at < minutes; at += 1) {
    const until = Math.floor((calories * 16 * (at + 1)) / 1440)
    values[at] = (until - total) / 16
    total = until
  }
  return values
}
