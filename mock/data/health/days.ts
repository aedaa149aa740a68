import type { Random } from '../../base/random.ts'
import { day } from '../../base/time-units.ts'
import { formatFloating } from '../../query/calendar.ts'
import type { Row } from '../../query/table.ts'

/** The days to generate. */
export interface Days {
  /** The midnight of the latest day, in milliseconds. */
  last: number
  /** The number of days, the latest one included. */
  count: number
}

/** Returns the rows of each day with their ids, made with a random generator of that day; days without rows are gaps. */
export function eachDay(
  random: Random,
  { last, count }: Days,
  rowsOf: (midnight: number, dayRandom: Random) => readonly Row[],
): Row[] {
  return Array.from({ length: count }, (_, ago) => last - ago * day).flatMap((midnight) => {
    const dayRandom = random.fork(formatFloating(midnight))
    return rowsOf(midnight, dayRandom).map((row) => ({ id: dayRandom.uuid(), ...row }))
  })
}

/** Draws a number around `center`, at most `spread` away, and mostly nearer. */
export function randomAround(random: Random, center: number, spread: number): number {
  return center + (random.next() + random.next() + random.next() - 1.5) * (spread / 1.5)
}

/** Draws an integer as {@link randomAround}. */
export function integerAround(random: Random, center: number, spread: number): number {
  return Math.round(randomAround(random, center, spread))
}

/** Rounds to a number of decimals. */
export function roundTo(value: number, decimals = 1): number {
  return Number(value.toFixed(decimals))
}

/** Whether a day is a Saturday or a Sunday. */
export function isWeekend(midnight: number): boolean {
  return new Date(midnight).getUTCDay() % 6 === 0
}
