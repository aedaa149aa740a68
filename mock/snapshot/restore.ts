import { Random } from '../base/random.ts'
import { collectionsOf } from '../state/collections.ts'
import type { TeamState } from '../team-state.ts'
import { parseSnapshot } from './check.ts'
import { createInterruptedError } from './reset.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * Restores a snapshot after checking all of it. Requests that wait fail.
 *
 * @throws {MockError} `invalid_snapshot` if the value is not a snapshot, has another version, or is invalid.
 */
export function restoreSnapshot(world: TeamState, input: Snapshot): void {
  const collections = collectionsOf(world)
  const snapshot = parseSnapshot(input, collections, world.settings.strictResponses)
  const { clock, bookings, imports, idempotency, outbox, webhooks, arrivals, living } = world
  // Nothing arrives until the clock has the time of the snapshot.
  living.restore()
  for (const [name, collection] of Object.entries(collections)) {
    collection.restore(snapshot.records[name])
  }
  bookings.restore(snapshot.bookings)
  imports.restore(snapshot.imports)
  idempotency.restore(snapshot.idempotency)
  world.random = Random.from(snapshot.random)
  world.ordinal = snapshot.ordinal
  outbox.restore(snapshot.outbox)
  webhooks.restore(snapshot.webhooks)
  // The end of a queued import is scheduled when the import begins.
  const due = snapshot.due.filter(({ subject }) => !imports.isQueued(subject))
  clock.restart(snapshot.now, due, createInterruptedError(), snapshot.clock)
  living.restore(snapshot.living)
  arrivals.restore(snapshot.arrivals)
  webhooks.resume()
  world.changes += 1
  world.recorder?.rebase('restore')
}
