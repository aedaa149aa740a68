/** The flags of `health-lab-sdk sync`. */
export interface SyncFlags {
  /** The URL of the database; undefined for PGlite. */
  database?: string
  /** The folder of PGlite. */
  folder: string
  schema: string
  port: number
  host: string
  secret?: string[]
  maxAttempts: number
  /** Whether stored records can be read. */
  probe?: true
  /** Whether to print the SQL and exit. */
  sql?: true
  json?: true
}
