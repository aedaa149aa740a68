import { hour, minute } from '../../base/time-units.ts'
import { Draws } from '../noise.ts'
import type { Life } from '../person/life.ts'
import { daySpanOf, flightOf, momentAt } from '../places/day-span.ts'
import type { PlannedWalk, PlannedWorkout } from './day-plan.ts'
import { illnessOn } from './illness.ts'
import { nightOf } from './nights.ts'
import { sleepsOf } from './sleeps.ts'
import { freeSpans, placeNear, type Span, widen } from './spans.ts'
import { trainingOn } from './training.ts'
import { workOn } from './work.ts'
import { restOfShift, workSpan, workSpansOf } from './work-spans.ts'

/** Returns the workouts of a day, in order: those that a person intends to do and has time for. */
export function workoutsOf(life: Life, date: number): PlannedWorkout[] {
  const span = daySpanOf(life, date)
  const draws = new Draws(life.seeds.workout, date)
  const isFree = workOn(life, date) === undefined
  const workouts: PlannedWorkout[] = []
  for (const [at, { sport, minutes, intensity }] of trainingOn(life, date).entries()) {
    const usual = at === 0 ? (isFree ? 10 * 60 : 18 * 60 + 15) : 17 * 60
    const wanted = momentAt(span, draws.integerAround(usual, 100))
    const taken = [...busySpans(life, date), ...workouts.map((one) => widen(one, 2 * hour))]
    const place = placeNear(wanted, minutes * minute, freeSpans(span, taken))
    if (place) workouts.push({ ...place, sport, intensity })
  }
  return workouts.toSorted((a, b) => a.start - b.start)
}

/** Returns the walks of a day, in order: ways to work and back, errands. */
export function walksOf(life: Life, date: number, workouts: readonly Span[]): PlannedWalk[] {
  const span = daySpanOf(life, date)
  const draws = new Draws(life.seeds.outing, date)
  const { movement } = life.traits
  const walks: PlannedWalk[] = []
  const errands = Math.floor(draws.next() * 2 + movement * (workOn(life, date) ? 0.9 : 1.8))
  const wanted: [moment: number, minutes: number][] = [
    ...commutes(life, date, draws),
    ...Array.from({ length: errands }, (): [number, number] => [
      momentAt(span, draws.integer(8 * 60, 20 * 60)),
      draws.integer(6, 26),
    ]),
  ]
  const scale = 1 - 0.7 * illnessOn(life, date)
  for (const [moment, minutes] of wanted) {
    const length = Math.max(3, Math.round(minutes * scale)) * minute
    const taken = [
      ...busySpans(life, date),
      ...workouts,
      ...walks.map((one) => widen(one, 10 * minute)),
    ]
    const place = placeNear(moment, length, freeSpans(span, taken))
    if (place) walks.push(place)
  }
  return walks.toSorted((a, b) => a.start - b.start)
}

/** Returns the walks to work and home. A part of each way is on foot. */
function commutes(life: Life, date: number, draws: Draws): [moment: number, minutes: number][] {
  const { commute } = life.traits
  const onFoot = () => Math.round(Math.min(24, commute) * draws.around(0.45, 0.15))
  const isAtHome = workOn(life, date)?.commute === 0
  const ways = [
    ...restOfShift(life, date).map(({ end }) => end),
    ...workSpan(life, date)
      .filter(() => !isAtHome)
      .flatMap(({ start, end }) => [start - commute * minute, end]),
  ]
  const { end } = daySpanOf(life, date)
  return ways.filter((way) => way < end).map((way) => [way, onFoot()])
}

/** Returns when a person cannot go out: asleep and shortly before and after, at work, and in an airplane. */
function busySpans(life: Life, date: number): Span[] {
  const flight = flightOf(daySpanOf(life, date))
  const next = nightOf(life, date + 1)
  return [
    ...sleepsOf(life, date).map((sleep) => widen(sleep, hour / 2)),
    ...(next ? [widen(next, hour / 2)] : []),
    ...workSpansOf(life, date),
    ...(flight === undefined ? [] : [widen({ start: flight, end: flight }, hour)]),
  ]
}
