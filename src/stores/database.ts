import { readField } from '../shared/own-fields.ts'
import { StoreError } from './store-error.ts'

/** A result row. */
export type SqlRow = Record<string, unknown>

/** The result of a statement. */
export interface SqlResult<R = SqlRow> {
  /** The rows, each keyed by column name. */
  rows: R[]
}

/** A transaction in your database, with the same interface for every driver. */
export interface SqlTransaction {
  /**
   * Runs a statement in the transaction.
   *
   * @param text The statement, with the placeholders `$1`, `$2` … for the values.
   * @param values The values, in a form that your driver accepts.
   */
  query(text: string, values?: readonly unknown[]): Promise<SqlResult>
}

export interface Database extends SqlTransaction {
  transaction<T>(run: (tx: SqlTransaction) => Promise<T>): Promise<T>
}

/** The part of `pg` that this package uses: a `Pool` or a connected `Client`. */
export interface PgDatabase {
  /** Runs a statement. */
  query(text: string, values?: unknown[]): Promise<SqlResult>
  /**
   * Checks out a client. Called only on a pool (an object with a `totalCount`), with a callback `(error, client)`.
   * Returning a promise for the client also works.
   */
  connect(): Promise<unknown>
}

/** The part of a `postgres` transaction that this package uses. */
export interface PostgresJsTransaction {
  /** Runs a statement. */
  unsafe(
    text: string,
    values?: never[],
  ): PromiseLike<
    SqlRow[] & {
      /** The command that ran, such as `SELECT`. */
      command?: string
    }
  >
}

/** The part of the `sql` function, as returned by `postgres(url)`, that this package uses. */
export interface PostgresJsDatabase extends PostgresJsTransaction {
  /** Runs a function in a transaction. `options` follows `begin` in the SQL statement. */
  begin(options: string, run: (sql: PostgresJsTransaction) => Promise<void>): Promise<unknown>
}

/** The part of a PGlite transaction that this package uses. */
export interface PgliteTransaction {
  /** Runs a statement. */
  query(text: string, values?: unknown[]): Promise<SqlResult<unknown>>
}

/** The part of PGlite that this package uses. */
export interface PgliteDatabase extends PgliteTransaction {
  /** Runs a function in a transaction. */
  transaction(run: (tx: PgliteTransaction) => Promise<unknown>): Promise<unknown>
}

/** A database accessed through `pg`, `postgres` or PGlite. */
export type PostgresDatabase = PgDatabase | PostgresJsDatabase | PgliteDatabase

/** The query function of every driver except `postgres`. Only `pg` returns a `command`. */
type Queryable = {
  query(text: string, values?: unknown[]): Promise<SqlResult & { command?: string }>
}

type PgPool = Queryable & {
  connect(
    onEnd: (error: unknown, client?: PoolClient) => void,
  ): PoolClient | undefined | PromiseLike<PoolClient | undefined>
}

type PoolClient = Queryable & {
  release(error?: boolean): void
  on(name: 'error', listener: () => void): unknown
  off(name: 'error', listener: () => void): unknown
}

/** The isolation level that locks rely on: each statement sees what other transactions have committed. */
const isolation = 'isolation level read committed'

/** @throws {StoreError} `argument_invalid` */
export function adaptDatabase(db: PostgresDatabase): Database {
  const database = adaptDriver(db)
  return { ...database, transaction: (run) => runUntilEnd(database, run) }
}

function adaptDriver(db: PostgresDatabase): Database {
  // A driver is recognized by its functions. The casts are safe, because the types differ only in unused details.
  const given = Object(db) as Record<string, unknown>
  if (typeof given['unsafe'] === 'function') return adaptPostgresJs(db as PostgresJsDatabase)
  if (typeof given['transaction'] === 'function') return adaptPglite(db as PgliteDatabase)
  const isPg = typeof given['query'] === 'function' && typeof given['connect'] === 'function'
  if (isPg && 'totalCount' in given) return adaptPool(db as PgPool)
  if (isPg) return adaptClient(db as Queryable)
  throw new StoreError(
    'argument_invalid',
    'Expected the database to be a pg Pool or Client, the postgres sql function, or PGlite.',
  )
}

/**
 * Runs a transaction and rejects statements sent after it ends, because the connection may already be running another
 * transaction. If the connection is lost, `postgres` ends the transaction while the function is still running.
 */
async function runUntilEnd<T>(
  database: Database,
  run: (tx: SqlTransaction) => Promise<T>,
): Promise<T> {
  let isOver = false
  const end = () => {
    isOver = true
  }
  const open = (tx: SqlTransaction): SqlTransaction => ({
    query: async (text, values) => {
      if (isOver) throw transactionEnded()
      return tx.query(text, values)
    },
  })
  return database.transaction((tx) => run(open(tx)).finally(end)).finally(end)
}

function transactionEnded(): StoreError {
  return new StoreError(
    'transaction_ended',
    'The statement was not sent, because its transaction has ended. Await every statement before the listener returns.',
  )
}

function adaptPostgresJs(db: PostgresJsDatabase): Database {
  checkNames(db)
  // `postgres` accepts every value that the other drivers accept.
  const send = (sql: PostgresJsTransaction, text: string, values: readonly unknown[]) =>
    sql.unsafe(text, [...values] as never[])
  return {
    query: async (text, values = []) => ({ rows: [...(await send(db, text, values))] }),
    async transaction<T>(run: (tx: SqlTransaction) => Promise<T>) {
      let result: { value: T } | undefined
      // After the connection is lost, further statements, even a rollback, would run in another transaction or end the
      // process.
      let isLost = false
      const sendUntilLost: typeof send = async (...statement) => {
        if (isLost) throw transactionEnded()
        try {
          return await send(...statement)
        } catch (error) {
          isLost ||= lostConnection.test(String(Object(error).code))
          throw error
        }
      }
      const complete = async (sql: PostgresJsTransaction) => {
        const value = await run({
          query: async (text, values = []) => ({
            rows: [...(await sendUntilLost(sql, text, values))],
          }),
        })
        // Commit here, because `begin` does not report that Postgres rolled back instead.
        const { command } = await sendUntilLost(sql, 'commit and chain', [])
        if (command === 'ROLLBACK') throw rolledBack()
        result = { value }
      }
      try {
        // When the connection is lost, `begin` rejects on its own, so the function need not settle.
        const wait = () => (isLost ? new Promise<void>(() => {}) : undefined)
        await db.begin(isolation, (sql) => complete(sql).finally(wait))
      } catch (error) {
        if (result === undefined) throw error
      } finally {
        isLost = true
      }
      return (result as unknown as { value: T }).value
    },
  }
}

/** The `postgres` error codes for a lost connection. */
const lostConnection = /^(?:CONNECTION_|E[A-Z]+$|ERR_(?:SSL|TLS|STREAM|SOCKET)_)/

/**
 * Checks that a `transform` option does not change one-word column names, the only ones that this package reads.
 * `postgres.camel` and `postgres.kebab` keep such names.
 */
function checkNames(db: PostgresJsDatabase): void {
  const from = ['options', 'transform', 'column', 'from'].reduce<unknown>(readField, db)
  if (typeof from !== 'function' || from('id') === 'id') return
  throw new StoreError(
    'argument_invalid',
    'Expected the transform of postgres to keep one-word column names, as postgres.camel does.',
  )
}

function adaptPglite(db: PgliteDatabase): Database {
  return {
    ...adaptQuery(db as Queryable),
    transaction: async <T>(run: (tx: SqlTransaction) => Promise<T>) =>
      // PGlite resolves to the function's result.
      (await db.transaction(async (tx) => {
        await tx.query(`set transaction ${isolation}`)
        const result = await run(adaptQuery(tx as Queryable))
        // Older PGlite versions, such as 0.5.12, do not report that a commit became a rollback. After a failed
        // statement, all later statements fail too, so one more statement detects the rollback.
        await tx.query('select 1').catch((cause) => {
          throw Object(cause).code === failedTransaction ? rolledBack() : cause
        })
        return result
      })) as T,
  }
}

function adaptQuery(db: Queryable): SqlTransaction {
  return { query: (text, values = []) => db.query(text, [...values]) }
}

function adaptPool(db: PgPool): Database {
  return {
    ...adaptQuery(db),
    async transaction(run) {
      const client = await takeClient(db)
      let isBroken = false
      try {
        return await runTransaction(client, run, () => {
          isBroken = true
        })
      } finally {
        client.off('error', noop)
        client.release(isBroken)
      }
    },
  }
}

/**
 * Takes a client and listens for its errors, which the pool does not do while the client is in use. Without a listener,
 * a lost connection ends the process. Passes a callback, because the connection may be lost before code that awaits a
 * promise runs. Some pool wrappers ignore the callback and return a promise.
 */
function takeClient(db: PgPool): Promise<PoolClient> {
  return new Promise((resolve, reject) => {
    let taken: PoolClient | undefined
    const take = (client?: PoolClient) => {
      if (!client || taken) return
      taken = client
      client.on('error', noop)
      resolve(client)
    }
    const returned = db.connect((error, client) => (client ? take(client) : reject(error)))
    Promise.resolve(returned).then(take, reject)
  })
}

/** Ignores connection errors, because the running or next statement rejects with them. */
function noop(): void {}

interface Connection {
  /** Settles when the last statement or transaction ends. */
  last: Promise<unknown>
  /** Whether a transaction may still be open. */
  isUnclean: boolean
}

/** The connections, keyed by client, because several stores may share a client. */
const connections = new WeakMap<object, Connection>()

/** Adapts a client. Statements outside a transaction wait until the transaction has ended. */
function adaptClient(db: Queryable): Database {
  const connection = connections.get(db) ?? { last: Promise.resolve(), isUnclean: false }
  connections.set(db, connection)
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const result = connection.last.then(async () => {
      if (connection.isUnclean) await db.query('rollback')
      connection.isUnclean = false
      return run()
    })
    connection.last = result.catch(() => {})
    return result
  }
  return {
    query: (text, values = []) => inTurn(() => db.query(text, [...values])),
    transaction: (run) =>
      inTurn(() =>
        runTransaction(db, run, () => {
          connection.isUnclean = true
        }),
      ),
  }
}

/** The SQLSTATE code for a statement in a transaction that has already failed. */
export const failedTransaction = '25P02'

/** Returns the error for a commit that became a rollback. Postgres itself reports no error. */
function rolledBack(): StoreError {
  return new StoreError(
    'rolled_back',
    'The transaction was rolled back, because a statement failed and its error was caught. Rethrow it, or use a savepoint.',
  )
}

/** @param onUnclean Called if the rollback fails. The transaction may then still be open. */
async function runTransaction<T>(
  db: Queryable,
  run: (tx: SqlTransaction) => Promise<T>,
  onUnclean: () => void,
): Promise<T> {
  try {
    // A `begin` that rejects may still take effect, so roll back in that case too.
    await db.query(`begin ${isolation}`)
    const result = await run(adaptQuery(db))
    const { command } = await db.query('commit')
    if (command === 'ROLLBACK') throw rolledBack()
    return result
  } catch (cause) {
    await db.query('rollback').catch(onUnclean)
    throw cause
  }
}
