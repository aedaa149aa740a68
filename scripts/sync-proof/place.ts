/** The kinds of databases that are proven. */
export const placeKinds = ['postgres', 'pglite'] as const

/** Where workers store. */
export interface SyncPlace {
  kind: (typeof placeKinds)[number]
  /** The folder of the socket or of the data. */
  path: string
  schema: string
  secret: string
}
