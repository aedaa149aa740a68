import type { CollectionTypes } from '../records/definitions.ts'
import {
  type CatalogueName,
  type CollectionName,
  collectionNames,
  isOfCatalogue,
  type TeamName,
} from '../records/paths.ts'
import type { Collection, CollectionOf } from './collection.ts'

/** A team's labs, lab tests, markers and lab accounts. */
export type Catalogue = {
  readonly [Name in keyof Pick<CollectionTypes, CatalogueName>]: CollectionOf<Name>
}

export type TeamCollections = { readonly catalogue: Catalogue } & {
  readonly [Name in TeamName]: CollectionOf<Name>
}

// biome-ignore lint/suspicious/noExplicitAny: Each collection has different key parts.
export type AnyCollection = Collection<Record<string, unknown>, Record<string, unknown>, any>

export function collectionsOf(team: TeamCollections): Record<CollectionName, AnyCollection> {
  const collections = collectionNames.map((name) => {
    return [name, isOfCatalogue(name) ? team.catalogue[name] : team[name]]
  })
  return Object.fromEntries(collections)
}
