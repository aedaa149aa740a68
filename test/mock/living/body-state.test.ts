import { describe, expect, it } from 'vitest'
import type { LivingPerson } from '../../../mock/living/person/life.ts'
import { personas } from '../../../mock/living/person/personas.ts'
import type { DayPlan } from '../../../mock/living/plan/day-plan.ts'
import { planOf } from '../../../mock/living/plan/plan.ts'
import { Random } from '../../../mock/reference-data/random.ts'
import { fc } from '../../support/properties.ts'
import { dateOf, datesToCheck, peopleAndDates, personOf, runs } from './people.ts'

const first = dateOf('2025-01-01')

/** Returns the plans of a year. */
function yearOf(person: LivingPerson): DayPlan[] {
  return Array.from({ length: 365 }, (_, day) => planOf(person, first + day))
}

/** Returns the plans of some days of many people. */
function plansOf(person: Partial<LivingPerson>): DayPlan[] {
  return Array.from({ length: 60 }, (_, seed) =>
    personOf({ random: new Random(seed), ...person }),
  ).flatMap((someone) => [3, 50, 120, 200].map((day) => planOf(someone, first + day)))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Returns the day of birth of somebody of an age. */
function bornAt(age: number): number {
  return first - Math.round(age * 365.25)
}

/** Returns how two series of numbers change together, from -1 to 1. */
function correlation(left: readonly number[], right: readonly number[]): number {
  const [a, b] = [mean(left), mean(right)]
  const products = left.map((value, at) => (value - a) * ((right[at] ?? b) - b))
  const spread = (values: readonly number[], center: number) =>
    Math.sqrt(mean(values.map((value) => (value - center) ** 2)))
  return mean(products) / (spread(left, a) * spread(right, b))
}

function hoursAsleep({ sleeps }: DayPlan): number {
  const stages = sleeps.flatMap((sleep) => sleep.stages).filter(({ type }) => type !== 'awake')
  return stages.reduce((sum, { start, end }) => sum + end - start, 0) / 3_600_000
}

describe('the state of the body', () => {
  it('has numbers in the ranges of people of the age', () => {
    const property = fc.property(peopleAndDates, ({ person, dates }) => {
      for (const date of dates.slice(0, datesToCheck(3))) {
        const { body } = planOf(person, date)
        const age = (date - person.born) / 365.25
        const index = body.weightKilogram / (body.heightCentimeter / 100) ** 2
        expect(index).toBeGreaterThan(9)
        expect(index).toBeLessThan(46)
        expect(body.restingHeartRate).toBeGreaterThanOrEqual(34)
        expect(body.restingHeartRate).toBeLessThan(age < 4 ? 150 : 115)
        expect(Math.abs(body.maximumHeartRate - Math.min(205, 208 - 0.7 * age))).toBeLessThan(6)
        for (const part of [body.stress, body.illness]) expect(part >= 0 && part <= 1).toBe(true)
        for (const part of [body.readiness, body.fatPercentage])
          expect(part >= 0 && part <= 100).toBe(true)
        expect(body.hrv).toBeGreaterThan(5)
      }
    })
    fc.assert(property, runs)
  })

  it.each([
    ['female', 30, 162, 1330],
    ['male', 30, 176, 1700],
    ['female', 70, 159, 1130],
    ['male', 70, 173, 1480],
  ] as const)(
    'has the mean height and energy at rest of a %s of %i years',
    (sex, age, height, energy) => {
      const bodies = plansOf({ sex, born: bornAt(age) }).map(({ body }) => body)
      expect(
        Math.abs(mean(bodies.map(({ heightCentimeter }) => heightCentimeter)) - height),
      ).toBeLessThan(3)
      expect(
        Math.abs(mean(bodies.map(({ basalCalories }) => basalCalories)) - energy),
      ).toBeLessThan(110)
    },
  )

  it('sleeps less, and less deeply, with age', () => {
    const deep = (plan: DayPlan) =>
      plan.sleeps
        .flatMap(({ stages }) => stages)
        .filter(({ type }) => type === 'deep')
        .reduce((sum, { start, end }) => sum + end - start, 0) / 3_600_000
    const [child, young, old] = [6, 25, 75].map((age) => plansOf({ born: bornAt(age) }))
    expect(mean((child ?? []).map(hoursAsleep))).toBeGreaterThan(
      mean((young ?? []).map(hoursAsleep)) + 1,
    )
    expect(mean((young ?? []).map(hoursAsleep))).toBeGreaterThan(mean((old ?? []).map(hoursAsleep)))
    expect(mean((young ?? []).map(deep))).toBeGreaterThan(1.3 * mean((old ?? []).map(deep)))
  })

  it('has a higher resting heart rate, a lower variability and less readiness when ill', () => {
    const days = plansOf({ persona: { ...personas.typical, illness: 1 } }).map(({ body }) => body)
    const ill = days.filter(({ illness }) => illness > 0.3)
    const healthy = days.filter(({ illness }) => illness === 0)
    expect(ill.length).toBeGreaterThan(10)
    const of = (bodies: typeof days, name: 'restingHeartRate' | 'hrv' | 'readiness') =>
      mean(bodies.map((body) => body[name]))
    expect(of(ill, 'restingHeartRate')).toBeGreaterThan(of(healthy, 'restingHeartRate') + 3)
    expect(of(ill, 'hrv')).toBeLessThan(of(healthy, 'hrv') - 3)
    expect(of(ill, 'readiness')).toBeLessThan(of(healthy, 'readiness') - 10)
  })

  it('has a higher resting heart rate and less readiness after days of training', () => {
    const days = yearOf(personOf({ persona: { ...personas.athlete, illness: 0, trips: 0 } }))
    const loads = days.map(({ workouts }) =>
      workouts.reduce((sum, { start, end, intensity }) => sum + (end - start) * intensity, 0),
    )
    const before = days.map((_, at) => (loads[at - 1] ?? 0) + (loads[at - 2] ?? 0))
    expect(
      correlation(before.slice(2), days.map(({ body }) => body.restingHeartRate).slice(2)),
    ).toBeGreaterThan(0.2)
    expect(
      correlation(before.slice(2), days.map(({ body }) => body.readiness).slice(2)),
    ).toBeLessThan(-0.3)
  })

  it('has less readiness after short nights', () => {
    const days = yearOf(
      personOf({ persona: { ...personas.shift_worker, illness: 0, workouts: 0, trips: 0 } }),
    )
    const before = days.map((_, at) =>
      mean([3, 2, 1].map((ago) => hoursAsleep(days[Math.max(0, at - ago)] as DayPlan))),
    )
    expect(
      correlation(before.slice(3), days.map(({ body }) => body.readiness).slice(3)),
    ).toBeGreaterThan(0.2)
  })

  it('changes the weight slowly', () => {
    const weights = yearOf(personOf()).map(({ body }) => body.weightKilogram)
    const steps = weights.slice(1).map((weight, at) => Math.abs(weight - (weights[at] ?? weight)))
    expect(Math.max(...steps)).toBeLessThan(1.6)
    expect(Math.max(...weights) - Math.min(...weights)).toBeGreaterThan(1.5)
  })

  it('gains weight and beats faster in a pregnancy', () => {
    const days = yearOf(personOf({ persona: personas.pregnancy, sex: 'female' }))
    const weights = days.map(({ body }) => body.weightKilogram)
    expect(Math.max(...weights) - Math.min(...weights)).toBeGreaterThan(10)
    const rates = days.map(({ body }) => body.restingHeartRate)
    expect(correlation(weights, rates)).toBeGreaterThan(0.6)
  })
})
