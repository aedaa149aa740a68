import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'redis'

/** Whether a Redis server is installed. */
export const hasRedis = spawnSync('redis-server', ['--version']).error === undefined

/** Why tests with Redis are skipped. */
export const withoutRedis = 'is skipped: redis-server is not installed'

/** Starts a Redis server on a Unix socket; returns a client, and a function that stops both. */
export async function startRedis() {
  const folder = mkdtempSync(join(tmpdir(), 'health-lab-redis-'))
  const path = join(folder, 'redis.sock')
  const options = ['--port', '0', '--unixsocket', path, '--save', '']
  const server = spawn('redis-server', options, { stdio: 'ignore' })
  await once(server, 'spawn')
  const redis = createClient({ socket: { path, tls: false } })
  redis.on('error', () => {}) // the client reconnects while the server starts
  await redis.connect()
  const stop = async () => {
    await redis.close()
    server.kill()
    await once(server, 'exit')
    rmSync(folder, { recursive: true })
  }
  return { redis, path, stop }
}
