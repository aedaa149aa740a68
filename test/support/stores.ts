import { PGlite } from '@electric-sql/pglite'
import { Redis } from 'ioredis'
import { Client, Pool } from 'pg'
import postgres from 'postgres'
import { afterAll, beforeAll } from 'vitest'
import {
  memoryStore,
  type PostgresDatabase,
  type PostgresStore,
  postgresStore,
  redisStore,
  type Store,
} from '../../src/stores/index.ts'
import { hasPostgres, startPostgres, withoutPostgres } from './programs/postgres.ts'
import { hasRedis, startRedis, withoutRedis } from './programs/redis.ts'

let count = 0

function next(name: string): string {
  count += 1
  return `${name}_${count}`
}

/** A kind of store, for the tests that all of them pass. */
export interface StoreSubject {
  name: string
  /** Whether its server is installed. */
  isThere: boolean
  /** Makes an empty store. */
  make(): Promise<Store>
}

/** A kind of database. */
export interface DatabaseSubject {
  name: string
  isThere: boolean
  /** Returns the database, the same one for every call. */
  db(): PostgresDatabase
}

export const databaseNames = ['PGlite', 'pg Pool', 'pg Client', 'postgres'] as const

let pglite: Promise<PGlite> | undefined

/** Returns the PGlite that the test files of a worker share: it takes long to create. */
export function sharedPglite(): Promise<PGlite> {
  pglite ??= PGlite.create()
  return pglite
}

/** Starts the installed servers of some databases, and Redis for stores that need it, for the tests of a file. */
export function useServers(names: readonly (typeof databaseNames)[number][] = databaseNames) {
  let server: Awaited<ReturnType<typeof startPostgres>> | undefined
  let redis: ReturnType<typeof startRedis> | undefined
  const closing: (() => unknown)[] = []
  const opened = new Map<string, PostgresDatabase>()
  beforeAll(async () => {
    opened.set('PGlite', await sharedPglite())
    if (!hasPostgres || names.every((name) => name === 'PGlite')) return
    server = await startPostgres()
    const { connection } = server
    const pool = new Pool(connection)
    const client = new Client(connection)
    await client.connect()
    const sql = postgres({
      ...connection,
      path: `${connection.host}/.s.PGSQL.5432`,
      onnotice: () => {},
    })
    opened.set('pg Pool', pool).set('pg Client', client).set('postgres', sql)
    closing.push(
      () => pool.end(),
      () => client.end(),
      () => sql.end(),
    )
  })
  afterAll(async () => {
    for (const close of closing) await close()
    await server?.stop()
    await (await redis)?.stop()
  })

  const databases: DatabaseSubject[] = names.map((name) => {
    const isThere = name === 'PGlite' || hasPostgres
    const db = () => {
      const found = opened.get(name)
      if (!found) throw new Error(`${name} is not open.`)
      return found
    }
    return { name: isThere ? name : `${name} ${withoutPostgres}`, isThere, db }
  })
  const makePostgres = async (db: PostgresDatabase): Promise<PostgresStore> => {
    const store = postgresStore(db, { schema: next('schema') })
    await store.migrate()
    return store
  }
  const stores: StoreSubject[] = [
    { name: 'memory', isThere: true, make: async () => memoryStore() },
    ...databases.map(({ name, isThere, db }) => ({
      name,
      isThere,
      make: () => makePostgres(db()),
    })),
    ...['redis', 'ioredis'].map((name) => ({
      name: hasRedis ? name : `${name} ${withoutRedis}`,
      isThere: hasRedis,
      make: async () => {
        redis ??= startRedis()
        const { redis: connected, path } = await redis
        if (name === 'redis') return redisStore(connected, { prefix: next('prefix') })
        const client = new Redis(path)
        closing.push(() => client.quit())
        return redisStore(client, { prefix: next('prefix') })
      },
    })),
  ]
  return { stores, databases, makePostgres }
}
