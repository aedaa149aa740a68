import type * as z from 'zod/mini'
import { check } from '../../src/contract/schema-tools/check.ts'
import { definitionInside } from '../../src/contract/schema-tools/walk.ts'
import { isObject } from '../../src/shared/narrow.ts'
import { MockError, messageOf } from '../errors.ts'
import { checkWebhookUrl } from '../events/delivery/webhook-input.ts'
import { chunksOf, countOf } from '../events/emission.ts'
import type { EventBatch } from '../events/event-batches.ts'
import { deepFreeze } from '../shared/freeze.ts'
import { day } from '../shared/time-units.ts'
import { checkMoment, earliestMoment, spanOf, virtualMoment } from '../state/clock/time.ts'
import type { AnyCollection } from '../state/collections/collections.ts'
import { snapshotSchema } from './schema.ts'
import { type Snapshot, snapshotFormat, snapshotVersion } from './snapshot.ts'

type CheckedCollection = { checkKeys: AnyCollection['checkKeys'] }

/**
 * Checks a complete snapshot, freezes it and returns it. Yields after each record.
 *
 * @param plain A value parsed from JSON.
 * @throws {MockError} `invalid_snapshot`
 */
export function* parseSnapshot(
  plain: unknown,
  collections: Record<string, CheckedCollection>,
  strictRecords: boolean,
): Generator<void, Snapshot> {
  try {
    yield* checkShape(plain, strictRecords)
    // The schema has checked every part of the type.
    const snapshot = plain as Snapshot
    virtualMoment(snapshot.now)
    for (const [name, collection] of Object.entries(collections)) {
      collection.checkKeys(snapshot.records[name] ?? [])
    }
    checkBookings(snapshot)
    checkImports(snapshot)
    checkOutbox(snapshot)
    checkLiving(snapshot)
    checkWebhooks(snapshot)
    return deepFreeze(snapshot)
  } catch (cause) {
    throw invalidSnapshotError(messageOf(cause), cause)
  }
}

export function invalidSnapshotError(reason: string, cause: unknown): MockError {
  return new MockError(
    'invalid_snapshot',
    `The snapshot cannot be restored: ${reason} Pass a version ${snapshotVersion} snapshot from team.snapshot().`,
    { cause },
  )
}

function checkShape(plain: unknown, strictRecords: boolean): Generator<void, void> {
  const { format, version } = Object(plain)
  if (format !== snapshotFormat || version !== snapshotVersion) {
    throw new Error('Its format or version is not supported.')
  }
  return checkInSteps(snapshotSchema(strictRecords), plain, 'snapshot')
}

function checkBookings({ bookings, records }: Snapshot): void {
  const { attempts, script } = bookings
  for (const { after = 0 } of script) spanOf(after)
  const orders = new Set(records['orders']?.map(([key]) => key))
  const booked = attempts.map(({ order_id }) => order_id)
  const areKnown = booked.every((order) => orders.has(order))
  assertConsistent(areKnown && areUnique(booked) && areUnique(idsOf(attempts)), 'bookings')
}

function checkImports({ imports, due, now }: Snapshot): void {
  assertConsistent(areUnique(idsOf(imports)), 'imports')
  // The current import needs a due event: nothing else ends that import and begins the next one.
  const current = imports.find(({ status }) => status === 'in_progress')
  if (current && current.ends > virtualMoment(now)) {
    const isEnding = due.some(
      ({ type, subject, at }) =>
        type === 'import.end' && subject === current.id && at >= current.ends,
    )
    assertConsistent(isEnding, 'imports and scheduled events')
  }
  let free = Number.NEGATIVE_INFINITY
  for (const { status, total, processed, begins, ends, recipes } of imports) {
    assertConsistent(processed <= total, 'imports')
    // Snapshots from earlier versions may contain imports aborted while queued. Such an import ends before it begins.
    if (status !== 'in_progress') continue
    assertConsistent(recipes.length === total && begins <= ends, 'imports')
    // A queued import begins when the previous one has ended.
    free = checkMoment(Math.max(begins, free) + ends - begins)
  }
}

/** The maximum event number in a snapshot. Later event numbers then stay below `Number.MAX_SAFE_INTEGER`. */
const mostEvents = 1e15
/** The maximum number of chunks per connection. Reading the first chunk creates an object for every chunk. */
const mostChunks = 100_000

/** Checks that the stored events' numbers are consecutive, up to the latest event. */
function checkOutbox({ outbox: { batches, added = [], count, cleared } }: Snapshot): void {
  assertConsistent(count <= mostEvents && cleared <= count, 'events')
  const stored = batches[0]?.first ?? count + 1
  const areConsecutive = batches.every(({ first }, at) => first === endOf(batches[at - 1], stored))
  const areOrdered = added.every(({ first }, at) => first >= endOf(added[at - 1], 0))
  const areBefore = endOf(added.at(-1), 0) <= stored && endOf(batches.at(-1), stored) === count + 1
  const areReadable = [...added, ...batches].every(isReadable)
  assertConsistent(areConsecutive && areOrdered && areBefore && areReadable, 'events')
}

/** Returns the number of the event that follows a batch, or `before` if the batch is undefined. */
function endOf(batch: EventBatch | undefined, before: number): number {
  return batch ? batch.first + batch.count : before
}

function isReadable({ emission, count }: EventBatch): boolean {
  const hasFewChunks = emission.kind !== 'connections' || chunksOf(emission) <= mostChunks
  return hasFewChunks && count === countOf(emission)
}

/**
 * The maximum time span of arrived data that a restored team may still have to emit. Normally, the span is 0, but real
 * time can pass while a snapshot is taken.
 */
const longestArrears = day

function checkLiving(snapshot: Snapshot): void {
  const { living, outbox } = snapshot
  const { users = [], connections = [] } = living ?? {}
  const areKnown = connections.every(({ user }) => user < users.length)
  const feeds = outbox.batches.map(({ emission }) =>
    emission.kind === 'arrival' ? emission.feed : -1,
  )
  const areFeeds = feeds.every((feed) => feed < connections.length)
  assertConsistent(areKnown && areFeeds && isProcessed(snapshot), 'living users')
}

/**
 * Returns whether at most {@link longestArrears} of data still has to be emitted. Emitting years of data would take too
 * long.
 */
function isProcessed({ now, living, arrivals }: Snapshot): boolean {
  const moment = virtualMoment(now)
  const { connections = [] } = living ?? {}
  const { feeds, processed } = arrivals ?? { feeds: 0, processed: 0 }
  if (feeds > connections.length || (feeds > 0 && processed > moment)) return false
  return connections.every(({ from, to }, feed) => {
    const begin = feed < feeds ? Math.max(from, processed) : from
    const isPossible = from >= earliestMoment && from <= moment
    return isPossible && Math.min(to ?? moment, moment) - begin <= longestArrears
  })
}

function checkWebhooks({ webhooks }: Snapshot): void {
  assertConsistent(areUnique(idsOf(webhooks)), 'webhooks')
  // A snapshot can contain a URL on another machine, but the mock delivers there only if remote webhooks are allowed.
  for (const { url, delay } of webhooks) {
    spanOf(delay)
    if (url !== null) checkWebhookUrl(url)
  }
}

function assertConsistent(isConsistent: boolean, part: string): void {
  if (!isConsistent) throw new Error(`Its ${part} are inconsistent.`)
}

function idsOf(parts: readonly { id: string }[]): string[] {
  return parts.map(({ id }) => id)
}

function areUnique(keys: readonly string[]): boolean {
  return new Set(keys).size === keys.length
}

/** The number of nesting levels that are checked item by item. Lists of records are on the last of these levels. */
const steppedLevels = 3

/**
 * Checks a value against a schema and freezes it. Yields after each item in the first {@link steppedLevels} levels.
 *
 * @param path The value's path in error messages.
 * @throws {Error} with the path of the first invalid value.
 */
function* checkInSteps(
  schema: z.ZodMiniType,
  value: unknown,
  path: string,
  level = 0,
): Generator<void, void> {
  const { type, element, shape } = level < steppedLevels ? definitionInside(schema) : {}
  if (type === 'array' && element && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* checkInSteps(element, item, `${path}[${index}]`, level + 1)
    }
  } else if (type === 'object' && shape && isObject(value)) {
    for (const [name, field] of Object.entries(shape)) {
      yield* checkInSteps(field, value[name], `${path}.${name}`, level + 1)
    }
  } else {
    const [issue] = check(schema, value, path)
    if (issue) throw new Error(`Expected ${issue.path} to be ${issue.expected}.`)
    deepFreeze(value)
    yield
  }
}
