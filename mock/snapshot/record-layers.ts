import type { Change, CollectionSnapshot } from '../state/collections/collection.ts'
import { collectionsOf } from '../state/collections/collections.ts'
import type { CollectionName } from '../state/records/paths.ts'
import type { TeamState } from '../state/team-state.ts'

/** The records that differ from the seeded records, by collection and key. Null marks a deleted seeded record. */
export type RecordLayer = ReadonlyMap<string, Map<string, object | null>>

/** Returns a layer with a team's records. They are frozen, so the team and the layer share them. */
export function recordLayerOf(world: TeamState): RecordLayer {
  return new Map(
    Object.entries(collectionsOf(world)).map(([name, collection]) => {
      return [name, new Map(collection.snapshot())]
    }),
  )
}

/** Returns a copy that shares the records. */
export function copyLayer(layer: RecordLayer): RecordLayer {
  return new Map([...layer].map(([name, records]) => [name, new Map(records)]))
}

export function applyChanges(
  layer: RecordLayer,
  changes: readonly Change[],
  seeded: ReadonlySet<CollectionName>,
): void {
  for (const { collection, action, key, after } of changes) {
    const records = layer.get(collection)
    if (action !== 'delete') records?.set(key, after ?? null)
    // Without the mark, a seeded record would reappear.
    else if (seeded.has(collection)) records?.set(key, null)
    else records?.delete(key)
  }
}

export function snapshotOfLayer(layer: RecordLayer): Record<string, CollectionSnapshot> {
  return Object.fromEntries([...layer].map(([name, records]) => [name, [...records]]))
}
