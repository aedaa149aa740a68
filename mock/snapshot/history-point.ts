import type { EventBatch } from '../events/event-batches.ts'
import type { OutboxSnapshot } from '../events/outbox.ts'
import type { FaultState } from '../faults/faults.ts'
import type { DueEvent } from '../state/clock/due-event.ts'
import { type CurrentImport, importState } from '../state/collections/bulk-ops.ts'
import type { Change } from '../state/collections/collection.ts'
import type { Settings } from '../state/defaults.ts'
import type { PointCause, PointKind } from '../state/recorder.ts'
import type { ImportRun } from '../state/records/bulk-ops.ts'
import type { TeamState } from '../state/team-state.ts'
import type { RecordLayer } from './record-layers.ts'
import { livingPartOf, type Snapshot } from './snapshot.ts'

/** A point in a team's history. */
export interface HistoryPoint {
  /** The point number, starting at 1 for each recording. */
  number: number
  /** The virtual time, in ISO 8601. */
  at: string
  /** What triggered the point: `start`, `request`, `due`, `control` or `restore`. */
  kind: PointKind
  /** A description, such as `orders.create 200` or `booking.outcome`. */
  title: string
  /** The request's number in the journal; absent if no request triggered the point. */
  request?: number
  /** The number of record changes since the previous point. */
  changes: number
  /** The number of the team's latest event; 0 if there are no events. */
  latestEvent: number
}

/** The parts that a point shares with others, that it does not have, or that are added when it is opened. */
type LargePart = 'format' | 'version' | 'now' | 'due' | 'records' | 'outbox' | 'webhooks'

/** The parts of a team's state that are copied for each point; they are small. */
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
  /** The record changes since the previous point. */
  changes: readonly Change[]
  /** The number of records in each collection, not counting unchanged seeded records. */
  records: Record<string, number>
}

/** A point with what restores it, together with the points before it. */
export interface StoredPoint {
  number: number
  cause: PointCause
  small: SmallState
  changes: readonly Change[]
  /** How many events were emitted, and the number of the latest event that was cleared. */
  outbox: Omit<OutboxSnapshot, 'batches'> & { firstBatch: number }
  /** The events since the point before. */
  batches: readonly EventBatch[]
  /** All records and all stored events; only the first point, and points after a restore, have them. */
  base?: { records: RecordLayer; batches: readonly EventBatch[] }
}

/** Returns the small parts of a team's state. Parts that did not change are shared with the point before. */
export function smallStateOf(world: TeamState, before: SmallState | undefined): SmallState {
  // This comes first because it emits the events for data that has arrived so far.
  const life = livingPartOf(world)
  const { clock, random, bookings, imports, idempotency, settings, faults } = world
  return {
    moment: clock.moment,
    clock: clock.mode,
    ordinal: world.identity.ordinal,
    random: random.state(),
    // Points have no webhooks: a fork must not deliver an event a second time.
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

/** Copies the imports that changed. An import may have a hundred thousand connections. */
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
