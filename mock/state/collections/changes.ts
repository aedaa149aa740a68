import type { RecordOf } from '../records/definitions.ts'
import type { CollectionName } from '../records/paths.ts'
import type { Change } from './collection.ts'

export interface ChangeOf<Name extends CollectionName> extends Change {
  collection: Name
  before?: RecordOf<Name>
  after?: RecordOf<Name>
}

export function isChangeOf<Name extends CollectionName>(
  change: Change,
  collection: Name,
): change is ChangeOf<Name> {
  return change.collection === collection
}
