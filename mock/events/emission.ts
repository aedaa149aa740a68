import { memo } from '../../src/shared/memo.ts'
import { present } from '../../src/shared/narrow.ts'
import { arrivalBody } from '../living/events/arrival-bodies.ts'
import type { ArrivalEmission } from '../living/events/arrival-emissions.ts'
import type { HealthRow } from '../state/records/health-rows.ts'
import { connectionEvent, dataEvent, dataEventType, type EventBody, noticeEvent } from './bodies.ts'
import { type Chunk, type ChunkData, chunkCount } from './chunk.ts'
import type { EventPort } from './event-port.ts'

/** Events emitted together, as plain values for snapshots. Bodies are created on each read. */
export type Emission = SingleEmission | RowsEmission | ConnectionsEmission | ArrivalEmission

interface SingleEmission {
  kind: 'event'
  body: EventBody
}

interface RowsEmission {
  kind: 'rows'
  event_type: string
  chunk: Chunk
}

/** The events of new connections, which are the same for each user. */
export interface ConnectionsEmission {
  kind: 'connections'
  provider: string
  user_ids: readonly string[]
  /** The resources with generated data. */
  resources: readonly string[]
  /** The rows added for a single user, keyed by resource. Empty for several users. */
  rows: Readonly<Record<string, readonly HealthRow[]>>
  /** The resources announced without data. Default: none. */
  empty?: readonly string[]
  /** The number of chunks for each resource. Default: {@link chunkCount}, or one per 100 added rows. */
  chunks?: Readonly<Record<string, number>>
  /** Whether a historical pull consists only of its final event, without chunks or data. Default: false. */
  isNotice?: boolean
}

/** One event for a connection: the connection itself, a chunk of data, or the end of a resource's history. */
interface Step {
  event_type: string
  chunk?: ChunkData
  isNotice?: boolean
}

/** The maximum number of added rows in a chunk of a historical pull. */
const rowsPerChunk = 100

export function countOf(emission: Emission): number {
  if (emission.kind !== 'connections') return 1
  const pulls = pullsOf(emission)
  const chunks = emission.isNotice ? 0 : chunksOf(emission)
  return emission.user_ids.length * (1 + chunks + pulls.length)
}

/** Returns the number of chunks per user. */
export function chunksOf(emission: ConnectionsEmission): number {
  return pullsOf(emission).reduce((sum, { count }) => sum + count, 0)
}

/** Counts the events with a matching type from index `from` (inclusive) to index `to` (exclusive). */
export function countMatching(
  emission: Emission,
  from: number,
  to: number,
  matches: (type: string) => boolean,
): number {
  if (emission.kind !== 'connections') return from < to && matches(typeAt(emission, 0)) ? 1 : 0
  const steps = stepsOf(emission).map(({ event_type }) => matches(event_type))
  const before = (index: number) => {
    const users = Math.floor(index / steps.length)
    return users * countTrue(steps) + countTrue(steps.slice(0, index % steps.length))
  }
  return before(to) - before(from)
}

function countTrue(values: readonly boolean[]): number {
  return values.filter(Boolean).length
}

export function typeAt(emission: Emission, index: number): string {
  if (emission.kind === 'event') return emission.body.event_type
  if (emission.kind === 'rows' || emission.kind === 'arrival') return emission.event_type
  return stepAt(emission, index).step.event_type
}

export function userAt(emission: Emission, index: number): string | undefined {
  if (emission.kind === 'rows') return emission.chunk.user_id
  if (emission.kind === 'arrival') return emission.user_id
  if (emission.kind === 'connections') return stepAt(emission, index).user_id
  const { user_id } = emission.body
  return typeof user_id === 'string' ? user_id : undefined
}

/**
 * Returns the provider and feed from which events are created. Resolves the feed now, so later changes do not affect
 * the events.
 */
export function originOf(
  emission: Exclude<Emission, SingleEmission>,
  living: EventPort['living'],
): { slug: string; living: EventPort['living'] } {
  if (emission.kind === 'rows') return { slug: emission.chunk.provider, living }
  if (emission.kind === 'connections') return { slug: emission.provider, living }
  const feed = living.feed(emission.feed)
  return { slug: feed.provider, living: { feed: () => feed } }
}

export function bodyAt(emission: Emission, index: number, context: EventPort): EventBody {
  if (emission.kind === 'event') return structuredClone(emission.body)
  if (emission.kind === 'rows') return dataEvent(emission.event_type, emission.chunk, context)
  if (emission.kind === 'arrival') return arrivalBody(emission, context)
  const { provider } = emission
  const { user_id, step } = stepAt(emission, index)
  if (step.chunk && step.isNotice) {
    return noticeEvent(step.event_type, { ...step.chunk, user_id, provider }, context)
  }
  if (step.chunk) return dataEvent(step.event_type, { ...step.chunk, user_id, provider }, context)
  const announced = pullsOf(emission).map(({ resource }) => resource)
  return connectionEvent(user_id, provider, context, announced)
}

function stepAt(emission: ConnectionsEmission, index: number): { user_id: string; step: Step } {
  const steps = stepsOf(emission)
  return {
    // The index is less than the number of users times the number of steps.
    user_id: present(emission.user_ids[Math.floor(index / steps.length)]),
    step: present(steps[index % steps.length]),
  }
}

/** Returns the events for each user: the connection, then all chunks, then the end of each resource's history. */
function stepsOf(emission: ConnectionsEmission): Step[] {
  const { resources, rows, empty = none, chunks, isNotice } = emission
  const isShared = Object.keys(rows).length === 0 && !chunks && !isNotice
  return isShared ? sharedSteps(resources)(empty, emission) : ownSteps(emission)
}

const none: readonly string[] = []

// Cached, because each event of an emission needs the steps.
const ownSteps = memo(makeSteps)

/** Steps shared by all emissions with the same `resources` and `empty` lists. */
const sharedSteps = memo((_resources: readonly string[]) =>
  memo((_empty: readonly string[], emission: ConnectionsEmission) => makeSteps(emission)),
)

function pullsOf({ resources, rows, empty = [], chunks = {} }: ConnectionsEmission) {
  return [
    ...resources.map((resource) => ({
      resource,
      count: chunks[resource] ?? chunkCount(resource),
    })),
    ...Object.entries(rows).map(([resource, added]) => ({
      resource,
      rows: added,
      count: chunks[resource] ?? Math.ceil(added.length / rowsPerChunk),
    })),
    ...empty.map((resource) => ({ resource, rows: [], count: 0 })),
  ]
}

function makeSteps(emission: ConnectionsEmission): Step[] {
  const { isNotice = false } = emission
  const pulls = pullsOf(emission)
  return [
    { event_type: 'provider.connection.created' },
    ...(isNotice ? [] : pulls.flatMap(chunkSteps)),
    ...pulls.map(({ count: _, ...pull }) => ({
      event_type: dataEventType('historical', pull.resource, 'created'),
      chunk: pull,
      isNotice,
    })),
  ]
}

function chunkSteps({ count, ...pull }: ChunkData & { count: number }) {
  return Array.from(
    { length: count },
    (_, index): Step => ({
      event_type: dataEventType('daily', pull.resource, 'created'),
      chunk: { ...pull, part: [index, count] },
    }),
  )
}
