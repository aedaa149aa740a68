export type { Open } from '../contract/values/known-values.ts'
export type { Claim, DedupeStore, TransactionalStore } from '../events/dedupe.ts'
export type {
  PgDatabase,
  PgliteDatabase,
  PgliteTransaction,
  PostgresDatabase,
  PostgresJsDatabase,
  PostgresJsTransaction,
  SqlResult,
  SqlRow,
  SqlTransaction,
} from './database.ts'
export { memoryStore } from './memory.ts'
export { type PostgresStore, type PostgresStoreOptions, postgresStore } from './postgres.ts'
export { type RedisStoreOptions, redisStore } from './redis.ts'
export type { IoRedisClient, RedisClient } from './redis-scripts.ts'
export { StoreError, type StoreErrorCode, storeErrorCodes } from './store-error.ts'
export type {
  PruneOptions,
  Retention,
  Store,
  StoredWrite,
  WriteEnd,
  WriteHold,
  WriteIntent,
  WriteState,
  WriteStore,
} from './write-store.ts'
