import { MockError } from '../errors.ts'
import type { WebhooksSnapshot } from '../events/delivery/webhooks.ts'
import type { OutboxSnapshot } from '../events/outbox.ts'
import type { ArrivalsSnapshot } from '../living/events/arrivals.ts'
import type { LivingUsersSnapshot } from '../living/users/living-users.ts'
import type { RandomState } from '../reference-data/random.ts'
import type { BookingsSnapshot } from '../state/bookings/bookings.ts'
import type { ClockMode } from '../state/clock/clock-modes.ts'
import type { DueEvent } from '../state/clock/due-queue.ts'
import { dateTime } from '../state/clock/time.ts'
import type { CollectionSnapshot } from '../state/collections/collection.ts'
import { collectionsOf } from '../state/collections/collections.ts'
import type { IdempotencySnapshot } from '../state/idempotency.ts'
import type { ImportRun } from '../state/records/bulk-ops.ts'
import type { TeamState } from '../state/team-state.ts'

export const snapshotFormat = 'health-lab-mock'
export const snapshotVersion = 3

/** A team's state as plain JSON: records, time, events, webhooks and scheduled events. */
export interface Snapshot {
  /** The name of the snapshot format. */
  format: typeof snapshotFormat
  /** The format's version. */
  version: typeof snapshotVersion
  /** The virtual time, in ISO 8601. */
  now: string
  /** How virtual time passes. */
  clock: ClockMode
  /** The users' default time zone. */
  timeZone?: string
  /** The team's number in its mock. A reproduction keeps the number if no other team has it. A restore ignores it. */
  ordinal: number
  /** The seed and the state of the random number generator. */
  random: RandomState
  /** The scheduled events, such as the end of an import. */
  due: DueEvent[]
  /** The records that differ from the built-in records, keyed by collection. */
  records: Record<string, CollectionSnapshot>
  /** The bookings in progress, the unused booking keys and the planned outcomes. */
  bookings: BookingsSnapshot
  /** All bulk imports, including finished imports. */
  imports: ImportRun[]
  /** The stored responses, by idempotency key. Default: none. */
  idempotency?: IdempotencySnapshot
  /** The current and former living users and their connections. Omitted if there are none. */
  living?: LivingUsersSnapshot
  /** How far the living users' data has been processed. Omitted if no living user was ever connected. */
  arrivals?: ArrivalsSnapshot
  /** The stored events. */
  outbox: OutboxSnapshot
  /** The webhooks and their planned deliveries, without handlers. */
  webhooks: WebhooksSnapshot
}

/** @throws {MockError} `invalid_state` if a record contains a cycle or a BigInt. */
export function takeSnapshot(world: TeamState): Snapshot {
  const snapshot = readSnapshot(world)
  // Return a copy, because the caller may change the snapshot.
  try {
    return JSON.parse(JSON.stringify(snapshot))
  } catch (cause) {
    throw new MockError(
      'invalid_state',
      'The team cannot be saved as JSON: a record contains a cycle or a BigInt. Remove it from the record.',
      { cause },
    )
  }
}

/** Returns a snapshot that shares the team's records. Do not change it. */
export function readSnapshot(world: TeamState): Snapshot {
  world.catchUp()
  // Call `livingPartOf` first, because it emits the events for data that has arrived so far.
  const life = livingPartOf(world)
  const { clock, random, bookings, imports, idempotency, outbox, webhooks } = world
  const records = Object.entries(collectionsOf(world)).map(([name, collection]) => [
    name,
    collection.snapshot(),
  ])
  return {
    format: snapshotFormat,
    version: snapshotVersion,
    now: dateTime(clock.moment),
    clock: clock.mode,
    timeZone: world.settings.timeZone,
    ordinal: world.identity.ordinal,
    random: random.state(),
    due: clock.dueEvents(),
    records: Object.fromEntries(records),
    bookings: bookings.snapshot(),
    imports: imports.snapshot(),
    idempotency: idempotency.snapshot(),
    ...life,
    outbox: outbox.snapshot(),
    webhooks: webhooks.snapshot(),
  }
}

/**
 * Emits the events for data that has arrived so far. Returns the state of the living users and the arrivals, or an
 * empty object if there are no living users.
 */
export function livingPartOf({ arrivals, living }: TeamState) {
  const [arrived, users] = [arrivals.snapshot(), living.snapshot()]
  return { ...(users ? { living: users } : {}), ...(arrived ? { arrivals: arrived } : {}) }
}
