import { MockError } from '../errors.ts'
import { Random } from '../reference-data/random.ts'
import { collectionsOf } from '../state/collections/collections.ts'
import type { TeamState } from '../state/team-state.ts'

/** Resets a team's state. Waiting requests fail. */
export function resetWorld(world: TeamState): void {
  const { clock, bookings, imports, idempotency, outbox, webhooks, settings } = world
  for (const collection of Object.values(collectionsOf(world))) collection.restore()
  bookings.restore({ attempts: [], keys: [], script: [] })
  imports.restore([])
  idempotency.restore()
  world.living.restore()
  webhooks.restore([])
  outbox.restore()
  world.random = new Random(world.identity.seed)
  clock.restart(settings.now, [], createInterruptedError(), settings.clock)
  world.arrivals.restore()
  world.changes += 1
  world.changed()
  world.recorder?.rebase('reset')
}

export function createInterruptedError(): MockError {
  return new MockError(
    'invalid_state',
    'The team was reset or restored while the request was waiting.',
  )
}
