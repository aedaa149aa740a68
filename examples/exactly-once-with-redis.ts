/** Events handled once by several processes that share a Redis: `npx node examples/exactly-once-with-redis.ts`. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'redis'
import { createMock } from '../mock/index.ts'
import { eventHandler } from '../src/events/index.ts'
import { redisStore } from './support/redis-store.ts'
import { check, close, fact, part } from './support/terminal.ts'

/** A client of the Redis on a socket of this machine. */
function client(path: string) {
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

/** One of the processes; here they share nothing but Redis and the list of what was done. */
async function worker() {
  const redis = client(socket)
  redis.on('error', () => {}) // it connects again by itself, also while the server starts
  await redis.connect()
  const receive = eventHandler({
    secrets: secret,
    on: {},
    fallback: (_, { id }) => {
      effects.push(id)
    },
    dedupe: redisStore(redis),
  })
  return { receive, leave: () => redis.close() }
}
const workers = await Promise.all([worker(), worker(), worker()])

part('Three workers behind one address, and every message at least twice')
const team = createMock({ seed: 42 }).team()
let turn = 0
team.webhooks.add({
  secret,
  handler: (request) => {
    turn += 1
    const next = workers[turn % workers.length] as Awaited<ReturnType<typeof worker>>
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
check('every message had its effect', new Set(effects).size === 100)
check('none had two', effects.length === 100)

for (const { leave } of workers) await leave()
server.kill()
await once(server, 'exit')
await rm(folder, { recursive: true })
close()
