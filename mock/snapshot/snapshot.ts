import type { RandomState } from '../base/random.ts'
import { MockError } from '../errors.ts'
import type { OutboxSnapshot } from '../events/outbox.ts'
import type { WebhooksSnapshot } from '../events/webhooks.ts'
import type { BookingsSnapshot } from '../state/bookings.ts'
import type { ClockMode } from '../state/clock-modes.ts'
import type { CollectionSnapshot } from '../state/collection.ts'
import type { DueEvent } from '../state/due-event.ts'
import type { ImportRun } from '../state/imports.ts'
import { dateTime } from '../state/time.ts'
import type { TeamState } from '../team-state.ts'

export const snapshotFormat = 'health-lab-mock'
export const snapshotVersion = 2

/** A team's state as plain JSON: its records, its time, and what is still to come. */
export interface Snapshot {
  format: typeof snapshotFormat
  version: typeof snapshotVersion
  now: string
  /** How time passes. */
  clock: ClockMode
  /** The number of the team in its mock, which is in the signed URLs of its requisition forms. */
  ordinal: number
  random: RandomState
  due: DueEvent[]
  /** Of each collection the records that differ from the seeded ones. */
  records: Record<string, CollectionSnapshot>
  bookings: BookingsSnapshot
  imports: ImportRun[]
  outbox: OutboxSnapshot
  /** The webhooks, with what they have still to deliver; functions are not in it. */
  webhooks: WebhooksSnapshot
}

export function takeSnapshot(world: TeamState): Snapshot {
  world.catchUp()
  const { clock, random, bookings, imports, outbox, webhooks } = world
  const records = Object.entries(world.collections()).map(([name, collection]) => [
    name,
    collection.snapshot(),
  ])
  const snapshot = {
    format: snapshotFormat,
    version: snapshotVersion,
    now: dateTime(clock.moment),
    clock: clock.mode,
    ordinal: world.ordinal,
    random: random.state(),
    due: clock.dueEvents(),
    records: Object.fromEntries(records),
    bookings: bookings.snapshot(),
    imports: imports.snapshot(),
    outbox: outbox.snapshot(),
    webhooks: webhooks.snapshot(),
  }
  // Whoever holds a snapshot may change it, and what is plain JSON now is so for ever.
  try {
    return JSON.parse(JSON.stringify(snapshot))
  } catch (cause) {
    throw new MockError(
      'invalid_state',
      'Expected records that JSON can hold: no cycles, and no BigInt.',
      { cause },
    )
  }
}
