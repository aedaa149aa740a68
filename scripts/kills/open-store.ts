import {
  type PostgresDatabase,
  postgresStore,
  redisStore,
  type Store,
} from '../../src/stores/index.ts'
import type { StorePlace } from './task.ts'

export interface OpenStore {
  store: Store
  close(): Promise<unknown>
}

/** Opens a store and creates its tables. Loads only the necessary driver, because workers are short-lived. */
export async function openStore({ kind, path }: StorePlace): Promise<OpenStore> {
  if (kind === 'redis') {
    const { Redis } = await import('ioredis')
    const redis = new Redis(path)
    return { store: redisStore(redis), close: () => redis.quit() }
  }
  if (kind === 'pglite') {
    const { PGlite } = await import('@electric-sql/pglite')
    const db = await PGlite.create(path)
    return { store: await migrated(db), close: () => db.close() }
  }
  const { Pool } = await import('pg')
  const pool = new Pool({ host: path, user: 'postgres', database: 'postgres', max: 4 })
  return { store: await migrated(pool), close: () => pool.end() }
}

async function migrated(db: PostgresDatabase): Promise<Store> {
  const store = postgresStore(db)
  await store.migrate()
  return store
}
