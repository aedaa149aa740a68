import { StoreError } from './store-error.ts'

/** A row of a result. */
export type SqlRow = Record<string, unknown>

/** The result of a statement. */
export interface SqlResult<R = SqlRow> {
  /** The rows, by the names of their columns. */
  rows: R[]
}

/** A transaction of your database, with one function for every driver. */
export interface SqlTransaction {
  /**
   * Runs a statement in the transaction.
   *
   * @param text The statement, with `$1`, `$2` … for the values.
   * @param values The values, in the form that your driver accepts.
   */
  query(text: string, values?: readonly unknown[]): Promise<SqlResult>
}

/** What `postgresStore` needs of a database, for every driver. */
export interface Database extends SqlTransaction {
  /** Runs a function in a transaction: commits when it resolves, and rolls back when it rejects. */
  transaction<T>(run: (tx: SqlTransaction) => Promise<T>): Promise<T>
}

/** The used part of `pg`: a `Pool`, or a connected `Client`. */
export interface PgDatabase {
  /** Runs a statement. */
  query(text: string, values?: unknown[]): Promise<SqlResult>
  /** Connects; a pool resolves with a client. */
  connect(): Promise<unknown>
}

/** The used part of a transaction of `postgres`. */
export interface PostgresJsTransaction {
  /** Runs a statement. */
  unsafe(text: string, values?: never[]): PromiseLike<SqlRow[]>
}

/** The used part of `postgres`: the function that `postgres(url)` returns. */
export interface PostgresJsDatabase extends PostgresJsTransaction {
  /** Runs a function in a transaction, with what follows `begin` in SQL. */
  begin(options: string, run: (sql: PostgresJsTransaction) => Promise<void>): Promise<unknown>
}

/** The used part of a transaction of PGlite. */
export interface PgliteTransaction {
  /** Runs a statement. */
  query(text: string, values?: unknown[]): Promise<SqlResult<unknown>>
}

/** The used part of PGlite. */
export interface PgliteDatabase extends PgliteTransaction {
  /** Runs a function in a transaction. */
  transaction(run: (tx: PgliteTransaction) => Promise<unknown>): Promise<unknown>
}

/** A database of `pg`, `postgres` or PGlite. */
export type PostgresDatabase = PgDatabase | PostgresJsDatabase | PgliteDatabase

/** What all drivers but `postgres` have; `command` of a result only `pg`. */
type Queryable = {
  query(text: string, values?: unknown[]): Promise<SqlResult & { command?: string }>
}

/** A client of a pool of `pg`. */
type PoolClient = Queryable & {
  release(error?: boolean): void
  on(name: 'error', listener: () => void): unknown
  off(name: 'error', listener: () => void): unknown
}

/** The level that locks rely on: each statement sees what other transactions have committed. */
const isolation = 'isolation level read committed'

/**
 * Returns a database with the same functions for every driver.
 *
 * @throws {StoreError} `argument_invalid`
 */
export function adaptDatabase(db: PostgresDatabase): Database {
  // The functions that an object has distinguish the drivers; their types differ in details that are not used.
  const given = Object(db) as Record<string, unknown>
  if (typeof given['unsafe'] === 'function') return adaptPostgresJs(db as PostgresJsDatabase)
  if (typeof given['transaction'] === 'function') return adaptPglite(db as PgliteDatabase)
  const isPg = typeof given['query'] === 'function' && typeof given['connect'] === 'function'
  if (isPg && 'totalCount' in given) return adaptPool(db as Queryable & PgDatabase)
  if (isPg) return adaptClient(db as Queryable)
  throw new StoreError(
    'argument_invalid',
    'Expected the database of postgresStore to be a Pool or Client of pg, the sql function of postgres, or a PGlite.',
  )
}

function adaptPostgresJs(db: PostgresJsDatabase): Database {
  const adapt = (sql: PostgresJsTransaction): SqlTransaction => ({
    // `postgres` accepts every value that the others accept.
    query: async (text, values = []) => ({
      rows: [...(await sql.unsafe(text, values as never[]))],
    }),
  })
  return {
    ...adapt(db),
    // The result of `begin` is that of the function, unless it is an array of queries.
    transaction: async <T>(run: (tx: SqlTransaction) => Promise<T>) => {
      let result: { value: T } | undefined
      await db.begin(isolation, async (sql) => {
        result = { value: await run(adapt(sql)) }
      })
      return (result as unknown as { value: T }).value
    },
  }
}

function adaptPglite(db: PgliteDatabase): Database {
  return {
    ...adaptQuery(db as Queryable),
    transaction: async <T>(run: (tx: SqlTransaction) => Promise<T>) =>
      // PGlite resolves with the result of the function.
      (await db.transaction(async (tx) => {
        await tx.query(`set transaction ${isolation}`)
        return run(adaptQuery(tx as Queryable))
      })) as T,
  }
}

function adaptQuery(db: Queryable): SqlTransaction {
  return { query: (text, values = []) => db.query(text, [...values]) }
}

function adaptPool(db: Queryable & PgDatabase): Database {
  return {
    ...adaptQuery(db),
    async transaction(run) {
      // `connect` of a pool resolves with a client.
      const client = (await db.connect()) as PoolClient
      let isBroken = true
      // The pool does not listen while a client is in use: without a listener, a lost connection ends the process.
      client.on('error', noop)
      try {
        const result = await runTransaction(client, run)
        isBroken = false
        return result
      } catch (error) {
        isBroken = error instanceof RollbackFailure
        throw error instanceof RollbackFailure ? error.cause : error
      } finally {
        client.off('error', noop)
        client.release(isBroken)
      }
    },
  }
}

/** The statement that runs, or the next one, rejects with the error of the connection. */
function noop(): void {}

/** One connection: a statement that is not part of a transaction waits until the transaction has ended. */
function adaptClient(db: Queryable): Database {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const result = last.then(run)
    last = result.catch(() => {})
    return result
  }
  return {
    query: (text, values = []) => inTurn(() => db.query(text, [...values])),
    transaction: (run) =>
      inTurn(() =>
        runTransaction(db, run).catch((error: unknown) => {
          throw error instanceof RollbackFailure ? error.cause : error
        }),
      ),
  }
}

/** The connection cannot be used any more; `cause` is why the transaction failed. */
class RollbackFailure extends Error {}

/** Postgres ends a transaction with a failed statement without an error. */
function rolledBack(): StoreError {
  return new StoreError(
    'rolled_back',
    'The transaction was rolled back, because one of its statements failed and the error was caught. Let the error through, or use a savepoint.',
  )
}

async function runTransaction<T>(
  db: Queryable,
  run: (tx: SqlTransaction) => Promise<T>,
): Promise<T> {
  await db.query(`begin ${isolation}`)
  try {
    const result = await run(adaptQuery(db))
    const { command } = await db.query('commit')
    if (command === 'ROLLBACK') throw rolledBack()
    return result
  } catch (cause) {
    await db.query('rollback').catch(() => {
      throw new RollbackFailure('', { cause })
    })
    throw cause
  }
}
