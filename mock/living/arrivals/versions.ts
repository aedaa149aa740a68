import type { CellValue } from '../../query/table.ts'
import { hour, minute } from '../../shared/time-units.ts'
import type { DeviceRecord } from '../devices/device-record.ts'
import type { Feed } from './feed.ts'

/** The first version of a record, sent before all values are available. */
interface EarlyVersion {
  /** When the final version is available, as a Unix timestamp in milliseconds. */
  readonly finalAt: number
  /** The early values, for the columns whose final values differ. */
  readonly values: Readonly<Record<string, CellValue>>
}

/**
 * How often a table's records have an early version, when the final one follows, and which values differ (assumptions).
 */
interface VersionRule {
  /** The share of records with an early version. */
  readonly share: number
  /** The minimum and maximum time from a complete record to its final version, in milliseconds. */
  readonly delay: readonly [number, number]
  readonly values: Readonly<Record<string, CellValue>>
}

/** Corrections change only columns that no other column is derived from, so each version is consistent. */
const rules: Readonly<Record<string, VersionRule>> = {
  sleep: {
    share: 0.85,
    delay: [40 * minute, 5 * hour],
    values: { state: 'tentative', score: null, recovery_readiness_score: null },
  },
  activity: { share: 0.12, delay: [hour, 10 * hour], values: { heart_rate_resting: null } },
  workout: { share: 0.1, delay: [10 * minute, 8 * hour], values: { title: 'Workout' } },
  meal: { share: 0.06, delay: [5 * minute, 3 * hour], values: { name: 'Meal' } },
  body: { share: 0.08, delay: [10 * minute, hour], values: { visceral_fat_index: null } },
}

/** The maximum time from a complete record to its final version, in milliseconds. */
export const longestCorrection = 10 * hour

export function earlyVersion(feed: Feed, record: DeviceRecord): EarlyVersion | undefined {
  const rule = rules[record.resource]
  if (!rule) return undefined
  const random = feed.random.fork(`version/${record.id}`)
  if (random.next() >= rule.share) return undefined
  const [shortest, longest] = rule.delay
  const delay = Math.round(shortest + random.next() * (longest - shortest))
  return { finalAt: record.readyAt + delay, values: rule.values }
}
