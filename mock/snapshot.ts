import type { BookingsSnapshot } from './bookings.ts'
import type { DueEvent } from './clock.ts'
import type { Collection, CollectionSnapshot, KeyParts } from './collection.ts'
import { MockError } from './errors.ts'
import type { OutboxSnapshot } from './outbox.ts'
import { Random, type RandomState } from './random.ts'
import { dateTime } from './time.ts'
import type { WebhooksSnapshot } from './webhooks.ts'
import type { World } from './world.ts'

const format = 'health-lab-mock'
const version = 2

/** A team's state as plain JSON: its records, its time, and what is still to come. */
export interface Snapshot {
  format: typeof format
  version: typeof version
  now: string
  random: RandomState
  due: DueEvent[]
  /** Of each collection the records that differ from the seeded ones. */
  records: Record<string, CollectionSnapshot>
  bookings: BookingsSnapshot
  imports: unknown
  outbox: OutboxSnapshot
  /** The webhooks, with what they have still to deliver; functions are not in it. */
  webhooks: WebhooksSnapshot
}

export function takeSnapshot(world: World): Snapshot {
  world.catchUp()
  const { clock, random, bookings, imports, outbox, webhooks } = world
  const records = Object.entries(collectionsOf(world)).map(([name, collection]) => [
    name,
    collection.snapshot(),
  ])
  const snapshot = {
    format,
    version,
    now: dateTime(clock.moment),
    random: random.state(),
    due: clock.dueEvents(),
    records: Object.fromEntries(records),
    bookings: bookings.snapshot(),
    imports: imports.snapshot(),
    outbox: outbox.snapshot(),
    webhooks: webhooks.snapshot(),
  }
  // Whoever holds a snapshot may change it, and what is plain JSON now is so for ever.
  return JSON.parse(JSON.stringify(snapshot))
}

/**
 * Brings a world back to a snapshot. Requests that wait meanwhile fail.
 *
 * @throws {MockError} `foreign_snapshot` when the value is no snapshot, or one of another version.
 */
export function restoreSnapshot(world: World, snapshot: Snapshot): void {
  checkSnapshot(world, snapshot)
  const { clock, bookings, imports, outbox, webhooks } = world
  for (const [name, collection] of Object.entries(collectionsOf(world))) {
    collection.restore(snapshot.records[name])
  }
  bookings.restore(snapshot.bookings)
  imports.restore(snapshot.imports)
  world.random = Random.from(snapshot.random)
  outbox.restore(snapshot.outbox)
  clock.restart(snapshot.now, snapshot.due, interruption())
  webhooks.restore(snapshot.webhooks)
  world.changes += 1
}

/** Brings a world back to its beginning. Requests that wait meanwhile fail. */
export function resetWorld(world: World): void {
  const { clock, bookings, imports, outbox, webhooks, settings } = world
  for (const collection of Object.values(collectionsOf(world))) collection.restore()
  bookings.restore({ attempts: [], keys: [], script: [] })
  imports.restore([])
  webhooks.restore([])
  outbox.restore()
  world.random = world.random.restarted()
  clock.restart(settings.now, [], interruption())
  world.changes += 1
}

function interruption(): MockError {
  return new MockError('invalid_state', 'The team was reset or restored while the request waited.')
}

type AnyCollection = Pick<Collection<object, object, KeyParts>, 'snapshot' | 'restore'>

/** Every collection of a world, by name. */
function collectionsOf(world: World): Record<string, AnyCollection> {
  const { users, insurances, connections, orders, appointments, providers, payors, data } = world
  return {
    users,
    insurances,
    connections,
    orders,
    appointments,
    providers,
    payors,
    data,
    ...world.catalogue,
  }
}

function checkSnapshot(world: World, snapshot: Snapshot): void {
  const found = Object(snapshot) as Partial<Snapshot>
  const names = Object.keys(collectionsOf(world))
  const isOurs =
    found.format === format &&
    found.version === version &&
    names.every((name) => Array.isArray(found.records?.[name]))
  if (isOurs) return
  throw new MockError(
    'foreign_snapshot',
    `Expected what team.snapshot() gives: format '${format}', version ${version}, and the records of ${names.join(', ')}.`,
  )
}
