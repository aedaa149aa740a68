import { issuesOf } from '../../src/contract/schema/check.ts'
import { deepFreeze } from '../base/deep-freeze.ts'
import { MockError } from '../errors.ts'
import { checkWebhookUrl } from '../events/delivery/webhook-input.ts'
import { countOf } from '../events/emission.ts'
import { momentOf, spanOf } from '../state/clock/time.ts'
import type { Collection } from '../state/collection.ts'
import type { KeyParts } from '../state/record-key.ts'
import { snapshotSchema } from './schema.ts'
import { type Snapshot, snapshotFormat, snapshotVersion } from './snapshot.ts'

type CheckedCollection = Pick<Collection<object, object, KeyParts>, 'checkKeys'>

/**
 * Returns a frozen copy of a snapshot after checking all of it.
 *
 * @throws {MockError} `invalid_snapshot`
 */
export function parseSnapshot(
  input: unknown,
  collections: Record<string, CheckedCollection>,
  strictRecords: boolean,
): Snapshot {
  try {
    const plain: unknown = JSON.parse(JSON.stringify(input) ?? 'null')
    checkShape(plain, strictRecords)
    // The schema is that of the type, part by part.
    const snapshot = plain as Snapshot
    momentOf(snapshot.now)
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
    throw invalidSnapshotError(cause instanceof Error ? cause.message : String(cause), cause)
  }
}

function invalidSnapshotError(reason: string, cause: unknown): MockError {
  return new MockError(
    'invalid_snapshot',
    `The snapshot cannot be restored: ${reason} Pass a snapshot that team.snapshot() returned, with the format '${snapshotFormat}' and the version ${snapshotVersion}. The team is unchanged.`,
    { cause },
  )
}

function checkShape(plain: unknown, strictRecords: boolean): void {
  const { format, version } = Object(plain)
  if (format !== snapshotFormat || version !== snapshotVersion) {
    throw new Error('Its format or version is not supported.')
  }
  const [issue] = issuesOf(snapshotSchema({ strictRecords }), plain, 'snapshot')
  if (issue) throw new Error(`Expected ${issue.path} to be ${issue.expected}.`)
}

function checkBookings({ bookings, records }: Snapshot): void {
  const { attempts, script } = bookings
  for (const { after = 0 } of script) spanOf(after)
  const orders = new Set(records['orders']?.map(([key]) => key))
  const booked = attempts.map(({ order_id }) => order_id)
  const areKnown = booked.every((order) => orders.has(order))
  assertConsistent(areKnown && areUnique(booked) && areUnique(idsOf(attempts)), 'bookings')
}

function checkImports({ imports }: Snapshot): void {
  assertConsistent(areUnique(idsOf(imports)), 'imports')
  for (const { status, total, processed, begins, ends, recipes } of imports) {
    const isWhole = status !== 'in_progress' || recipes.length === total
    assertConsistent(isWhole && processed <= total && begins <= ends, 'imports')
  }
}

/** Checks that the numbers of events are consecutive, up to the latest one. */
function checkOutbox({ outbox }: Snapshot): void {
  let next = outbox.batches[0]?.first ?? outbox.count + 1
  for (const { first, count, emission } of outbox.batches) {
    assertConsistent(first === next && count === countOf(emission), 'events')
    next = first + count
  }
  assertConsistent(next === outbox.count + 1 && outbox.cleared <= outbox.count, 'events')
}

function checkLiving({ living, arrivals, outbox }: Snapshot): void {
  const { users = [], connections = [] } = living ?? {}
  const areKnown = connections.every(({ user }) => user < users.length)
  const feeds = outbox.batches.map(({ emission }) =>
    emission.kind === 'arrival' ? emission.feed : -1,
  )
  const areFeeds = feeds.every((feed) => feed < connections.length)
  assertConsistent(
    areKnown && areFeeds && (arrivals?.feeds ?? 0) <= connections.length,
    'living users',
  )
}

function checkWebhooks({ webhooks }: Snapshot): void {
  assertConsistent(areUnique(idsOf(webhooks)), 'webhooks')
  // A URL on another machine is valid here; nothing is delivered to it.
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
