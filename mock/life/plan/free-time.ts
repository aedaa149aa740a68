import { hour } from '../../base/time-units.ts'
import type { Life } from '../person/life.ts'
import { daySpanOf, flightOf } from '../places/day-span.ts'
import { nightOf } from './sleep/nights.ts'
import { sleepsOf } from './sleep/sleeps.ts'
import { type Span, widen, without } from './spans.ts'
import { workSpansOf } from './work-spans.ts'

/** Returns when a person can go out: not asleep or shortly before and after, not at work, not in an airplane. */
export function freeTimeOf(life: Life, date: number): readonly Span[] {
  const span = daySpanOf(life, date)
  const flight = flightOf(span)
  const next = nightOf(life, date + 1)
  return without(
    [span],
    [
      ...sleepsOf(life, date).map((sleep) => widen(sleep, hour / 2)),
      ...(next ? [widen(next, hour / 2)] : []),
      ...workSpansOf(life, date),
      ...(flight === undefined ? [] : [widen({ start: flight, end: flight }, hour)]),
    ],
  )
}
