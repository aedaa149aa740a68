export interface SyncFlags {
  /** The database URL, or undefined for PGlite. */
  database?: string
  /** PGlite's folder. */
  folder: string
  schema: string
  port: number
  host: string
  secret?: string[]
  maxAttempts: number
  /** The file with the users to backfill, or undefined for no backfill. */
  users?: string
  /** The first day of the backfill. */
  from?: string
  /** Whether to fill the tables with generated data and exit. */
  demo?: true
  /** A query to print as a chart, or true for the default query. */
  chart?: string | true
  /** Whether to serve the stored records. */
  probe?: true
  /** Whether to print the SQL and exit. */
  sql?: true
  json?: true
}
