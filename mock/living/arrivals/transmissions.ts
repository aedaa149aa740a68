import { isTable } from '../history/record-table.ts'
import type { Feed } from './feed.ts'
import { supports } from './habits.ts'
import { type FeedMoment, syncBefore } from './moments.ts'
import { type Slot, slotsAt } from './slots.ts'

/**
 * The content of a feed's event: new data, changed data, a chunk or the end of a historical pull, or a connection
 * change.
 */
export const transmissionKinds = [
  'created',
  'updated',
  'chunk',
  'history',
  'connected',
  'failed',
] as const

/** A feed's event, as stored in snapshots. */
export interface Transmission {
  readonly kind: (typeof transmissionKinds)[number]
  /** The name of a table or time series, `sleep_cycle`, `hypnogram`, or an empty string for a connection change. */
  readonly resource: string
  /**
   * The time of the connection change, or of the sync that first sent the data. A duplicate event has the same time,
   * although a later sync sends it.
   */
  readonly at: number
  /** The range of the sync's slots that the event contains: the index of the first slot, and the number of slots. */
  readonly slots: readonly [start: number, count: number]
}

const none: readonly Slot[] = []

/** The share of syncs whose data a provider sends again at the next sync (assumption). */
const repeatedShare = 0.03

const usualChunkSize = 10

/**
 * Returns the events that a feed sends at the given time, in order.
 *
 * @param chunkSize The number of records per chunk of a historical pull.
 */
export function transmissionsAt(
  feed: Feed,
  { at, kind }: FeedMoment,
  chunkSize = usualChunkSize,
): Transmission[] {
  if (kind === 'error') return [connectionChange('failed', at)]
  if (kind === 'connect') return [connectionChange('connected', at), ...pullAt(feed, at, chunkSize)]
  const before = syncBefore(feed, at)
  const repeated = before > feed.from && isRepeated(feed, before) ? dataAt(feed, before) : []
  const reconnection = kind === 'reconnect' ? [connectionChange('connected', at)] : []
  return [...reconnection, ...repeated, ...dataAt(feed, at)]
}

export function slotsSent(feed: Feed, { resource, at, slots }: Transmission): readonly Slot[] {
  const [start, count] = slots
  return resourceSlots(feed, resource, at).slice(start, start + count)
}

/** Returns the slots that a sync sends. Sleep stages are sent only with the final version of a sleep session. */
function resourceSlots(feed: Feed, resource: string, at: number): readonly Slot[] {
  const slots = slotsAt(feed, at)
  if (!isOfSleep(resource)) return slots.get(resource) ?? none
  return slots.get('sleep')?.filter(({ isEarly }) => !isEarly) ?? none
}

/** Returns whether a resource contains sleep stages. */
export function isOfSleep(resource: string): boolean {
  return resource === 'sleep_cycle' || resource === 'hypnogram'
}

/** Returns the resources that a feed sends, in the order of its events. */
export function resourcesOf({ devices, provider }: Feed): string[] {
  const measured = [...new Set(devices.flatMap(({ resources }) => resources))]
  const hasStages = measured.includes('sleep') && supports(provider, 'sleep_cycle')
  return hasStages ? [...measured, 'sleep_cycle', 'hypnogram'] : measured
}

function connectionChange(kind: 'connected' | 'failed', at: number): Transmission {
  return { kind, resource: '', at, slots: [0, 0] }
}

/** Returns one event per record or, for samples, one event per resource, device and date. */
function dataAt(feed: Feed, at: number): Transmission[] {
  return resourcesOf(feed).flatMap((resource) =>
    resourceSlots(feed, resource, at).map(({ firstAt }, index) => {
      const isNew = firstAt === at || isOfSleep(resource)
      return { kind: isNew ? 'created' : 'updated', resource, at, slots: [index, 1] }
    }),
  )
}

/** Returns the events of the historical pull: all chunks, then the end of each resource's history. */
function pullAt(feed: Feed, at: number, chunkSize: number): Transmission[] {
  const pulls = resourcesOf(feed).map((resource) => ({
    resource,
    count: resourceSlots(feed, resource, at).length,
  }))
  const chunks = pulls.flatMap(({ resource, count }) => {
    const size = isTable(resource) || isOfSleep(resource) ? chunkSize : 1
    return Array.from({ length: Math.ceil(count / size) }, (_, index): Transmission => {
      const start = index * size
      return { kind: 'chunk', resource, at, slots: [start, Math.min(size, count - start)] }
    })
  })
  const ends = pulls.map(
    ({ resource, count }): Transmission => ({ kind: 'history', resource, at, slots: [0, count] }),
  )
  return [...chunks, ...ends]
}

function isRepeated(feed: Feed, at: number): boolean {
  return feed.random.fork(`repeat/${at}`).next() < repeatedShare
}
