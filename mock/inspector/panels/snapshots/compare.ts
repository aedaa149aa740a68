import type { Snapshot } from '../../../snapshot/snapshot.ts'
import type { Change, CollectionSnapshot } from '../../../state/collections/collection.ts'
import type { CollectionName } from '../../../state/records/paths.ts'
import { collectionNames } from '../../../state/records/paths.ts'

export interface Comparison {
  changes: Change[]
  /** Other team properties that differ, such as the time. */
  facts: { name: string; before: string; after: string }[]
}

export function compareSnapshots(before: Snapshot, after: Snapshot): Comparison {
  const earlier = factsOf(before)
  return {
    changes: collectionNames.flatMap((name) =>
      changesOf(name, before.records[name], after.records[name]),
    ),
    facts: Object.entries(factsOf(after)).flatMap(([name, value]) => {
      const old = earlier[name] ?? ''
      return old === value ? [] : [{ name, before: old, after: value }]
    }),
  }
}

function factsOf({ now, clock, due, bookings, imports, outbox, webhooks }: Snapshot) {
  const facts: Record<string, string> = {
    Time: now,
    Clock: clock,
    'Pending events': String(due.length),
    'Open bookings': String(bookings.attempts.length),
    'Bulk imports': String(imports.length),
    Events: String(outbox.count),
    Webhooks: String(webhooks.length),
  }
  return facts
}

function changesOf(
  collection: CollectionName,
  before: CollectionSnapshot = [],
  after: CollectionSnapshot = [],
): Change[] {
  const [earlier, later] = [new Map(before), new Map(after)]
  return [...new Set([...earlier.keys(), ...later.keys()])].flatMap((key) => {
    const [old, next] = [earlier.get(key), later.get(key)]
    if (JSON.stringify(old) === JSON.stringify(next)) return []
    const action = next ? (old ? 'update' : 'create') : 'delete'
    return [
      {
        collection,
        action,
        key,
        ...(old ? { before: old } : {}),
        ...(next ? { after: next } : {}),
      },
    ]
  })
}
