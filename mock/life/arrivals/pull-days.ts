import { isSampled } from '../devices/day/measure.ts'

/** What is computed from the samples of each minute, which takes time. */
const computed = ['sleep', 'activity', 'workout', 'workout_duration', 'workout_distance']

/** Returns the days of data that a new connection brings (assumption): more of what changes rarely. */
export function pullDays(table: string): number {
  if (isSampled(table)) return 2
  // A profile changes at least once a year.
  if (table === 'profile') return 366
  return computed.includes(table) ? 10 : 28
}

/** The most days that a table or time series has, except the profile. */
export const mostPullDays = 28
