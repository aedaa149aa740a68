import { minute } from '../../shared/time-units.ts'
import { Draws } from '../noise.ts'
import { ageOf } from '../person/growth.ts'
import type { Life } from '../person/life.ts'
import { illnessOn } from './condition.ts'
import { daySpanOf, momentAt } from './day-span.ts'
import type { Span } from './spans.ts'
import { tripOf } from './trips.ts'

/** The working hours that start on a day, in minutes after the day's midnight. A night shift ends on the next day. */
interface WorkHours {
  readonly start: number
  readonly end: number
  /** The length of each commute in minutes, or 0 if the person works from home. */
  readonly commute: number
}

/**
 * An eight-day rotation: two early, two late and two night shifts, and two days off. Each shift is a start and an end
 * in hours after midnight.
 */
const rotation = [
  [6, 14],
  [6, 14],
  [14, 22],
  [14, 22],
  [22, 30],
  [22, 30],
  undefined,
  undefined,
] as const

/** Returns the day of the week, from 0 (Sunday) to 6. */
export function weekdayOf(date: number): number {
  return (((date + 4) % 7) + 7) % 7
}

export function isWeekend(date: number): boolean {
  return weekdayOf(date) % 6 === 0
}

/**
 * Returns the work that starts on a day. Returns undefined on days off, on trips, during serious illness, and for
 * people who do not work.
 */
export function workOn(life: Life, date: number): WorkHours | undefined {
  const { person, traits } = life
  const { work } = person.persona
  const age = ageOf(person, date)
  if (work === 'none' || age < 6 || age >= 67) return undefined
  if (illnessOn(life, date) > 0.4 || tripOf(life, date)) return undefined
  if (work === 'shifts') {
    const shift = rotation[(date + traits.phase) % rotation.length]
    return shift && { start: shift[0] * 60, end: shift[1] * 60, commute: traits.commute }
  }
  return isWeekend(date) ? undefined : officeHours(life, date)
}

function officeHours({ seeds, traits }: Life, date: number): WorkHours {
  const draws = new Draws(seeds.work, date)
  const start = 9 * 60 + Math.round(traits.chronotype / 6) + draws.integerAround(0, 20)
  const isAtHome = draws.next() < 0.25
  return {
    start,
    end: start + draws.integerAround(510, 60),
    commute: isAtHome ? 0 : traits.commute,
  }
}

/** Returns the spans of a night shift that started on the day before and of the work that starts on this day. */
export function workSpansOf(life: Life, date: number): Span[] {
  return [...restOfShift(life, date), ...workSpan(life, date)]
}

export function workSpan(life: Life, date: number): Span[] {
  const work = workOn(life, date)
  if (!work) return []
  const start = momentAt(daySpanOf(life, date), work.start)
  return [{ start, end: start + (work.end - work.start) * minute }]
}

/** Returns the full span of a night shift that started on the day before, if any. */
export function restOfShift(life: Life, date: number): Span[] {
  const work = workOn(life, date - 1)
  return work && work.end > 24 * 60 ? workSpan(life, date - 1) : []
}
