import { glucoseOf } from '../body/glucose.ts'
import { roundTo } from '../numbers.ts'
import { lifeOf } from '../person/life.ts'
import type { Person } from '../person/person.ts'
import { planOf } from '../plan/plan.ts'

/** mg/dL of 1 mmol/L. */
const milligrams = 18.016

/** Returns the glucose before the first meal of a day, in mg/dL. */
export function fastingGlucose(person: Person, date: number): number {
  const { start, meals } = planOf(person, date)
  const glucose = glucoseOn(person, date)
  const minute = Math.floor(((meals[0]?.at ?? start) - start) / 60_000)
  return Math.round((glucose[minute] ?? 5) * milligrams)
}

/** Returns the hemoglobin A1c in percent, from the mean glucose of days in twelve weeks (Nathan 2008). */
export function hemoglobinA1c(person: Person, date: number): number {
  const days = Array.from({ length: 6 }, (_, at) => meanOf(glucoseOn(person, date - at * 15)))
  return roundTo((meanOf(days) + 2.59) / 1.59, 1)
}

function glucoseOn(person: Person, date: number): Float64Array {
  return glucoseOf(lifeOf(person), planOf(person, date - 1), planOf(person, date))
}

function meanOf(values: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < values.length; at += 1) sum += values[at] ?? 0
  return sum / Math.max(1, values.length)
}
