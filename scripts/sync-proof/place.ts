export const placeKinds = ['postgres', 'pglite'] as const

export interface SyncPlace {
  kind: (typeof placeKinds)[number]
  /** The folder that contains the socket or the data. */
  path: string
  schema: string
  secret: string
}
