import { day, hour } from '../../base/time-units.ts'
import type { Point } from './layout.ts'

/** The longest time between two neighbouring groups of each unit, in milliseconds; a clock change adds an hour. */
const longestSteps: Readonly<Record<string, number>> = {
  hour: 1.5 * hour,
  day: 1.5 * day,
  week: 7.5 * day,
  month: 31.5 * day,
}

/** Adds a point without a value to each gap, so that no line crosses it. */
export function markGaps(points: readonly Point[], unit: string): Point[] {
  const longest = longestSteps[unit] ?? Number.POSITIVE_INFINITY
  return points.flatMap((point, index) => {
    const before = points[index - 1]
    const isGap = before && timeOf(point) - timeOf(before) > longest
    return isGap ? [{ at: middleOf(before, point), value: null }, point] : [point]
  })
}

function timeOf({ at }: Point): number {
  return Date.parse(`${at.slice(0, 19)}Z`)
}

function middleOf(one: Point, other: Point): string {
  return new Date((timeOf(one) + timeOf(other)) / 2).toISOString().slice(0, 19)
}
