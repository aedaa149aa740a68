import { describe, expect, it } from 'vitest'
import type { LivingPerson } from '../../../mock/living/person/life.ts'
import { personas } from '../../../mock/living/person/personas.ts'
import type { DayPlan } from '../../../mock/living/plan/day-plan.ts'
import { planOf } from '../../../mock/living/plan/plan.ts'
import type { Span } from '../../../mock/living/plan/spans.ts'
import type { DaySamples } from '../../../mock/living/signals/samples.ts'
import { samplesOf } from '../../../mock/living/signals/samples.ts'
import { Random } from '../../../mock/reference-data/random.ts'
import { fc } from '../../support/properties.ts'
import { dateOf, datesToCheck, peopleAndDates, personOf, runs } from './people.ts'

const minute = 60_000
const first = dateOf('2025-03-01')

/** Checks the samples of many people on some days. */
function checkSamples(
  isRight: (samples: DaySamples, plan: DayPlan, person: LivingPerson) => boolean,
): void {
  const property = fc.property(peopleAndDates, ({ person, dates }) => {
    const isDayRight = (date: number) =>
      isRight(samplesOf(person, date), planOf(person, date), person)
    expect(dates.slice(0, datesToCheck(1)).filter((date) => !isDayRight(date))).toEqual([])
  })
  fc.assert(property, runs)
}

/** Returns the values of a series in a span of time. */
function within({ start }: DaySamples, series: ArrayLike<number>, span: Span): number[] {
  const from = Math.max(0, (span.start - start) / minute)
  return Array.from(series).slice(from, Math.max(from, (span.end - start) / minute))
}

/** Returns the mean; 0 of nothing. */
function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

/** Returns what is found on each day of four weeks of some people. */
function collect<T>(
  person: Partial<LivingPerson>,
  find: (samples: DaySamples, plan: DayPlan) => T[],
): T[] {
  return Array.from({ length: 112 }, (_, at) => {
    const someone = people[at % people.length] ?? {}
    const subject = personOf({ ...someone, ...person })
    const date = first + Math.floor(at / people.length)
    return find(samplesOf(subject, date), planOf(subject, date))
  }).flat()
}

const people = [1, 2, 3, 4].map((seed) => ({ random: new Random(seed) }))

describe('the samples of a day', () => {
  it('cover each minute of the day', () => {
    checkSamples(({ start, minutes, ...series }, plan) => {
      const lengths = Object.values(series).map(({ length }) => length)
      const isExact = minutes === (plan.end - plan.start) / minute
      return isExact && start === plan.start && lengths.every((length) => length === minutes)
    })
  })

  it('have integers and fractions of which sums are exact', () => {
    checkSamples((samples) => {
      const { heartRate, steps, floors, distance, activeCalories, basalCalories, glucose } = samples
      const integers = [...heartRate, ...steps, ...floors]
      const fractions = [...distance, ...activeCalories, ...basalCalories]
      return (
        integers.every((value) => Number.isInteger(value) && value >= 0) &&
        fractions.every((value) => Number.isInteger(value * 16) && value >= 0) &&
        glucose.every((value) => value === Number(value.toFixed(1)))
      )
    })
  })

  it('have a heart rate between a little below the resting and the maximum one', () => {
    checkSamples(({ heartRate }, { body }) => {
      return heartRate.every(
        (rate) => rate >= body.restingHeartRate - 5 && rate <= body.maximumHeartRate,
      )
    })
  })

  it('have no movement in sleep sessions, also those of the next day', () => {
    checkSamples((samples, plan, person) => {
      const sleeps = [...plan.sleeps, ...planOf(person, plan.date + 1).sleeps]
      const { steps, activeCalories, distance, floors, intensity } = samples
      return [steps, activeCalories, distance, floors, intensity].every((series) => {
        return sleeps.every((sleep) => within(samples, series, sleep).every((value) => value === 0))
      })
    })
  })

  it('spread the energy at rest over 24 hours exactly', () => {
    checkSamples(({ basalCalories, minutes }, { body }) => {
      const sum = basalCalories.reduce((all, value) => all + value, 0)
      return minutes !== 1440 || sum === body.basalCalories
    })
  })

  it('are the same in whatever order the days are asked for', () => {
    const property = fc.property(peopleAndDates, ({ person, dates }) => {
      const other = { ...person }
      const few = dates.slice(0, datesToCheck(4))
      const forward = few.map((date) => samplesOf(person, date))
      const backward = few.toReversed().map((date) => samplesOf(other, date))
      expect(backward.toReversed()).toEqual(forward)
    })
    fc.assert(property, { ...runs, numRuns: 40 })
  })
})

describe('the heart rate', () => {
  it('follows the sleep stage', () => {
    const rates = collect({}, (samples, { sleeps, body }) =>
      sleeps
        .flatMap(({ stages }) => stages)
        .map((stage) => ({
          type: stage.type,
          // The first minutes of a stage still have the rate of the one before.
          more: within(samples, samples.heartRate, stage)
            .slice(8)
            .map((rate) => rate - body.restingHeartRate),
        })),
    )
    const of = (type: string) =>
      mean(rates.filter((one) => one.type === type).flatMap(({ more }) => more))
    expect(of('light')).toBeGreaterThan(of('deep') + 1)
    expect(of('rem')).toBeGreaterThan(of('light') + 1)
    expect(of('awake')).toBeGreaterThan(of('rem'))
  })

  it('rises in workouts by their intensity, and recovers within minutes', () => {
    const found = collect({ persona: personas.athlete }, (samples, { workouts, body }) =>
      workouts.map(({ start, end, intensity }) => {
        const reserve = body.maximumHeartRate - body.restingHeartRate
        const part = (span: Span) =>
          (mean(within(samples, samples.heartRate, span)) - body.restingHeartRate) / reserve
        const last = { start: end - 6 * minute, end }
        const after = { start: end + 12 * minute, end: end + 20 * minute }
        return { intensity, during: part({ start, end }), last: part(last), after: part(after) }
      }),
    )
    expect(found.length).toBeGreaterThan(60)
    const hard = found.filter(({ intensity }) => intensity > 0.65).map(({ during }) => during)
    const easy = found.filter(({ intensity }) => intensity < 0.5).map(({ during }) => during)
    expect(mean(hard)).toBeGreaterThan(mean(easy) + 0.1)
    for (const { during, last, after } of found) {
      expect(during).toBeGreaterThan(0.2)
      expect(after).toBeLessThan(last)
    }
  })
})

describe('glucose', () => {
  const rises = (person: Partial<LivingPerson>) =>
    collect(person, (samples, { meals }) =>
      meals
        .filter(({ carbohydrateGram }) => carbohydrateGram > 50)
        .map(({ at }) => {
          const before = within(samples, samples.glucose, {
            start: at - 5 * minute,
            end: at + 5 * minute,
          })
          const after = within(samples, samples.glucose, {
            start: at + 40 * minute,
            end: at + 70 * minute,
          })
          return mean(after) - mean(before)
        }),
    )

  it('rises after meals', () => {
    expect(mean(rises({}))).toBeGreaterThan(0.8)
  })

  it('stays within the range of healthy people, and leaves it daily with type 1 diabetes', () => {
    const outside = ({ glucose }: DaySamples) =>
      [...glucose].filter((value) => value < 3.9 || value > 10).length / glucose.length
    const healthy = mean(collect({}, (samples) => [outside(samples)]))
    const diabetic = mean(
      collect({ persona: personas.type_1_diabetic }, (samples) => [outside(samples)]),
    )
    expect(healthy).toBeLessThan(0.01)
    expect(diabetic).toBeGreaterThan(0.15)
    expect(diabetic).toBeLessThan(0.5)
    expect(mean(rises({ persona: personas.type_1_diabetic }))).toBeGreaterThan(1.8)
  })
})
