import { providers } from '../../reference-data/providers.ts'
import { isSampled } from '../devices/measure.ts'

/** How often the data of a provider reaches the service. */
interface SyncHabit {
  /** The syncs of a day. */
  readonly count: number
  /** The first and the last hour of the local day with a sync. */
  readonly hours: readonly [number, number]
}

/** When data reaches the service, by kind of provider (assumption). */
const habits = {
  /** The SDK of a phone sends in the background, day and night. */
  phone: { count: 16, hours: [0, 24] },
  /** A glucose sensor also sends day and night. */
  glucose: { count: 20, hours: [0, 24] },
  /** A diary is sent when the person opens the app. */
  diary: { count: 5, hours: [7.5, 23] },
  /** A ring or watch is sent when the person opens the app, first after waking. */
  wearable: { count: 8, hours: [6, 23.75] },
} as const satisfies Record<string, SyncHabit>

const known = new Map(providers.map((provider) => [provider.slug, provider]))

/** Returns how often the data of a provider reaches the service. */
export function habitOf(slug: string): SyncHabit {
  if (isOnDevice(slug)) return habits.phone
  if (supports(slug, 'sleep')) return habits.wearable
  if (supports(slug, 'glucose')) return habits.glucose
  return supports(slug, 'meal') ? habits.diary : habits.wearable
}

/** Whether the data comes from the SDK on a phone, without a token of the provider. */
export function isOnDevice(slug: string): boolean {
  return known.get(slug)?.auth_type === 'sdk'
}

/** Whether a provider sends a resource. */
export function supports(slug: string, resource: string): boolean {
  return known.get(slug)?.supported_resources?.some((name) => name === resource) ?? false
}

/** What is computed from the samples of each minute, which takes time. */
const computed = [
  ...['sleep', 'activity', 'workout', 'workout_duration', 'workout_distance'],
  ...['stand_hour', 'stand_duration'],
]

/** Returns the days of data that a new connection brings (assumption): more of what changes rarely. */
export function pullDays(table: string): number {
  if (isSampled(table)) return 2
  // A profile changes at least once a year.
  if (table === 'profile') return 366
  return computed.includes(table) ? 10 : 28
}

/** The most days that a table or time series has, except the profile. */
export const mostPullDays = 28
