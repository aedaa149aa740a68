import { type Claim, claimResults, type TransactionalStore } from '../events/dedupe.ts'
import {
  adaptDatabase,
  type Database,
  failedTransaction,
  type PostgresDatabase,
  type SqlRow,
  type SqlTransaction,
} from './database.ts'
import {
  baseStatements,
  messageStatements,
  migrationSql,
  versionStatements,
  writeStatements,
} from './postgres-statements.ts'
import { StoreError } from './store-error.ts'
import { type Retention, readDurations, readWrite, type Store } from './write-store.ts'

/** Options for {@link postgresStore}. */
export interface PostgresStoreOptions extends Retention {
  /**
   * The Postgres schema of the tables: up to 63 letters, digits or underscores, not starting with a digit. Default:
   * `health_lab_sdk`.
   */
  schema?: string | undefined
  /**
   * How long a claim lasts, in milliseconds. Must exceed the slowest listener's run time. A listener in a transaction
   * needs no claim. Default: 10 minutes.
   */
  claimFor?: number | undefined
}

/** A store backed by Postgres. */
export interface PostgresStore extends Store, TransactionalStore<SqlTransaction> {
  /**
   * Creates the schema and its tables, or updates them. Safe to run in several processes at once. The schema must
   * exist, or the database user must be allowed to create it.
   */
  migrate(): Promise<void>
  /** The SQL that {@link PostgresStore.migrate} runs on a new database, for your own migration tool. */
  readonly sql: string
}

/** The first key of `migrate`'s advisory lock; the second is a hash of the schema's name. */
const migrationLock = 1_214_606_444

/**
 * Returns a store backed by Postgres, for any number of processes. Accepts a `Pool` or connected `Client` from `pg`,
 * the `sql` function from `postgres`, or PGlite. With a `Client` or PGlite, calls to the store wait while a transaction
 * runs, so do not await them inside a transaction.
 *
 * @throws {StoreError} `argument_invalid` for an invalid argument. The store's functions reject with `not_migrated` if
 *   the tables do not exist, and with the driver's error if the database cannot be reached.
 * @example
 * const store = postgresStore(pool, { schema: 'health' })
 * await store.migrate()
 */
export function postgresStore(
  db: PostgresDatabase,
  options: PostgresStoreOptions = {},
): PostgresStore {
  const { schema: name = 'health_lab_sdk' } = options
  const { claimFor, keepMessages, keepWrites } = readDurations('postgresStore', options)
  if (!/^[a-z_]\w{0,62}$/i.test(name)) {
    throw new StoreError(
      'argument_invalid',
      'Expected the schema of postgresStore to be 1 to 63 letters, digits or _, not starting with a digit.',
    )
  }
  const schema = `"${name}"`
  const database = adaptDatabase(db)
  const run = withTables(database)
  return {
    ...messageFunctions(database, schema, { claimFor, keepMessages }),
    ...writeFunctions(run, schema),
    migrate: () => migrate(database, schema),
    sql: migrationSql(schema),
    async prune({ limit = 1000, now = Date.now() } = {}) {
      if (!Number.isSafeInteger(limit) || limit < 1) {
        throw new StoreError(
          'argument_invalid',
          'Expected the limit of prune to be a positive integer.',
        )
      }
      const { pruneMessages } = messageStatements(schema)
      const { prune } = writeStatements(schema)
      const messages = await deleteInSteps(() => run(pruneMessages, [limit, now]), limit)
      const writes = await deleteInSteps(
        () => run(prune, [limit, Math.max(0, now - keepWrites)]),
        limit,
      )
      return messages + writes
    },
  }
}

type Run = (text: string, values: readonly unknown[]) => Promise<SqlRow[]>

/** The SQLSTATE codes for an undefined table and an invalid schema name. */
const missingTable = new Set(['42P01', '3F000'])

/**
 * The SQLSTATE code for a conflict with a concurrent transaction. It occurs only if the default isolation level is
 * stricter than `read committed`.
 */
const serializationFailure = '40001'

/**
 * Returns a function that runs statements, and retries those that conflict with a concurrent transaction. It throws
 * `not_migrated` if the tables do not exist.
 */
function withTables(db: SqlTransaction): Run {
  return async (text, values) => {
    let disturbed: unknown
    for (let retries = 20; ; retries -= 1) {
      try {
        return (await db.query(text, values)).rows
      } catch (cause) {
        const code = String(Object(cause).code)
        if (code === serializationFailure && retries > 0) {
          disturbed = cause
          continue
        }
        // Report the conflict that ended the transaction. Only the caller can retry the whole transaction.
        if (code === failedTransaction && disturbed) throw disturbed
        if (!missingTable.has(code)) throw cause
        throw new StoreError(
          'not_migrated',
          'The tables of postgresStore do not exist. Call migrate() once, or run its SQL with your migration tool.',
        )
      }
    }
  }
}

async function migrate(database: Database, schema: string): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1::int, hashtext($2))', [migrationLock, schema])
    const [createSchema, createMigrations] = baseStatements(schema)
    // A database user who is not allowed to create schemas can still use an existing one.
    if (!(await hasSchema(tx, schema))) await tx.query(createSchema)
    await tx.query(createMigrations)
    const { rows } = await tx.query(`select max(version) as version from ${schema}.migrations`)
    const missing = versionStatements(schema).slice(Number(rows[0]?.['version'] ?? 0))
    for (const statement of missing.flat()) await tx.query(statement)
  })
}

async function hasSchema(tx: SqlTransaction, schema: string): Promise<boolean> {
  const { rows } = await tx.query('select to_regnamespace($1) is not null as found', [schema])
  return rows[0]?.['found'] === true
}

function messageFunctions(
  database: Database,
  schema: string,
  { claimFor, keepMessages }: { claimFor: number; keepMessages: number },
): TransactionalStore<SqlTransaction> {
  const sql = messageStatements(schema)
  /**
   * Stores a token, or an empty one for a handled message. Returns `claimed`, or the reason that nothing was stored.
   */
  const claim = async (run: Run, id: string, token: string): Promise<Claim> => {
    const keep = token === '' ? keepMessages : claimFor
    const [row] = await run(sql.claim, [id, token, keep])
    // Read again: a statement does not see a row that a concurrent statement adds.
    const { result } = row ?? (await run(sql.read, [id]))[0] ?? {}
    return claimResults.find((one) => one === result) ?? 'busy'
  }
  const run = withTables(database)
  return {
    claim: (id, token) => claim(run, id, token),
    finish: async (id, token) => (await run(sql.finish, [id, token, keepMessages])).length > 0,
    release: (id, token) => run(sql.release, [id, token]),
    handle: (id, listener) =>
      database.transaction(async (tx) => {
        const result = await claim(withTables(tx), id, '')
        if (result === 'claimed') await listener(tx)
        return result
      }),
  }
}

function writeFunctions(
  run: Run,
  schema: string,
): Omit<Store, 'claim' | 'finish' | 'release' | 'prune'> {
  const sql = writeStatements(schema)
  const read = async (id: string) => (await run(sql.read, [id])).map(toWrite)[0]
  return {
    read,
    async begin(intent) {
      const { id, operation, input, token, heldUntil, progress, now } = intent
      for (;;) {
        const values = [id, operation, input, token, heldUntil, progress, now]
        const [row] = await run(sql.begin, values)
        // Read again: a statement does not see a row that a concurrent statement adds.
        const write = row ? toWrite(row) : await read(id)
        if (write) return write
      }
    },
    save: async (id, { token, heldUntil, progress = null }) =>
      (await run(sql.save, [id, token, heldUntil, progress])).length > 0,
    end: async ({ id, attempt, state, outcome, holder = null, now }) => {
      const values = [id, attempt, state, outcome, holder, now]
      return (await run(sql.end, values)).length > 0
    },
    open: async (limit) => (await run(sql.open, [limit])).map(toWrite),
  }
}

async function deleteInSteps(step: () => Promise<SqlRow[]>, limit: number): Promise<number> {
  for (let total = 0; ; ) {
    const { length } = await step()
    total += length
    if (length < limit) return total
  }
}

/** Converts a row to a write. Postgres returns column names in lower case. */
const toWrite = (row: SqlRow) => readWrite((name) => row[name.toLowerCase()])
