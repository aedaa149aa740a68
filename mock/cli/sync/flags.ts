export interface SyncFlags {
  /** The database URL, or undefined for PGlite in `folder`. */
  database?: string
  folder: string
  schema: string
  port: number
  host: string
  secret?: string[]
  maxAttempts: number
  users?: string
  from?: string
  demo?: true
  /** A query to print as a chart, or true for the default query. */
  chart?: string | true
  probe?: true
  sql?: true
  json?: true
}
