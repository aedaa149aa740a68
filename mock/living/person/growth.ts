import { clamp, curve } from '../numbers.ts'
import type { LivingPerson } from './life.ts'

/** Physiological averages by age and sex. `docs/testing/living-users.md` lists the sources. */

/** Mean heights in centimeters by age, from birth to old age. */
const heights = {
  female: curve({ 0: 50, 1: 74, 2: 85, 5: 108, 10: 138, 13: 157, 16: 162, 50: 162, 90: 156 }),
  male: curve({ 0: 50, 1: 76, 2: 87, 5: 109, 10: 139, 13: 156, 18: 176, 50: 176, 90: 170 }),
}

/** The body mass index at an age, relative to the person's adult value. */
const childhoodMass = curve({ 0: 0.55, 1: 0.67, 6: 0.61, 12: 0.73, 16: 0.84, 22: 1 })

/** The hours of sleep that people need, by age. */
const sleepNeeds = curve({
  ...{ 0: 15, 1: 13.5, 4: 11.5, 10: 9.8, 16: 8.8, 22: 7.9 },
  ...{ 45: 7.6, 65: 7.2, 85: 7 },
})

/** How far a child's resting heart rate is above an adult's, by age, in beats per minute. */
const childRates = curve({ 0: 62, 1: 48, 5: 24, 10: 12, 18: 0 })

/** Returns the mean heart rate variability at night for an age, in milliseconds. */
export const variabilityAt = curve({ 10: 70, 20: 62, 30: 50, 40: 41, 50: 34, 60: 29, 80: 24 })

/** Returns the amount of movement in daily life at an age, relative to adults. */
export const mobilityAt = curve({
  1: 0,
  2: 0.6,
  6: 1.2,
  15: 1.1,
  30: 1,
  60: 0.92,
  75: 0.75,
  90: 0.45,
})

export function ageOf({ born }: LivingPerson, date: number): number {
  return Math.max(0, (date - born) / 365.2425)
}

export function meanHeight(sex: LivingPerson['sex'], age: number): number {
  return heights[sex](age)
}

export function massIndexAt(adult: number, age: number): number {
  return adult * childhoodMass(age)
}

/** Returns the minutes of sleep that people of this age need. */
export function sleepNeedAt(age: number): number {
  return sleepNeeds(age) * 60
}

/** Returns the maximum heart rate (Tanaka 2001). */
export function maximumHeartRateAt(age: number): number {
  return Math.min(205, 208 - 0.7 * age)
}

/** Returns the mean resting heart rate for a fitness level from 0 to 1. */
export function restingHeartRateAt(sex: LivingPerson['sex'], age: number, fitness: number): number {
  return (sex === 'female' ? 70 : 67) - 23 * fitness + childRates(age)
}

export interface Measures {
  sex: LivingPerson['sex']
  age: number
  weightKilogram: number
  heightCentimeter: number
}

/**
 * Returns the resting energy expenditure in kilocalories per day (Mifflin-St Jeor 1990; for children, Schofield 1985).
 */
export function basalCaloriesOf({ sex, age, weightKilogram, heightCentimeter }: Measures): number {
  if (age < 18) return childCalories(sex, age, weightKilogram)
  const base = 10 * weightKilogram + 6.25 * heightCentimeter - 5 * age
  return base + (sex === 'female' ? -161 : 5)
}

function childCalories(sex: LivingPerson['sex'], age: number, weight: number): number {
  const isFemale = sex === 'female'
  if (age < 3) return Math.max(150, isFemale ? 58.3 * weight - 31 : 59.5 * weight - 30)
  if (age < 10) return isFemale ? 20.3 * weight + 486 : 22.7 * weight + 505
  return isFemale ? 13.4 * weight + 693 : 17.7 * weight + 658
}

/** Returns the body fat percentage (Deurenberg 1991), which falls as the fitness level rises from 0 to 1. */
export function fatPercentageOf(measures: Measures, fitness: number): number {
  const { sex, age, weightKilogram, heightCentimeter } = measures
  const index = weightKilogram / (heightCentimeter / 100) ** 2
  const male = sex === 'male' ? 1 : 0
  const percentage =
    age < 16
      ? 1.51 * index - 0.7 * age - 3.6 * male + 1.4
      : 1.2 * index + 0.23 * age - 10.8 * male - 5.4
  return clamp(percentage - 11 * (fitness - 0.35), 5, 55)
}
