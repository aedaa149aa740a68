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

const samplesOfLife = remember(256, (life: Life, date: number): DaySamples => {
  const { person } = life
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
    // Few readers need the rest, which would take a third of the time.
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
})

/** Spreads the energy of 24 hours over minutes: multiples of 1/16, of which 1,440 sum to it exactly. */
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
