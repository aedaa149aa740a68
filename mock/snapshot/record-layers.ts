import type { Change, CollectionSnapshot } from '../state/collections/collection.ts'
import { collectionsOf } from '../state/collections/collections.ts'
import type { CollectionName } from '../state/records/paths.ts'
import type { TeamState } from '../state/team-state.ts'

/** The records that differ from the seeded ones, by collection and key; null for a deleted seeded one. */
export type RecordLayer = ReadonlyMap<string, Map<string, object | null>>

/** Returns the records of a team. They are frozen, so that the layer shares them with the team. */
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

/** Applies changes to a layer. */
export function applyChanges(
  layer: RecordLayer,
  changes: readonly Change[],
  seeded: ReadonlySet<CollectionName>,
): void {
  for (const { collection, action, key, after } of changes) {
    const records = layer.get(collection)
    if (action !== 'delete') records?.set(key, after ?? null)
    // A seeded record would come back without the mark.
    else if (seeded.has(collection)) records?.set(key, null)
    else records?.delete(key)
  }
}

/** Returns the records of a layer as a snapshot has them. */
export function snapshotOfLayer(layer: RecordLayer): Record<string, CollectionSnapshot> {
  return Object.fromEntries([...layer].map(([name, records]) => [name, [...records]]))
}
