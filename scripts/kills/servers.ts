import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasPostgres, startPostgres } from '../../test/support/postgres.ts'
import { hasRedis, startRedis } from '../../test/support/redis.ts'
import type { StoreKind, StorePlace } from './task.ts'

/** A place for a store, which is deleted afterwards. */
export interface StoreServer {
  place: StorePlace
  /** How many processes may use it at the same time. */
  processes: number
  stop(): Promise<unknown>
}

/** Starts an empty store; undefined if its server is not installed. */
export async function startServer(kind: StoreKind): Promise<StoreServer | undefined> {
  if (kind === 'pglite') {
    const path = mkdtempSync(join(tmpdir(), 'health-lab-pglite-'))
    const stop = async () => rmSync(path, { recursive: true })
    return { place: { kind, path: join(path, 'data') }, processes: 1, stop }
  }
  if (kind === 'redis') {
    if (!hasRedis) return undefined
    const { path, stop } = await startRedis()
    return { place: { kind, path }, processes: 4, stop }
  }
  if (!hasPostgres) return undefined
  const { connection, stop } = await startPostgres()
  return { place: { kind, path: connection.host }, processes: 4, stop }
}
