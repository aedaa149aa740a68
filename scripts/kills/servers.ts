import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasPostgres, startPostgres } from '../../test/support/programs/postgres.ts'
import { hasRedis, startRedis } from '../../test/support/programs/redis.ts'
import type { StoreKind, StorePlace } from './task.ts'

/** Empty stores, which are deleted afterwards. */
export interface StoreServer {
  places: StorePlace[]
  /** The number of processes that may use one store at the same time. */
  processes: number
  stop(): Promise<unknown>
}

/** Starts empty stores for four processes. Returns undefined if the server is not installed. */
export async function startServer(kind: StoreKind): Promise<StoreServer | undefined> {
  if (kind === 'pglite') {
    // PGlite supports only one process, so each process has its own store.
    const path = mkdtempSync(join(tmpdir(), 'health-lab-pglite-'))
    const places = ['a', 'b', 'c', 'd'].map((name) => ({ kind, path: join(path, name) }))
    return { places, processes: 1, stop: async () => rmSync(path, { recursive: true }) }
  }
  if (kind === 'redis') {
    if (!hasRedis) return undefined
    const { path, stop } = await startRedis()
    return { places: [{ kind, path }], processes: 4, stop }
  }
  if (!hasPostgres) return undefined
  const { connection, stop } = await startPostgres()
  return { places: [{ kind, path: connection.host }], processes: 4, stop }
}
