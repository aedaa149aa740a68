import { remember } from '../../../src/shared/memo.ts'
import { present } from '../../../src/shared/narrow.ts'
import { hour, minute } from '../../shared/time-units.ts'
import { Draws, smoothNoise } from '../noise.ts'
import { clamp } from '../numbers.ts'
import { ageOf } from '../person/growth.ts'
import type { Life } from '../person/life.ts'
import type { Habit } from '../person/persona.ts'
import { gestationOn, illnessOn } from './condition.ts'
import type { PlannedWorkout } from './day-plan.ts'
import { daySpanOf, momentAt } from './day-span.ts'
import { placeNear, type Span, widen, without } from './spans.ts'
import { tripOf } from './trips.ts'
import { isWeekend, weekdayOf, workOn } from './work.ts'

/** Returns a day's workouts, in order: the intended workouts that the person has time for. */
export function workoutsOf(life: Life, date: number, freeTime: readonly Span[]): PlannedWorkout[] {
  const span = daySpanOf(life, date)
  const draws = new Draws(life.seeds.workout, date)
  // On a day off, the first workout is in the morning.
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

/** A workout that a person intends to do on a day. */
interface Training {
  readonly sport: string
  readonly minutes: number
  readonly intensity: number
}

/**
 * Returns the workouts that a person intends to do on a day. Returns none for children under 10 or during an illness,
 * unless the illness is mild. The number of workouts is lower on trips and Mondays, and higher at weekends.
 */
function trainingOn(life: Life, date: number): readonly Training[] {
  const { person, seeds } = life
  if (illnessOn(life, date) > 0.25 || ageOf(person, date) < 10) return []
  const draws = new Draws(seeds.training, date)
  const season = 1 + 0.35 * smoothNoise(seeds.training, date, 45)
  const weekday = weekdayOf(date) === 1 ? 0.45 : isWeekend(date) ? 1.25 : 1
  const expected = (person.persona.workouts / 7) * season * weekday * (tripOf(life, date) ? 0.5 : 1)
  const count = Math.floor(expected + draws.next())
  return Array.from({ length: Math.min(count, 2) }, () => {
    return trainingOf(pickHabit(person.persona.habits, draws), life, date, draws)
  })
}

// The cache saves 0.2 s when a month of data is generated for ten living users.
/** Returns the training load of a day's intended workouts: about 0.5 for an hour of moderate effort. */
export const loadOn = remember(4096, (life: Life, date: number): number => {
  return trainingOn(life, date).reduce(
    (sum, { minutes, intensity }) => sum + (minutes / 60) * (0.1 + intensity ** 2),
    0,
  )
})

function trainingOf(habit: Habit, life: Life, date: number, draws: Draws): Training {
  const length = isWeekend(date) ? 1.3 : 1
  const ease = 1 - 0.35 * gestationOn(life, date)
  return {
    sport: habit.sport,
    minutes: clamp(draws.integerAround(habit.minutes * length, habit.minutes * 0.5), 10, 240),
    intensity: clamp(draws.around(habit.intensity * ease, 0.25), 0.05, 1),
  }
}

function pickHabit(habits: readonly Habit[], draws: Draws): Habit {
  let left = draws.next() * habits.reduce((sum, { weight }) => sum + weight, 0)
  const found = habits.find(({ weight }) => {
    left -= weight
    return left < 0
  })
  // `left` starts below the sum of the weights, so a habit is always found.
  return present(found)
}
