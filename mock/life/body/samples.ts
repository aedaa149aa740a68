import { remember } from '../cache.ts'
import { type Life, lifeOf } from '../person/life.ts'
import type { Person } from '../person/person.ts'
import { planOf } from '../plan/plan.ts'
import type { DaySamples } from './day-samples.ts'
import { glucoseOf } from './glucose.ts'
import { heartRatesOf } from './heart-rate.ts'
import { movementOf } from './movement.ts'
import { leadMinutes, timelineOf } from './timeline.ts'

/** Returns what happens in the body in each minute of a calendar date, in days since 1970-01-01. */
export function samplesOf(person: Person, date: number): DaySamples {
  return samplesOfLife(lifeOf(person), date)
}

const samplesOfLife = remember(3, (life: Life, date: number): DaySamples => {
  const { person } = life
  const plan = planOf(person, date)
  const before = planOf(person, date - 1)
  const timeline = timelineOf(before, plan, planOf(person, date + 1))
  const { steps, distance, activeCalories, floors, intensity } = movementOf(life, timeline, plan)
  const heartRate = heartRatesOf(life, timeline, steps, plan.body).slice(leadMinutes)
  return {
    start: plan.start,
    minutes: heartRate.length,
    heartRate,
    steps: steps.slice(leadMinutes),
    distance: distance.slice(leadMinutes),
    activeCalories: activeCalories.slice(leadMinutes),
    basalCalories: spread(plan.body.basalCalories, heartRate.length),
    floors: floors.slice(leadMinutes),
    glucose: glucoseOf(life, before, plan),
    intensity: intensity.slice(leadMinutes),
  }
})

/** Spreads the energy of 24 hours over minutes: multiples of 1/16, of which 1,440 sum to it exactly. */
function spread(calories: number, minutes: number): Float64Array {
  const until = (at: number) => Math.floor((calories * 16 * at) / 1440)
  return Float64Array.from({ length: minutes }, (_, at) => (until(at + 1) - until(at)) / 16)
}
