import type { ServiceClient } from '../client/client.ts'
import { adaptDatabase, type Database, type PostgresDatabase } from '../stores/database.ts'
import { SyncError } from './database-errors.ts'
import type { EventFinding } from './event-rows.ts'

/** The modes of `sync.disconnect`: keep or remove the connection's data. */
export const disconnectModes = ['keep', 'remove'] as const
/** One of {@link disconnectModes}. */
export type DisconnectMode = (typeof disconnectModes)[number]

/** Options for {@link createSync}. */
export interface SyncOptions {
  /** The client for `backfill`, `verify` and `disconnect`. Without it, these methods reject. */
  client?: ServiceClient | undefined
  /**
   * Your Postgres database: a `Pool` or connected `Client` from `pg`, the `sql` function from `postgres`, or PGlite.
   */
  database: PostgresDatabase
  /**
   * The Postgres schema of the tables: up to 63 letters, digits or underscores, not starting with a digit. Default:
   * `health`.
   */
  schema?: string | undefined
  /** Whether `sync.disconnect` keeps the connection's data or removes it. Default: `keep`. */
  onDisconnect?: DisconnectMode | undefined
  /**
   * After Postgres has rejected a message this many times, not counting temporary errors and missing tables, it is
   * parked in `failed_messages` and not delivered again. Default: 3.
   */
  maxAttempts?: number | undefined
  /**
   * Called once per `Sync` for each unknown event type or field, at most 10,000 times. The event is still stored. Errors
   * from the callback are ignored.
   */
  onFinding?: ((finding: EventFinding) => unknown) | undefined
}

export interface SyncSettings {
  client: ServiceClient | undefined
  given: PostgresDatabase
  database: Database
  /** The schema's name without quotes; `schema` is the quoted name. */
  name: string
  schema: string
  onDisconnect: DisconnectMode
  maxAttempts: number
  onFinding: (finding: EventFinding) => unknown
}

export function parseSyncOptions(options: SyncOptions): SyncSettings {
  const { client, database: given, schema: name = 'health', onDisconnect = 'keep' } = options
  const { maxAttempts = 3, onFinding = () => {} } = options
  const check = (isValid: boolean, expected: string) => {
    if (!isValid) throw new SyncError('argument_invalid', `Expected ${expected}.`)
  }
  check(
    /^[a-z_]\w{0,62}$/i.test(name),
    'schema to be 1 to 63 letters, digits or underscores, not starting with a digit',
  )
  check(
    disconnectModes.includes(onDisconnect),
    `onDisconnect to be ${disconnectModes.join(' or ')}`,
  )
  check(
    Number.isSafeInteger(maxAttempts) && maxAttempts > 0,
    'maxAttempts to be a whole number of at least 1',
  )
  check(typeof onFinding === 'function', 'onFinding to be a function')
  const database = adaptDatabase(given)
  return {
    client,
    given,
    database,
    name,
    schema: `"${name}"`,
    onDisconnect,
    maxAttempts,
    onFinding,
  }
}
