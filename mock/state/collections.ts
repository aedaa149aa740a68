import type { Collection } from './collection.ts'
import type { CollectionName } from './collection-names.ts'
import type { KeyParts } from './record-key.ts'
import type { World } from './world.ts'

/** What snapshots and resets need of a collection. */
type StoredCollection = Pick<
  Collection<object, object, KeyParts>,
  'isSeeded' | 'snapshot' | 'checkKeys' | 'restore'
>

/** Returns every collection of a team by its name. */
export function collectionsOf(world: World): Record<CollectionName, StoredCollection> {
  const { users, insurances, connections, orders, appointments, providers, payors, data } = world
  const records = { users, insurances, connections, orders, appointments, providers, payors, data }
  return { ...records, ...world.catalogue }
}
