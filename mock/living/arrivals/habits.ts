import { providers } from '../../reference-data/providers.ts'
import { isSampled } from '../devices/measure.ts'

interface SyncHabit {
  /** The number of syncs per day. */
  readonly count: number
  /** The local hours between which syncs happen. */
  readonly hours: readonly [number, number]
}

/** How often and when data reaches the service, by provider type (assumption). */
const habits = {
  /** The phone SDK syncs in the background, day and night. */
  phone: { count: 16, hours: [0, 24] },
  /** A glucose sensor also syncs day and night. */
  glucose: { count: 20, hours: [0, 24] },
  /** A food diary syncs when the person opens the app. */
  diary: { count: 5, hours: [7.5, 23] },
  /** A ring or watch syncs when the person opens the app during the day. */
  wearable: { count: 8, hours: [6, 23.75] },
} as const satisfies Record<string, SyncHabit>

const known = new Map(providers.map((provider) => [provider.slug, provider]))

export function habitOf(slug: string): SyncHabit {
  if (isOnDevice(slug)) return habits.phone
  if (supports(slug, 'sleep')) return habits.wearable
  if (supports(slug, 'glucose')) return habits.glucose
  return supports(slug, 'meal') ? habits.diary : habits.wearable
}

/** Returns whether the data comes from the phone SDK, which requires no provider token. */
export function isOnDevice(slug: string): boolean {
  return known.get(slug)?.auth_type === 'sdk'
}

export function supports(slug: string, resource: string): boolean {
  return known.get(slug)?.supported_resources?.some((name) => name === resource) ?? false
}

/** The resources that are slow to generate, because they are computed from per-minute samples. */
const computed = [
  ...['sleep', 'activity', 'workout', 'workout_duration', 'workout_distance'],
  ...['stand_hour', 'stand_duration'],
]

/**
 * Returns how many days of data a new connection sends (assumption): fewer for data that is frequent or slow to
 * generate.
 */
export function pullDays(table: string): number {
  if (isSampled(table)) return 2
  // A profile changes at least once a year, so the pull includes at least one version.
  if (table === 'profile') return 366
  return computed.includes(table) ? 10 : 28
}

/** The maximum of {@link pullDays}, except for the profile. */
export const mostPullDays = 28
