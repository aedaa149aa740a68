import type { EventBatch } from '../events/event-batches.ts'
import type { OutboxSnapshot } from '../events/outbox.ts'
import type { FaultState } from '../faults/faults.ts'
import type { DueEvent } from '../state/clock/due-queue.ts'
import { type CurrentImport, importState } from '../state/collections/bulk-ops.ts'
import type { Change, CollectionSnapshot } from '../state/collections/collection.ts'
import { collectionsOf } from '../state/collections/collections.ts'
import type { Settings } from '../state/defaults.ts'
import type { PointCause, PointKind } from '../state/recorder.ts'
import type { ImportRun } from '../state/records/bulk-ops.ts'
import type { CollectionName } from '../state/records/paths.ts'
import type { TeamState } from '../state/team-state.ts'
import { livingPartOf, type Snapshot } from './snapshot.ts'

/** A point in a team's history. */
export interface HistoryPoint {
  /** The point number, starting at 1 for each recording. */
  number: number
  /** The virtual time, in ISO 8601. */
  at: string
  /** The trigger: `start`, `request`, `due`, `control` or `restore`. */
  kind: PointKind
  /** A description, such as `orders.create 200` or `booking.outcome`. */
  title: string
  /** The request's number in the journal. Omitted if no request triggered the point. */
  request?: number
  /** The number of record changes since the previous point. */
  changes: number
  /** The number of the team's latest event, or 0 if there are no events. */
  latestEvent: number
}

/** The parts of a snapshot that a point shares with other points, omits, or creates only when the point is opened. */
type LargePart =
  | 'format'
  | 'version'
  | 'now'
  | 'timeZone'
  | 'due'
  | 'records'
  | 'outbox'
  | 'webhooks'

/** The small parts of a team's state, which are copied for each point. */
export type SmallState = Omit<Snapshot, LargePart> & {
  moment: number
  due: DueEvent[]
  settings: Settings
  faults: FaultState[]
  latestFault: number
}

/** A point with the changes that led to it. */
export interface HistoryPointDetail {
  /** The point. */
  point: HistoryPoint
  /** The changes to records since the previous point. */
  changes: readonly Change[]
  /** The number of records in each collection, excluding unchanged built-in records. */
  records: Record<string, number>
}

/** A point and its changes. Unless the point has a `base`, a restore also needs the earlier points. */
export interface StoredPoint {
  number: number
  cause: PointCause
  small: SmallState
  changes: readonly Change[]
  /** The outbox's state without its events, and the number of the first stored event. */
  outbox: Omit<OutboxSnapshot, 'batches' | 'added'> & { firstBatch: number }
  /** The events since the previous point. */
  batches: readonly EventBatch[]
  /**
   * All records and stored events, and the dropped events with added data. Set only for the first stored point and for
   * points after a restore or reset.
   */
  base?: { records: RecordLayer; batches: readonly EventBatch[] }
}

/** Returns the small parts of a team's state. Unchanged imports are shared with the previous point. */
export function smallStateOf(world: TeamState, before: SmallState | undefined): SmallState {
  // Call `livingPartOf` first, because it emits the events for data that has arrived so far.
  const life = livingPartOf(world)
  const { clock, random, bookings, imports, idempotency, settings, faults } = world
  return {
    moment: clock.moment,
    clock: clock.mode,
    ordinal: world.identity.ordinal,
    random: random.state(),
    // Points do not contain webhooks, because a fork must not deliver an event a second time.
    due: clock.dueEvents().filter(({ type }) => type !== 'webhook.due'),
    bookings: bookings.snapshot(),
    imports: importsOf(imports.newestFirst(), before?.imports ?? []),
    idempotency: idempotency.snapshot(),
    ...life,
    settings,
    faults: faults.size > 0 ? faults.snapshot() : [],
    latestFault: faults.latest,
  }
}

/** Copies only changed imports, because an import may have a hundred thousand connections. */
function importsOf(
  newestFirst: readonly CurrentImport[],
  before: readonly ImportRun[],
): ImportRun[] {
  const known = new Map(before.map((run) => [run.id, run]))
  return newestFirst.toReversed().map((run) => {
    const copy = known.get(run.id)
    const isSame =
      copy?.status === run.status &&
      copy.processed === run.processed &&
      copy.connected.length === run.connected.size &&
      copy.ends === run.ends
    return copy && isSame ? copy : importState(run)
  })
}

/** The records that differ from the seeded records, by collection and key. Null marks a deleted seeded record. */
export type RecordLayer = ReadonlyMap<string, Map<string, object | null>>

/** Returns a layer that contains a team's records. The layer and the team share the records, which are frozen. */
export function recordLayerOf(world: TeamState): RecordLayer {
  return new Map(
    Object.entries(collectionsOf(world)).map(([name, collection]) => {
      return [name, new Map(collection.snapshot())]
    }),
  )
}

/** Returns a copy of a layer. The copy and the layer share the records. */
export function copyLayer(layer: RecordLayer): RecordLayer {
  return new Map([...layer].map(([name, records]) => [name, new Map(records)]))
}

export function applyChanges(
  layer: RecordLayer,
  changes: readonly Change[],
  seeded: ReadonlySet<CollectionName>,
): void {
  for (const { collection, action, key, after } of changes) {
    const records = layer.get(collection)
    if (action !== 'delete') records?.set(key, after ?? null)
    // Without the mark, a seeded record would reappear.
    else if (seeded.has(collection)) records?.set(key, null)
    else records?.delete(key)
  }
}

export function snapshotOfLayer(layer: RecordLayer): Record<string, CollectionSnapshot> {
  return Object.fromEntries([...layer].map(([name, records]) => [name, [...records]]))
}
