import { Random } from '../base/random.ts'
import { MockError } from '../errors.ts'
import type { TeamState } from '../team-state.ts'
import { checkedSnapshot } from './check.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * Restores a snapshot after checking all of it. Requests that wait fail.
 *
 * @throws {MockError} `foreign_snapshot` if the value is not a snapshot, has another version, or is invalid.
 */
export function restoreSnapshot(world: TeamState, input: Snapshot): void {
  const collections = world.collections()
  const snapshot = checkedSnapshot(input, collections, world.settings.strictAnswers)
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

/** Resets a world to its initial state. Requests that wait fail. */
export function resetWorld(world: TeamState): void {
  const { clock, bookings, imports, outbox, webhooks, settings } = world
  for (const collection of Object.values(world.collections())) collection.restore()
  bookings.restore({ attempts: [], keys: [], script: [] })
  imports.restore([])
  webhooks.restore([])
  outbox.restore()
  world.random = new Random(world.identity.seed)
  world.ordinal = world.identity.ordinal
  clock.restart(settings.now, [], interruption(), settings.clock)
  world.changes += 1
}

function interruption(): MockError {
  return new MockError('invalid_state', 'The team was reset or restored while the request waited.')
}
