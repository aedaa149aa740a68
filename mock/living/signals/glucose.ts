import { minute } from '../../shared/time-units.ts'
import { smoothNoise, uniform } from '../noise.ts'
import { clamp } from '../numbers.ts'
import type { Life } from '../person/life.ts'
import type { DayPlan } from '../plan/day-plan.ts'

/** How glucose responds to food, insulin and exercise, in mmol/L. */
interface Metabolism {
  /** The level without food. */
  readonly base: number
  /** How far the level drifts over hours. `noise` is the drift over minutes. */
  readonly drift: number
  readonly noise: number
  /** The rise at the peak, per gram of carbohydrates. */
  readonly rise: number
  /** How far injected insulin lowers the level in the hours after a meal, per gram of carbohydrates. */
  readonly fall: number
  /** The fall per hour of hard exercise. */
  readonly exercise: number
  /** The rise in the early morning. */
  readonly dawn: number
  readonly lowest: number
  readonly highest: number
}

const healthy: Omit<Metabolism, 'base'> = {
  drift: 0.2,
  noise: 0.18,
  rise: 0.028,
  fall: 0,
  exercise: 0.6,
  dawn: 0.25,
  lowest: 3.6,
  highest: 11,
}

const diabetic: Metabolism = {
  base: 8,
  drift: 2.6,
  noise: 0.5,
  rise: 0.105,
  fall: 0.06,
  exercise: 4,
  dawn: 1.6,
  lowest: 2.4,
  highest: 22.2,
}

/** How many minutes the effect of a meal, insulin or exercise lasts. */
const reach = 420

/** How effects rise to 1 and fall back to 0, minute by minute. */
const curves = {
  food: curveOf(44),
  slowFood: curveOf(68),
  insulin: curveOf(165),
  exercise: curveOf(80),
}

/**
 * Returns the glucose level in each minute of a day, including the effects of the previous day's meals and workouts.
 */
export function glucoseOf(life: Life, before: DayPlan, plan: DayPlan): Float64Array {
  const values = new Float64Array(Math.round((plan.end - plan.start) / minute))
  const isDiabetic = life.person.persona.isDiabetic === true
  const metabolism = isDiabetic ? diabetic : { ...healthy, base: life.traits.glucose }
  for (const { meals, workouts } of [before, plan]) {
    for (const { at, carbohydrateGram } of meals) {
      const shift = Math.round((at - plan.start) / minute)
      const dose = 0.45 + 1.05 * uniform(life.seeds.glucose + 9, at / minute)
      const grams = carbohydrateGram
      addCurve(values, shift, isDiabetic ? curves.slowFood : curves.food, grams * metabolism.rise)
      addCurve(values, shift, curves.insulin, -grams * metabolism.fall * dose)
    }
    for (const { start, end, intensity } of workouts) {
      const shift = Math.round((start - plan.start) / minute)
      const effort = ((end - start) / minute / 60) * intensity
      addCurve(values, shift, curves.exercise, -metabolism.exercise * Math.min(1, effort))
    }
  }
  addBase(values, life, plan, metabolism)
  return values
}

function addBase(
  values: Float64Array,
  { seeds }: Life,
  { start, body }: DayPlan,
  metabolism: Metabolism,
) {
  const { base, drift, noise, dawn, lowest, highest } = metabolism
  const first = Math.round(start / minute)
  for (let at = 0; at < values.length; at += 1) {
    const wandering =
      drift * smoothNoise(seeds.glucose, first + at, 310) +
      noise * smoothNoise(seeds.glucose + 1, first + at, 23)
    const morning = dawn * Math.max(0, 1 - Math.abs(at - 360) / 150)
    const level = (values[at] ?? 0) + base * (1 + 0.08 * body.illness) + wandering + morning
    values[at] = Math.round(clamp(level, lowest, highest) * 10) / 10
  }
}

function addCurve(values: Float64Array, shift: number, curve: Float64Array, height: number): void {
  if (height === 0) return
  const last = Math.min(values.length, shift + reach)
  for (let at = Math.max(0, shift); at < last; at += 1) {
    values[at] = (values[at] ?? 0) + height * (curve[at - shift] ?? 0)
  }
}

/** Returns a curve that rises from 0 to 1 at the minute `peak`, and then slowly falls to 0. */
function curveOf(peak: number): Float64Array {
  return Float64Array.from({ length: reach }, (_, at) => {
    const ending = Math.min(1, (reach - at) / 60)
    return (at / peak) * Math.exp(1 - at / peak) * ending
  })
}
