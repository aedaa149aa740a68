import { issuesOf } from '../src/contract/check.ts'
import { checkOutcome } from './bookings.ts'
import type { Collection, KeyParts } from './collection.ts'
import { frozen } from './collection.ts'
import { MockError } from './errors.ts'
import { countOf } from './outbox.ts'
import { checkReceiver } from './receiver.ts'
import { type Snapshot, snapshotFormat, snapshotVersion } from './snapshot.ts'
import { snapshotSchema } from './snapshot-schema.ts'
import { momentOf } from './time.ts'

type AnyCollection = Pick<Collection<object, object, KeyParts>, 'checkKeys'>

/**
 * Returns a frozen copy of a snapshot in which everything is valid, so that a team can take all of it.
 *
 * @throws {MockError} `foreign_snapshot`
 */
export function checkedSnapshot(
  input: unknown,
  collections: Record<string, AnyCollection>,
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
    checkWebhooks(snapshot)
    return frozen(snapshot)
  } catch (cause) {
    throw foreign(cause instanceof Error ? cause.message : String(cause), cause)
  }
}

function foreign(reason: string, cause: unknown): MockError {
  return new MockError(
    'foreign_snapshot',
    `Expected what team.snapshot() gives: format '${snapshotFormat}', version ${snapshotVersion}. The team stays as it was. ${reason}`,
    { cause },
  )
}

function checkShape(plain: unknown, strictRecords: boolean): void {
  const { format, version } = Object(plain)
  if (format !== snapshotFormat || version !== snapshotVersion) {
    throw new Error('This value has another format or version.')
  }
  const [issue] = issuesOf(snapshotSchema({ strictRecords }), plain, 'snapshot')
  if (issue) throw new Error(`Expected ${issue.path} to be ${issue.expected}.`)
}

function checkBookings({ bookings, records }: Snapshot): void {
  for (const outcome of bookings.script) checkOutcome(outcome)
  const orders = new Set(records['orders']?.map(([key]) => key))
  for (const { order_id } of bookings.attempts) {
    if (!orders.has(order_id)) throw new Error('A booking is for an order that is not there.')
  }
  unique(
    bookings.attempts.map(({ id }) => id),
    'booking',
  )
  unique(
    bookings.attempts.map(({ order_id }) => order_id),
    'booking of an order',
  )
}

function checkImports({ imports }: Snapshot): void {
  unique(
    imports.map(({ id }) => id),
    'import',
  )
  for (const { status, total, processed, begins, ends, recipes } of imports) {
    const isRunning = status === 'in_progress'
    if (processed > total || begins > ends || (isRunning && recipes.length !== total)) {
      throw new Error('An import has other counts or times than its connections.')
    }
  }
}

/** The numbers of events follow each other, up to the latest one. */
function checkOutbox({ outbox }: Snapshot): void {
  let next: number | undefined
  for (const { first, count, emission } of outbox.stretches) {
    if (count !== countOf(emission) || first !== (next ?? first)) {
      throw new Error('The events have numbers that do not follow each other.')
    }
    next = first + count
  }
  if ((next ?? outbox.count + 1) !== outbox.count + 1 || outbox.cleared > outbox.count) {
    throw new Error('The events are more or fewer than their count.')
  }
}

function checkWebhooks({ webhooks }: Snapshot): void {
  unique(
    webhooks.map(({ id }) => id),
    'webhook',
  )
  for (const webhook of webhooks) checkReceiver(webhook)
}

function unique(keys: readonly string[], noun: string): void {
  if (new Set(keys).size !== keys.length) throw new Error(`There are two of one ${noun}.`)
}
