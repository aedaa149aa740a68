import { slowNoise, smoothNoise } from '../noise.ts'
import { clamp, roundTo } from '../numbers.ts'
import {
  ageOf,
  basalCaloriesOf,
  fatPercentageOf,
  type Measures,
  massIndexAt,
  maximumHeartRateAt,
  meanHeight,
  restingHeartRateAt,
  variabilityAt,
} from '../person/growth.ts'
import type { Life } from '../person/life.ts'
import { sleepDebtOn } from '../sleep/nights.ts'
import { gestationOn, illnessOn, isLuteal } from './condition.ts'
import type { BodyState } from './day-plan.ts'
import { loadOn } from './workouts.ts'

export function bodyOf(life: Life, date: number): BodyState {
  const strain = strainOn(life, date)
  const measures = measuresOn(life, date)
  const gestation = gestationOn(life, date)
  return {
    ...sizeOf(measures, gestation, strain.fitness),
    ...heartOf(life, date, strain, measures),
    stress: roundTo(strain.stress, 3),
    illness: roundTo(strain.illness, 3),
    readiness: readinessOf(strain, smoothNoise(life.seeds.body + 3, date, 1.3)),
  }
}

/** Factors that influence the body's state. Each factor is at least 0. */
interface Strain {
  /** The fatigue from previous workouts. It is 1 after a week of hard training. */
  readonly fatigue: number
  /** The sleep debt in hours. */
  readonly debt: number
  readonly illness: number
  readonly stress: number
  /** The fitness level, from 0 to 1: the usual level, adjusted for the training of the last three weeks. */
  readonly fitness: number
}

function strainOn(life: Life, date: number): Strain {
  const { traits, person, seeds } = life
  const debt = sleepDebtOn(life, date) / 60
  const illness = illnessOn(life, date)
  const stress =
    person.persona.stress + 0.3 * slowNoise(seeds.body, date) + 0.05 * debt + 0.2 * illness
  const { fast, slow } = loadsBefore(life, date)
  return {
    fatigue: fast,
    debt,
    illness,
    stress: clamp(stress, 0.02, 1),
    fitness: clamp(
      traits.fitness + 0.1 * slowNoise(seeds.body + 10, date) + 0.12 * (slow - 0.15),
      0.02,
      1,
    ),
  }
}

/** Returns two exponentially weighted means of the training load: over about three days, and over about two weeks. */
function loadsBefore(life: Life, date: number): { fast: number; slow: number } {
  let [fast, slow] = [0, 0]
  for (let ago = 21; ago >= 1; ago -= 1) {
    const load = loadOn(life, date - ago)
    fast = ago > 10 ? 0 : fast * 0.65 + load * 0.35
    slow = slow * 0.92 + load * 0.08
  }
  return { fast, slow }
}

/** Returns the unrounded height in centimeters. */
export function heightOn({ person, traits }: Life, date: number): number {
  return meanHeight(person.sex, ageOf(person, date)) * traits.tallness
}

/**
 * Returns the body measurements without the effects of a pregnancy. The weight varies over weeks and months, and
 * slightly from day to day.
 */
function measuresOn(life: Life, date: number): Measures {
  const { person, traits, seeds } = life
  const age = ageOf(person, date)
  const height = heightOn(life, date)
  const index =
    massIndexAt(traits.bodyMassIndex, age) * (1 + 0.045 * slowNoise(seeds.body + 20, date))
  const water = 0.008 * smoothNoise(seeds.body + 30, date, 1.6)
  const weightKilogram = index * (1 + water) * (height / 100) ** 2
  return { age, sex: person.sex, heightCentimeter: Math.round(height), weightKilogram }
}

function sizeOf(size: Measures, gestation: number, fitness: number) {
  // A pregnancy adds 12.5 kilograms, mostly after the first third.
  const gain = 12.5 * clamp((gestation - 0.15) / 0.85, 0, 1)
  const weightKilogram = roundTo(size.weightKilogram + gain, 1)
  return {
    weightKilogram,
    heightCentimeter: size.heightCentimeter,
    fatPercentage: roundTo(fatPercentageOf(size, fitness) + gain * 0.25, 1),
    basalCalories: Math.round(basalCaloriesOf(size) * (1 + 0.16 * gestation)),
  }
}

function heartOf(life: Life, date: number, strain: Strain, { age, sex }: Measures) {
  const { traits, seeds } = life
  const { fatigue, debt, illness, stress, fitness } = strain
  const gestation = gestationOn(life, date)
  const maximum = Math.round(maximumHeartRateAt(age) + traits.restingShift * 0.6)
  const resting =
    restingHeartRateAt(sex, age, fitness) +
    traits.restingShift +
    4.5 * Math.min(2, fatigue) +
    0.9 * Math.min(4, debt) +
    11 * illness +
    2.5 * (stress - 0.35) +
    14 * gestation +
    (isLuteal(life, date) && gestation === 0 ? 2 : 0) +
    1.9 * smoothNoise(seeds.heart, date, 1.4)
  const strained =
    0.16 * Math.min(2, fatigue) + 0.05 * Math.min(4, debt) + 0.35 * illness + 0.25 * gestation
  const variability =
    variabilityAt(age) *
    traits.variability *
    (0.72 + 0.7 * fitness) *
    (1.12 - 0.35 * stress) *
    (1 - strained)
  const daily = 1 + 0.09 * smoothNoise(seeds.heart + 1, date, 1.2)
  return {
    restingHeartRate: Math.round(clamp(resting, 34, maximum - 60)),
    maximumHeartRate: maximum,
    hrv: roundTo(clamp(variability * daily, 6, 190), 1),
  }
}

function readinessOf({ fatigue, debt, illness, stress }: Strain, noise: number): number {
  const lost = 13 * Math.min(2, fatigue) + 5 * Math.min(4, debt) + 40 * illness + 16 * stress
  return Math.round(clamp(94 - lost + 5 * noise, 5, 100))
}
