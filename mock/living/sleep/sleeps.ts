import { remember } from '../../../src/shared/memo.ts'
import { hour, minute } from '../../shared/time-units.ts'
import { Draws } from '../noise.ts'
import { ageOf } from '../person/growth.ts'
import type { Life } from '../person/life.ts'
import { gestationOn, illnessOn } from '../plan/condition.ts'
import type { PlannedSleep } from '../plan/day-plan.ts'
import { daySpanOf, flightOf, momentAt } from '../plan/day-span.ts'
import { placeNear, type Span, widen, without } from '../plan/spans.ts'
import { workSpansOf } from '../plan/work.ts'
import { eveningOf, nightOf } from './nights.ts'
import { stagesOf } from './stages.ts'

// The cache saves 0.1 s when a month of data is generated for ten living users.
/** Returns the sleep sessions that end on a day, in order. Sessions of different days do not overlap. */
export const sleepsOf = remember(1024, (life: Life, date: number): readonly PlannedSleep[] => {
  const night = nightOf(life, date)
  const nap = napOf(life, date)
  const sleeps = [
    ...(night ? [{ ...night, isNap: false }] : []),
    ...(nap ? [{ ...nap, isNap: true }] : []),
  ]
  return sleeps
    .toSorted((a, b) => a.start - b.start)
    .map((sleep, at) => ({ ...sleep, stages: stages(life, date, sleep, at) }))
})

function stages(life: Life, date: number, sleep: Span & { isNap: boolean }, at: number) {
  const draws = new Draws(life.seeds.stages, date * 4 + at)
  const { person } = life
  const late = Math.max(0, gestationOn(life, date) - 0.5) * 4
  const interruptions = sleep.isNap
    ? 0
    : person.persona.interruptions + late + 1.5 * illnessOn(life, date)
  return stagesOf(sleep, { age: ageOf(person, date), interruptions }, draws)
}

/** Returns the day's nap, if any, or a longer sleep after a flight that makes the day longer than 30 hours. */
function napOf(life: Life, date: number): Span | undefined {
  const { person, seeds } = life
  const span = daySpanOf(life, date)
  const draws = new Draws(seeds.nap, date)
  const flight = flightOf(span)
  const isLong = flight !== undefined && span.end - span.start > 30 * hour
  const isNapping =
    draws.next() < person.persona.naps + 0.4 * illnessOn(life, date) || needsNap(person, date)
  if (!isLong && !isNapping) return undefined
  const length = (isLong ? draws.integer(150, 330) : draws.integer(18, 95)) * minute
  const wanted = isLong ? flight + hour : momentAt(span, draws.integerAround(14 * 60, 90))
  return placeNear(wanted, length, awakeSpans(life, date))
}

function needsNap(person: Life['person'], date: number): boolean {
  return ageOf(person, date) < 5
}

/** Returns the spans in which a person could nap: not close to the night, work or a flight, and not in the evening. */
function awakeSpans(life: Life, date: number): readonly Span[] {
  const span = daySpanOf(life, date)
  const night = nightOf(life, date)
  const { commute } = life.traits
  const flight = flightOf(span)
  const evening = { start: span.start, end: eveningOf(span) - 2 * hour }
  return without(
    [evening],
    [
      ...(night ? [widen(night, 2.5 * hour)] : []),
      ...workSpansOf(life, date).map((work) => widen(work, (commute + 15) * minute)),
      ...(flight === undefined ? [] : [widen({ start: flight, end: flight }, hour / 2)]),
    ],
  )
}
