import { keysOf } from '../../../src/shared/narrow.ts'

/**
 * The control API path of each collection's records. The path parameters form a record's key. Each collection is listed
 * after the collections that it references.
 */
export const recordPaths = {
  providers: '/providers/{slug}',
  payors: '/payors/{payor_code}',
  labs: '/catalogue/labs/{id}',
  markers: '/catalogue/markers/{id}',
  labTests: '/catalogue/lab_tests/{id}',
  labAccounts: '/catalogue/lab_accounts/{id}',
  users: '/users/{user_id}',
  insurances: '/insurances/{id}',
  connections: '/connections/{user_id}/{provider}',
  data: '/data/{id}',
  orders: '/orders/{id}',
  appointments: '/appointments/{id}',
} as const

/** The name of a collection, as used in snapshots and changes. */
export type CollectionName = keyof typeof recordPaths

/** The name of a catalogue collection. */
export type CatalogueName = {
  [Name in CollectionName]: (typeof recordPaths)[Name] extends `/catalogue/${string}` ? Name : never
}[CollectionName]

/** The name of a collection that is not part of the catalogue. */
export type TeamName = Exclude<CollectionName, CatalogueName>

export const collectionNames = keysOf(recordPaths)

export const catalogueNames = collectionNames.filter(isOfCatalogue)

export const teamNames = collectionNames.filter((name): name is TeamName => !isOfCatalogue(name))

export function isOfCatalogue(name: CollectionName): name is CatalogueName {
  return recordPaths[name].startsWith('/catalogue/')
}

export function paramsIn(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
}
