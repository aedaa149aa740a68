import { minute } from '../../base/time-units.ts'
import type { Life } from '../person/life.ts'
import { daySpanOf, momentAt } from '../places/day-span.ts'
import type { Span } from './spans.ts'
import { workOn } from './work.ts'

/** Returns when a person works on a day: the rest of the night shift of the day before, and the work that starts. */
export function workSpansOf(life: Life, date: number): Span[] {
  return [...restOfShift(life, date), ...workSpan(life, date)]
}

/** Returns the work that starts on a day. */
export function workSpan(life: Life, date: number): Span[] {
  const work = workOn(life, date)
  if (!work) return []
  const start = momentAt(daySpanOf(life, date), work.start)
  return [{ start, end: start + (work.end - work.start) * minute }]
}

/** Returns the night shift of the day before. */
export function restOfShift(life: Life, date: number): Span[] {
  const work = workOn(life, date - 1)
  return work && work.end > 24 * 60 ? workSpan(life, date - 1) : []
}
