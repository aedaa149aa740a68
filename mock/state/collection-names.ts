/** The collections of a team, without those of its catalogue. */
export const recordCollections = [
  'users',
  'insurances',
  'connections',
  'orders',
  'appointments',
  'providers',
  'payors',
  'data',
] as const

/** The collections of a team's catalogue. */
export const catalogueCollections = ['labs', 'labTests', 'markers', 'labAccounts'] as const

/** The name of a collection, in snapshots and changes. */
export type CollectionName =
  | (typeof recordCollections)[number]
  | (typeof catalogueCollections)[number]
