import type { ServiceClient } from '../client/client.ts'
import { NotFoundError } from '../client/errors/status-errors.ts'
import { postgresStore } from '../stores/postgres.ts'
import { type BackfillOptions, type BackfillReport, backfill } from './backfill.ts'
import { SyncError, withoutValues } from './database-errors.ts'
import { FailedMessages, type RetryOptions, type RetryReport } from './failed-messages.ts'
import { makeListeners, type SyncListeners } from './listeners.ts'
import { disconnect, forget, type RemovalReport } from './removal.ts'
import { migrate } from './schema/migrate.ts'
import { migrationFiles, type SyncMigration } from './schema/migrations.ts'
import { parseSyncOptions, type SyncOptions } from './settings.ts'
import { MessageWriter, type SyncCounts } from './store-message.ts'
import { type VerifyDataOptions, type VerifyReport, verify } from './verify.ts'

/** Keeps your users' health data in your own Postgres database. */
export interface Sync {
  /**
   * Creates the schema and its tables, or updates them. Safe to run in several processes at once.
   *
   * @throws {SyncError} `statement_failed`, for example if the database user is not allowed to create tables
   */
  migrate(): Promise<void>
  /** The SQL that {@link Sync.migrate} runs, as ordered files for your own migration tool. */
  readonly migrations: readonly SyncMigration[]
  /** Options for `eventHandler` and `nodeEventHandler` that store every event, each in its own transaction. */
  readonly listeners: SyncListeners
  /**
   * Reads users' summaries from the service and stores them. Safe to run while events arrive. After a crash, call it
   * again with the same options to continue after the last stored response.
   *
   * @throws {SyncError} `argument_invalid`, `not_migrated`, `statement_failed`. Also throws the client's errors.
   */
  backfill(options: BackfillOptions): Promise<BackfillReport>
  /**
   * Compares the stored summaries with the service's and repairs the differences.
   *
   * @throws {SyncError} `argument_invalid`, `not_migrated`, `statement_failed`. Also throws the client's errors.
   */
  verify(options: VerifyDataOptions): Promise<VerifyReport>
  /**
   * Retries the messages that were parked in `failed_messages` after their last attempt.
   *
   * @throws {SyncError} `not_migrated`, `statement_failed`
   */
  retry(options?: RetryOptions): Promise<RetryReport>
  /**
   * Deletes all data about a user and stores no further data about them. Only a hash of the id remains, in the
   * `forgotten` table.
   *
   * @throws {SyncError} `argument_invalid`, `not_migrated`, `statement_failed`
   */
  forget(userId: string): Promise<RemovalReport>
  /**
   * Deletes a connection in the service (specification 4.10) and marks it as disconnected in your database. With
   * `onDisconnect: 'remove'`, it also deletes the connection's data and stores no new data until the user connects
   * again.
   *
   * @throws {SyncError} `argument_invalid`, `not_migrated`, `statement_failed`. Also throws the client's errors.
   */
  disconnect(userId: string, provider: string): Promise<RemovalReport>
  /** Returns the counts so far, for metrics. */
  counts(): SyncCounts
}

/**
 * Creates a `Sync`, which keeps a copy of your users' data in your own Postgres database. Any number of processes may
 * share a schema.
 *
 * @throws {SyncError} `argument_invalid` for an invalid option.
 * @throws {StoreError} `argument_invalid` for an unknown type of database.
 * @example
 * const sync = createSync({ client, database: pool, schema: 'health' })
 * await sync.migrate()
 * createServer(nodeEventHandler({ secrets, ...sync.listeners })).listen(8080)
 */
export function createSync(options: SyncOptions): Sync {
  const settings = parseSyncOptions(options)
  const counts: SyncCounts = { messages: 0, rows: 0, failures: 0, parked: 0, unknown: 0 }
  const store = postgresStore(settings.given, { schema: settings.name })
  const writer = new MessageWriter(settings, counts)
  const failed = new FailedMessages(settings, writer)
  const withClient = (): ServiceClient => {
    if (settings.client) return settings.client
    throw new SyncError(
      'argument_invalid',
      'This method needs a client. Pass the client option to createSync.',
    )
  }
  return {
    migrate: () =>
      guard(async () => {
        await store.migrate()
        await migrate(settings)
      }),
    migrations: migrationFiles(settings.schema, store.sql),
    listeners: makeListeners(store, { writer, failed, counts }),
    backfill: (given) =>
      guard(() => backfill({ client: withClient(), settings, counts, options: given })),
    verify: (given) =>
      guard(() => verify({ client: withClient(), settings, counts, options: given })),
    retry: (given = {}) => guard(() => failed.retry(given)),
    forget: (userId) => guard(() => forget(settings, userId)),
    disconnect: (userId, provider) =>
      guard(async () => {
        const deleting = withClient().link.deleteConnection(userId, provider)
        // A 404 and `success: false` are not errors, because an earlier call may have deleted the connection.
        await deleting.catch((error: unknown) => {
          if (!(error instanceof NotFoundError)) throw error
        })
        return disconnect(settings, userId, provider)
      }),
    counts: () => ({ ...counts }),
  }
}

async function guard<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw withoutValues(error)
  }
}
