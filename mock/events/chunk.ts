import { deprecations } from '../../src/contract/values/deprecations.ts'
import { isKnown, summaryResources } from '../../src/contract/values/known-values.ts'
import { ownValue } from '../../src/shared/narrow.ts'
import type { Feed } from '../living/arrivals/feed.ts'
import { pullDays } from '../living/arrivals/habits.ts'
import { resourcesOf } from '../living/arrivals/transmissions.ts'
import { isSampled } from '../living/devices/measure.ts'
import { seriesNames } from '../living/reports/series.ts'
import type { Table } from '../query/table.ts'
import { isSent } from '../state/collections/source.ts'
import { rowsTable } from '../state/health/health-rows.ts'
import type { FormPort } from '../state/ports.ts'
import type { HealthRow } from '../state/records/health-rows.ts'
import type { TeamProvider } from '../state/records/link.ts'
import type { EventPort } from './event-port.ts'

export interface Chunk extends ChunkData {
  user_id: string
  provider: string
  /** How many of the latest generated rows to include. Default: 300 for a sampled time series, otherwise 30. */
  latest?: number
}

export interface ChunkData {
  /** The resource name used in events, such as `workouts`. */
  resource: string
  /** The added rows. Default: the latest generated rows. */
  rows?: readonly HealthRow[]
  /** Which of `count` parts of the rows to include, starting at 0. Default: all rows. */
  part?: readonly [index: number, count: number]
}

/** The table of each resource that has generated health data. */
const tablesByResource: Readonly<Record<string, string>> = {
  profile: 'profile',
  activity: 'activity',
  sleep: 'sleep',
  body: 'body',
  workouts: 'workout',
  meal: 'meal',
  ...Object.fromEntries(seriesNames.map((name) => [name, name])),
  sleep_cycle: 'sleep',
  hypnogram: 'sleep',
}

/** Returns the name of a resource's table. A time series and its table have the same name. */
export function tableName(resource: string): string {
  return ownValue(tablesByResource, resource) ?? resource
}

/** Returns the name used in events for a table or time series. */
export function resourceOfType(table: string): string {
  return table === 'workout' ? 'workouts' : table
}

export function isSummary(resource: string): boolean {
  return isKnown(summaryResources, resource) || resource === 'sleep_cycle'
}

export function isGenerated(resource: string): boolean {
  return Object.hasOwn(tablesByResource, resource)
}

/** Emissions share their resource lists to save memory, because a team can have a million connections. */
const sharedLists = new Map<string, readonly string[]>()

export function shareList(resources: readonly string[]): readonly string[] {
  const key = resources.join()
  const shared = sharedLists.get(key) ?? Object.freeze([...resources])
  sharedLists.set(key, shared)
  return shared
}

/** Returns the provider's resources that the mock can generate. Omits `hypnogram` if the service no longer sends it. */
export function announcedResources(
  provider: TeamProvider | undefined,
  context: FormPort,
): string[] {
  const supported: string[] = provider?.supported_resources ?? []
  const hasHypnogram = isSent(deprecations.hypnogram, context)
  return supported
    .filter(isGenerated)
    .filter((resource) => resource !== 'hypnogram' || hasHypnogram)
}

/** Returns the resources that are sent, and therefore announced, for a living user's connection. */
export function sentResources(feed: Feed, context: FormPort): string[] {
  const hasHypnogram = isSent(deprecations.hypnogram, context)
  return resourcesOf(feed)
    .filter((resource) => resource !== 'hypnogram' || hasHypnogram)
    .map(resourceOfType)
}

export function generatedResources(
  provider: TeamProvider | undefined,
  context: FormPort,
): readonly string[] {
  const supported = provider?.supported_resources ?? []
  const hasHypnogram = isSent(deprecations.hypnogram, context) && supported.includes('sleep_cycle')
  return Object.keys(tablesByResource).filter((resource) =>
    resource === 'hypnogram' ? hasHypnogram : supported.includes(resource),
  )
}

/** Returns the default number of chunks for a resource in a historical pull of generated data. */
export function chunkCount(resource: string): number {
  return resource === 'profile' ? 1 : 3
}

/** Returns a chunk's table, and the indexes of the chunk's rows in that table. */
export function chunkRows(chunk: Chunk, context: EventPort): { table: Table; rows: number[] } {
  const { resource, rows: added, latest, part: [index, count] = [0, 1] } = chunk
  const name = tableName(resource)
  const table = added ? rowsTable(name, added) : generatedTable(chunk, name, context)
  const all = Array.from(table.time.keys())
  const rows = added ? all : all.slice(-(latest ?? mostRows(name)))
  const boundary = (part: number) => Math.floor((rows.length * part) / count)
  return { table, rows: rows.slice(boundary(index), boundary(index + 1)) }
}

/** Returns the maximum number of rows per resource in a historical pull of generated data. */
function mostRows(table: string): number {
  return isSampled(table) ? 300 : 30
}

/**
 * Returns the data generated for the user's device from this provider: the last `pullDays` days, or all data if those
 * days contain none.
 */
function generatedTable({ user_id, provider }: Chunk, name: string, context: EventPort): Table {
  const { moment } = context.clock
  const latest = context.data.generated(user_id, name, moment, { provider, days: pullDays(name) })
  return latest.time.length > 0
    ? latest
    : context.data.generated(user_id, name, moment, { provider })
}
