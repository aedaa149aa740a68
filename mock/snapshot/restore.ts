import { Random } from '../base/random.ts'
import type { TeamState } from '../team-state.ts'
import { checkedSnapshot } from './check.ts'
import { interruption } from './reset.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * Restores a snapshot after checking all of it. Requests that wait fail.
 *
 * @throws {MockError} `foreign_snapshot` if the value is not a snapshot, has another version, or is invalid.
 */
export function restoreSnapshot(world: TeamState, input: Snapshot): void {
  const collections = world.collections()
  const snapshot = checkedSnapshot(input, collections, world.settings.strictResponses)
  const { clock, bookings, imports, outbox, webhooks } = world
  for (const [name, collection] of Object.entries(collections)) {
    collection.restore(snapshot.records[name])
  }
  bookings.restore(snapshot.bookings)
  imports.restore(snapshot.imports)
  world.random = Random.from(snapshot.random)
  world.ordinal = snapshot.ordinal
  outbox.restore(snapshot.outbox)
  webhooks.restore(snapshot.webhooks)
  clock.restart(snapshot.now, snapshot.due, interruption(), snapshot.clock)
  webhooks.resume()
  world.changes += 1
}
