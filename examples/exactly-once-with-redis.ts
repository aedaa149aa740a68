/** Handles each event once in several workers that share a Redis server: `npm run example examples/exactly-once-with-redis.ts`. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventHandler } from 'health-lab-sdk/events'
import { createMock } from 'health-lab-sdk/mock'
import { redisStore } from 'health-lab-sdk/stores'
import { createClient } from 'redis'
import { check, fact, part, printSummary } from './support/terminal.ts'

/** Creates a client for the Redis server at a Unix socket. */
function createRedis(path: string) {
  return createClient({ socket: { path, tls: false } })
}

if (spawnSync('redis-server', ['--version']).error) {
  console.log('Skipped: redis-server is not installed (apt-get install -y redis-server)')
  process.exit()
}
const folder = await mkdtemp(join(tmpdir(), 'health-lab-redis-'))
const socket = join(folder, 'redis.sock')
const server = spawn('redis-server', ['--port', '0', '--unixsocket', socket, '--save', ''], {
  stdio: 'ignore',
})
await once(server, 'spawn')

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const effects: string[] = []

/** Starts a worker. In production, each worker is a process. Here, workers share only Redis and the list of effects. */
async function startWorker() {
  const redis = createRedis(socket)
  redis.on('error', () => {}) // the client reconnects, even while the server is starting
  await redis.connect()
  const receive = eventHandler({
    secrets: secret,
    on: {},
    fallback: (_, { id }) => {
      effects.push(id)
    },
    dedupe: redisStore(redis),
  })
  return { receive, stop: () => redis.close() }
}
const workers = await Promise.all([startWorker(), startWorker(), startWorker()])

part('Three workers behind one webhook; every message is delivered at least twice')
const team = createMock({ seed: 42 }).team()
let turn = 0
team.webhooks.add({
  secret,
  handler: (request) => {
    turn += 1
    const next = workers[turn % workers.length] as Awaited<ReturnType<typeof startWorker>>
    return next.receive(request)
  },
  duplicates: 1,
  concurrency: 4,
  reorder: 20,
})
const { user_id } = team.users.create()
for (let at = 0; at < 100; at += 1) team.trigger('daily.data.steps.created', { user_id })
await team.webhooks.idle()
await team.clock.advance('28h')
await team.webhooks.idle()
fact('deliveries', turn)
check('every message was handled', new Set(effects).size === 100)
check('no message was handled twice', effects.length === 100)

for (const { stop } of workers) await stop()
server.kill()
await once(server, 'exit')
await rm(folder, { recursive: true })
printSummary()
