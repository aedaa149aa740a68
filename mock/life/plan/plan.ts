import { remember } from '../cache.ts'
import { type Life, lifeOf } from '../person/life.ts'
import type { Person } from '../person/person.ts'
import { daySpanOf } from '../places/day-span.ts'
import type { DayPlan } from './day-plan.ts'
import { freeTimeOf } from './free-time.ts'
import { mealsOf } from './meals.ts'
import { nightOf } from './sleep/nights.ts'
import { sleepsOf } from './sleep/sleeps.ts'
import { without } from './spans.ts'
import { bodyOf } from './state.ts'
import { walksOf } from './walks.ts'
import { workoutsOf } from './workouts.ts'

/** Returns how a person lives a calendar date, in days since 1970-01-01: the same in whatever order dates are computed. */
export function planOf(person: Person, date: number): DayPlan {
  return planOfLife(lifeOf(person), date)
}

const planOfLife = remember(1024, (life: Life, date: number): DayPlan => {
  const { start, end, zones } = daySpanOf(life, date)
  const sleeps = sleepsOf(life, date)
  const body = bodyOf(life, date)
  const freeTime = freeTimeOf(life, date)
  const workouts = workoutsOf(life, date, freeTime)
  const nextNight = nightOf(life, date + 1)
  const meals = mealsOf(life, date, { sleeps, nextNight, workouts, body })
  const walks = walksOf(life, date, without(freeTime, workouts))
  return { date, start, end, zones, sleeps, workouts, walks, meals, body }
})
