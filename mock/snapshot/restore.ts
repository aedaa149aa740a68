import { MockError, messageOf } from '../errors.ts'
import { Random } from '../reference-data/random.ts'
import { runAtOnce, Slices } from '../shared/slices.ts'
import { collectionsOf } from '../state/collections/collections.ts'
import type { TeamState } from '../state/team-state.ts'
import { invalidSnapshotError, parseSnapshot } from './check.ts'
import type { Snapshot } from './snapshot.ts'

/** The estimated time to check one record, in microseconds. */
const recordWork = 10

/**
 * Restores a snapshot after checking it completely. Waiting requests fail.
 *
 * @throws {MockError} `invalid_snapshot`
 */
export function restoreSnapshot(world: TeamState, input: Snapshot): void {
  apply(world, runAtOnce(check(world, copyOf(input))))
}

/**
 * Restores a snapshot like {@link restoreSnapshot}, but checks it in slices. Freezes `parsed`, which must be parsed
 * JSON that no other code uses.
 */
export async function restoreInSlices(world: TeamState, parsed: unknown): Promise<void> {
  apply(world, await new Slices().run(check(world, parsed), recordWork))
}

function check(world: TeamState, plain: unknown) {
  return parseSnapshot(plain, collectionsOf(world), world.settings.strictResponses)
}

function copyOf(input: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(input) ?? 'null')
  } catch (cause) {
    throw invalidSnapshotError(`${messageOf(cause)}.`, cause)
  }
}

function apply(world: TeamState, snapshot: Snapshot): void {
  const collections = collectionsOf(world)
  const { clock, bookings, imports, idempotency, outbox, webhooks, arrivals, living } = world
  // Remove the living users first, because no data may arrive until the clock shows the snapshot's time.
  living.restore()
  for (const [name, collection] of Object.entries(collections)) {
    collection.restore(snapshot.records[name])
  }
  bookings.restore(snapshot.bookings)
  imports.restore(snapshot.imports)
  idempotency.restore(snapshot.idempotency)
  world.random = Random.from(snapshot.random)
  // The living users' data depends on the time zone, and so do their events.
  const { timeZone = world.settings.timeZone } = snapshot
  world.settings = Object.freeze({ ...world.settings, timeZone })
  outbox.restore(snapshot.outbox)
  webhooks.restore(snapshot.webhooks)
  // Omit the ends of queued imports, because each end is scheduled when its import begins.
  const due = snapshot.due.filter(
    ({ type, subject }) => type !== 'import.end' || !imports.isQueued(subject),
  )
  clock.restart(snapshot.now, due, createInterruptedError(), snapshot.clock)
  living.restore(snapshot.living)
  arrivals.restore(snapshot.arrivals)
  webhooks.resume()
  world.changes += 1
  world.changed()
  world.recorder?.rebase('restore')
}

/** Resets a team to its initial records, time and events. Waiting requests fail. */
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

function createInterruptedError(): MockError {
  return new MockError(
    'invalid_state',
    'The team was reset, restored or deleted while the request was waiting.',
  )
}
