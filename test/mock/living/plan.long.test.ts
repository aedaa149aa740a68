import { describe, expect, it } from 'vitest'
import type { LivingPerson } from '../../../mock/living/person/life.ts'
import type { DayPlan, PlannedSleep } from '../../../mock/living/plan/day-plan.ts'
import { planOf } from '../../../mock/living/plan/plan.ts'
import type { Span } from '../../../mock/living/plan/spans.ts'
import { localTime } from '../../../mock/shared/time-zone.ts'
import { fc } from '../../support/properties.ts'
import { peopleAndDates, runs } from './people.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Checks the plans of many people on many days. */
function checkPlans(isRight: (plan: DayPlan, person: LivingPerson) => boolean): void {
  const property = fc.property(peopleAndDates, ({ person, dates }) => {
    expect(dates.filter((date) => !isRight(planOf(person, date), person))).toEqual([])
  })
  fc.assert(property, runs)
}

/** Returns the date at a moment of a day, in days since 1970-01-01. */
function dateAt({ zones }: DayPlan, moment: number): number {
  const zone = zones.findLast(({ from }) => from <= moment)?.zone ?? 'none'
  return Math.floor(localTime(zone, moment) / day)
}

function areApart(spans: readonly Span[]): boolean {
  const sorted = spans.toSorted((a, b) => a.start - b.start)
  return sorted.every(({ start, end }, at) => {
    return end > start && start >= (sorted[at - 1]?.end ?? Number.NEGATIVE_INFINITY)
  })
}

function isCovered({ start, end, stages }: PlannedSleep): boolean {
  const follow = stages.every((stage, at) => {
    const before = stages[at - 1]
    return stage.start === (before?.end ?? start) && stage.type !== before?.type
  })
  const areWhole = stages.every((stage) => {
    return stage.end > stage.start && (stage.end - stage.start) % minute === 0
  })
  return follow && areWhole && stages.at(-1)?.end === end
}

describe('the plan of a day', () => {
  it('starts where the day before ends, even when clocks change and across the date line', () => {
    const lengths = new Set<number>()
    checkPlans((plan, person) => {
      lengths.add((plan.end - plan.start) / hour)
      return plan.end > plan.start && planOf(person, plan.date + 1).start === plan.end
    })
    expect(lengths).toContain(23)
    expect(lengths).toContain(25)
    expect(lengths).toContain(23.5)
    expect(Math.max(...lengths)).toBeGreaterThan(40)
    expect(Math.min(...lengths)).toBeLessThan(8)
  })

  it('contains only local times of its date', () => {
    checkPlans((plan) => {
      const turns = plan.zones.flatMap(({ from }) => [from, from - 1])
      const moments = [plan.start, plan.end - 1, ...turns.filter((at) => at > plan.start)]
      for (let at = plan.start; at < plan.end; at += 103 * minute) moments.push(at)
      return (
        plan.zones[0]?.from === plan.start && moments.every((at) => dateAt(plan, at) === plan.date)
      )
    })
  })

  it('keeps sleep, workouts and walks apart, also from those of the next day', () => {
    checkPlans((plan, person) => {
      const next = planOf(person, plan.date + 1)
      const all = [plan, next].flatMap(({ sleeps, workouts, walks }) => [
        ...sleeps,
        ...workouts,
        ...walks,
      ])
      const active = [...plan.workouts, ...plan.walks]
      return (
        areApart(all) && active.every(({ start, end }) => start >= plan.start && end <= plan.end)
      )
    })
  })

  it('has sleep sessions that end on the day and no change of zone in them', () => {
    checkPlans((plan, person) => {
      const before = planOf(person, plan.date - 1)
      const flights = [...before.zones.slice(1), ...plan.zones.slice(1)]
      return plan.sleeps.every(({ start, end }) => {
        const isStill = flights.every(({ from }) => from <= start || from >= end)
        return isStill && end > plan.start && end <= plan.end
      })
    })
  })

  it('starts and ends the main sleep at times that the local clock shows once', () => {
    checkPlans((plan) => {
      const night = plan.sleeps.find(({ isNap }) => !isNap)
      if (!night || plan.zones.length > 1) return true
      const zone = plan.zones[0]?.zone ?? 'none'
      return [night.end, ...(night.start >= plan.start ? [night.start] : [])].every((moment) => {
        const local = localTime(zone, moment)
        return [-60, -30, 30, 60].every(
          (other) => localTime(zone, moment + other * minute) !== local,
        )
      })
    })
  })

  it('covers each sleep session with stages of whole minutes', () => {
    checkPlans(({ sleeps }) => sleeps.every(isCovered))
  })

  it('has meals on the day, in order, and none in a sleep or a workout', () => {
    checkPlans((plan, person) => {
      const taken = [plan.sleeps, planOf(person, plan.date + 1).sleeps, plan.workouts].flat()
      return plan.meals.every((meal, index) => {
        const isFree = !taken.some(({ start, end }) => meal.at >= start && meal.at < end)
        const grams = 4 * (meal.carbohydrateGram + meal.proteinGram) + 9 * meal.fatGram
        const follows = meal.at >= (plan.meals[index - 1]?.at ?? plan.start)
        return isFree && follows && meal.at < plan.end && meal.calories === grams
      })
    })
  })

  it('is the same in whatever order the days are asked for', () => {
    const property = fc.property(peopleAndDates, ({ person, dates }) => {
      const other = { ...person }
      const forward = dates.map((date) => planOf(person, date))
      const backward = dates.toReversed().map((date) => planOf(other, date))
      expect(backward.toReversed()).toEqual(forward)
    })
    fc.assert(property, { ...runs, numRuns: 60 })
  })
})
