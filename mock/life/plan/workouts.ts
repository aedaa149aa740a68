import { hour, minute } from '../../base/time-units.ts'
import { Draws } from '../noise.ts'
import type { Life } from '../person/life.ts'
import { daySpanOf, momentAt } from '../places/day-span.ts'
import type { PlannedWorkout } from './day-plan.ts'
import { placeNear, type Span, widen, without } from './spans.ts'
import { trainingOn } from './training.ts'
import { workOn } from './work.ts'

/** Returns the workouts of a day, in order: those that a person intends to do and has time for. */
export function workoutsOf(life: Life, date: number, freeTime: readonly Span[]): PlannedWorkout[] {
  const span = daySpanOf(life, date)
  const draws = new Draws(life.seeds.workout, date)
  // The first one on a free day is in the morning.
  let usual = workOn(life, date) ? 18 * 60 + 15 : 10 * 60
  let free = freeTime
  const workouts: PlannedWorkout[] = []
  for (const { sport, minutes, intensity } of trainingOn(life, date)) {
    const wanted = momentAt(span, draws.integerAround(usual, 100))
    const place = placeNear(wanted, minutes * minute, free)
    if (!place || Math.abs(place.start - wanted) > 5 * hour) continue
    workouts.push({ ...place, sport, intensity })
    free = without(free, [widen(place, 2 * hour)])
    usual = 17 * 60
  }
  return workouts.sort((a, b) => a.start - b.start)
}
