import { hour, minute } from '../../base/time-units.ts'
import { Draws } from '../noise.ts'
import type { Life } from '../person/life.ts'
import { daySpanOf, momentAt } from '../places/day-span.ts'
import type { PlannedWalk } from './day-plan.ts'
import { illnessOn } from './illness.ts'
import { liveliness } from './liveliness.ts'
import { placeNear, type Span, widen, without } from './spans.ts'
import { workOn } from './work.ts'
import { restOfShift, workSpan } from './work-spans.ts'

/** A walk as wanted: its moment and its minutes. */
type Wish = [moment: number, minutes: number]

/** Returns the walks of a day, in order: ways to work and back, errands. People who are ill walk less. */
export function walksOf(life: Life, date: number, freeTime: readonly Span[]): PlannedWalk[] {
  const draws = new Draws(life.seeds.outing, date)
  const scale = 1 - 0.7 * illnessOn(life, date)
  if (liveliness(life, date) === 0) return []
  const walks: PlannedWalk[] = []
  let free = freeTime
  for (const [moment, minutes] of [...commutes(life, date, draws), ...errands(life, date, draws)]) {
    const place = placeNear(moment, Math.max(3, Math.round(minutes * scale)) * minute, free)
    if (!place || Math.abs(place.start - moment) > 5 * hour) continue
    walks.push(place)
    free = without(free, [widen(place, 10 * minute)])
  }
  return walks.sort((a, b) => a.start - b.start)
}

/** Returns the walks to work and home. A part of each way is on foot. */
function commutes(life: Life, date: number, draws: Draws): Wish[] {
  const { commute } = life.traits
  const isAtHome = workOn(life, date)?.commute === 0
  const ways = restOfShift(life, date).map(({ end }) => end)
  for (const { start, end } of isAtHome ? [] : workSpan(life, date)) {
    ways.push(start - commute * minute, end)
  }
  const { end } = daySpanOf(life, date)
  return ways
    .filter((way) => way < end)
    .map((way) => [way, Math.round(Math.min(24, commute) * draws.around(0.45, 0.15))])
}

function errands(life: Life, date: number, draws: Draws): Wish[] {
  const span = daySpanOf(life, date)
  const usual = liveliness(life, date) * (workOn(life, date) ? 1.9 : 2.8)
  const count = Math.floor(draws.next() * usual + usual * 0.5)
  return Array.from({ length: count }, () => [
    momentAt(span, draws.integer(8 * 60, 20 * 60)),
    draws.integer(6, 26),
  ])
}
