import { remember } from '../../../src/shared/memo.ts'
import { hour } from '../../shared/time-units.ts'
import { Draws } from '../noise.ts'
import { clamp } from '../numbers.ts'
import { ageOf, sleepNeedAt } from '../person/growth.ts'
import type { Life } from '../person/life.ts'
import { illnessOn } from '../plan/condition.ts'
import { type DaySpan, daySpanOf, flightOf, isShownTwice, momentAt } from '../plan/day-span.ts'
import type { Span } from '../plan/spans.ts'
import { workOn } from '../plan/work.ts'

/** Minutes after midnight at which a person goes to bed and gets up. */
interface Hours {
  bed: number
  wake: number
}

/** The minimum length of the main sleep. A person who has less time stays awake. */
const shortest = 2.5 * hour

/** Returns the minutes of sleep that a person needs on a day. */
function sleepNeedOn({ person, traits }: Life, date: number): number {
  return sleepNeedAt(ageOf(person, date)) + traits.sleepNeed
}

/**
 * Returns a person's sleep debt in minutes: the sleep lost over a week, with a lower weight for earlier nights.
 * Catch-up sleep is ignored, so a debt does not depend on previous debts.
 */
export function sleepDebtOn(life: Life, date: number): number {
  let debt = 0
  for (let ago = 7; ago >= 1; ago -= 1) debt = (debt + lackOn(life, date - ago)) * 0.72
  return debt
}

// The cache saves 0.2 s when a month of data is generated for ten living users.
const lackOn = remember(4096, (life: Life, date: number): number => {
  const { bed, wake } = hoursOf(life, date, 0)
  return Math.max(0, sleepNeedOn(life, date) - (wake - bed))
})

// The cache saves 0.1 s when a month of data is generated for ten living users.
/** Returns the main sleep that ends on a day, or undefined if the day leaves no time for it. */
export const nightOf = remember(4096, (life: Life, date: number): Span | undefined => {
  const span = daySpanOf(life, date)
  const before = daySpanOf(life, date - 1)
  const { bed, wake } = hoursOf(life, date, sleepDebtOn(life, date))
  const earliest = Math.max(eveningOf(before), (flightOf(before) ?? 0) + hour)
  const start = Math.max(momentAt(span, bed), earliest)
  const end = Math.min(momentAt(span, wake), eveningOf(span))
  return outsideFlight(unmistakable({ start, end }, before, span), span)
})

/** Extends a sleep session whose local start or end time occurs twice, to make both times unambiguous. */
function unmistakable({ start, end }: Span, before: DaySpan, span: DaySpan): Span {
  const isTwice = (moment: number) => isShownTwice(moment < span.start ? before : span, moment)
  return {
    start: isTwice(start) ? start - 2 * hour : start,
    end: isTwice(end) ? end + 2 * hour : end,
  }
}

/** Returns the time after which sleep belongs to the next day: 20:00 at the place where the day ends. */
export function eveningOf({ start, end }: DaySpan): number {
  return Math.max(start, end - 4 * hour)
}

/**
 * Returns the longer of the two parts of a sleep session, before and after a flight. Returns undefined if that part is
 * too short or ends before the day.
 */
function outsideFlight(sleep: Span, span: DaySpan): Span | undefined {
  const flight = flightOf(span) ?? Number.POSITIVE_INFINITY
  const earlier = { start: sleep.start, end: Math.min(sleep.end, flight - hour / 2) }
  const later = { start: Math.max(sleep.start, flight + hour / 2), end: sleep.end }
  const longest = earlier.end - earlier.start >= later.end - later.start ? earlier : later
  const isPossible = longest.end - longest.start >= shortest && longest.end > span.start
  return isPossible ? longest : undefined
}

/** Returns the times at which a person goes to bed and gets up, given a sleep debt in minutes. */
function hoursOf(life: Life, date: number, debt: number): Hours {
  const yesterday = workOn(life, date - 1)
  const draws = new Draws(life.seeds.night, date)
  const need = sleepNeedOn(life, date) + 70 * illnessOn(life, date)
  if (yesterday && yesterday.end > 24 * 60) {
    const bed = yesterday.end - 24 * 60 + yesterday.commute + draws.integerAround(45, 25)
    return {
      bed,
      wake: bed + clamp(Math.round(need * 0.76) + draws.integerAround(0, 50), 240, 480),
    }
  }
  const today = workOn(life, date)
  const age = ageOf(life.person, date)
  const isEarlyToBed = age < 14 ? 150 - age * 8 : 0
  const evening = -40 + life.traits.chronotype - isEarlyToBed + (today ? 0 : 45)
  const usual = evening + draws.integerAround(0, 60) - Math.min(40, Math.round(debt * 0.25))
  const afterWork = yesterday ? yesterday.end - 24 * 60 + yesterday.commute + 45 : -240
  const latest = today ? today.start - today.commute - draws.integerAround(60, 20) : 13 * 60
  // Before an early start, people go to bed earlier, but not early enough for the sleep that they need.
  const missing = Math.max(0, usual + need - latest)
  const bed = Math.round(Math.max(usual - missing * 0.42, afterWork, -235))
  const more = today ? 0 : Math.min(140, debt * 0.8)
  const natural = bed + need + more + draws.integerAround(0, 45)
  return { bed, wake: Math.round(clamp(natural, bed + 150, Math.max(bed + 150, latest))) }
}
