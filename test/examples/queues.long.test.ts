import { readFileSync } from 'node:fs'
import { QueueEvents, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { blocksOf } from '../../docs/.vitepress/code/blocks.ts'
import { startBookings } from '../../examples/queues/bullmq.ts'
import { importDay } from '../../examples/queues/cron.ts'
import { startOrders } from '../../examples/queues/pg-boss.ts'
import { createMock } from '../../mock/index.ts'
import { durable } from '../../src/durable/index.ts'
import { ServiceClient } from '../../src/index.ts'
import { memoryStore } from '../../src/stores/index.ts'
import { orderBody, recipe } from '../support/bodies.ts'
import { hasPostgres, startPostgres, withoutPostgres } from '../support/programs/postgres.ts'
import { hasRedis, startRedis, withoutRedis } from '../support/programs/redis.ts'

/** A limit that only a test that hangs reaches. */
const waiting = { timeout: 60_000 }

let redis: Awaited<ReturnType<typeof startRedis>> | undefined
let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined

beforeAll(async () => {
  if (hasRedis) redis = await startRedis()
  if (hasPostgres) postgres = await startPostgres()
})

afterAll(async () => {
  await redis?.stop()
  await postgres?.stop()
})

it.each(['bullmq', 'pg-boss', 'cron'])('shows the recipe %s in the guide', (name) => {
  const source = readFileSync(`examples/queues/${name}.ts`, 'utf8')
  const blocks = blocksOf(readFileSync('docs/guides/queues.md', 'utf8'))
  expect(blocks.map(({ code }) => code)).toContain(source)
  expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(25)
})

it.skipIf(!hasRedis)(
  `books once, although BullMQ runs the job twice${hasRedis ? '' : ` ${withoutRedis}`}`,
  async () => {
    const team = createMock().team()
    const { id: orderId } = team.orders.create()
    const connection = new Redis(redis?.path ?? '', { maxRetriesPerRequest: null })
    const { book, queue, worker } = startBookings(new ServiceClient(team.connection()), connection)
    const listening = connection.duplicate()
    for (const each of [connection, listening]) each.on('error', () => {})
    const events = new QueueEvents('bookings', { connection: listening })
    const data = { orderId, slot: 'bk_confirm_after_5m' }
    const first = await book('visit-17', data)
    expect(await first.waitUntilFinished(events)).toBe('booked')
    await first.remove()
    const again = await book('visit-17', data)
    expect(await again.waitUntilFinished(events)).toBe('booked')
    expect(team.journal.lines('orders.bookPhlebotomyAppointment')).toHaveLength(1)
    await events.close()
    await worker.close()
    await queue.close()
    for (const each of [connection, listening]) each.disconnect()
  },
)

it.skipIf(!hasRedis)(
  `continues a booking whose BullMQ workers crashed again and again${hasRedis ? '' : ` ${withoutRedis}`}`,
  async () => {
    const team = createMock().team()
    const client = new ServiceClient(team.connection())
    const connection = new Redis(redis?.path ?? '', { maxRetriesPerRequest: null })
    connection.on('error', () => {})
    const stopped = startBookings(client, connection)
    await stopped.worker.close()
    // Otherwise, other workers would not look for stalled jobs for 30 s.
    await connection.del('bull:bookings:stalled-check')
    const data = { orderId: team.orders.create().id, slot: 'bk_confirm_after_5m' }
    const job = await stopped.book('visit-18', data)
    const { maxStalledCount = 1 } = stopped.worker.opts
    const short = { connection, maxStalledCount, lockDuration: 10, stalledInterval: 20 }
    for (let crash = 1; crash <= 5; crash += 1) {
      const crashing = new Worker('bookings', () => new Promise(() => {}), {
        ...short,
        skipLockRenewal: true,
        skipStalledCheck: true,
      })
      await vi.waitFor(async () => expect(await job.getState()).toBe('active'), waiting)
      await crashing.close(true)
      const checking = new Worker('bookings', undefined, { ...short, autorun: false })
      await checking.startStalledCheckTimer()
      await vi.waitFor(async () => expect(await job.getState()).not.toBe('active'), waiting)
      await checking.close()
      expect(await job.getState()).toBe('waiting')
    }
    const { queue, worker } = startBookings(client, connection)
    await vi.waitFor(async () => expect(await job.getState()).toBe('completed'), waiting)
    await worker.close()
    await Promise.all([queue.close(), stopped.queue.close()])
    connection.disconnect()
  },
)

it.skipIf(!hasPostgres)(
  `orders once, although pg-boss runs the job twice${hasPostgres ? '' : ` ${withoutPostgres}`}`,
  async () => {
    const team = createMock().team()
    const client = new ServiceClient(team.connection())
    const order = orderBody(team.catalogue.labTests.list()[0]?.id ?? '')
    if (!postgres) throw new Error('Postgres is not running.')
    const { connection } = postgres
    const { boss, pool, create } = await startOrders(
      { client, load: async () => order },
      connection,
    )
    const jobs = [await create('basket-17'), await create('basket-17')]
    await vi.waitFor(
      async () => {
        for (const id of jobs) {
          const [job] = await boss.findJobs('orders', { id: id ?? '' })
          expect(job?.state).toBe('completed')
        }
      },
      { ...waiting, interval: 200 },
    )
    expect(team.orders.size).toBe(1)
    expect(team.journal.lines('orders.create')).toHaveLength(1)
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const others = `pid <> pg_backend_pid() and backend_type = 'client backend'`
    await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`)
    await vi.waitFor(() => expect(log.mock.calls.length).toBeGreaterThan(0), waiting)
    const later = await vi.waitFor(() => create('basket-18'), waiting)
    await vi.waitFor(
      async () =>
        expect((await boss.findJobs('orders', { id: later ?? '' }))[0]?.state).toBe('completed'),
      { ...waiting, interval: 200 },
    )
    await boss.stop({ graceful: false })
    await pool.end()
    log.mockRestore()
  },
)

it('imports once, even if cron starts a second run before the first one ends', async () => {
  const team = createMock().team()
  const recipes = Array.from({ length: 5 }, () => recipe(team.users.create().user_id))
  const store = memoryStore()
  const start = () => durable(new ServiceClient(team.connection()), { store })
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  const runs = [start(), start(), start()].map((writes) => importDay(writes, '2026-11-23', recipes))
  expect(await Promise.all(runs)).toEqual([[], [], []])
  expect(await importDay(start(), '2026-11-23', recipes)).toEqual([])
  const lines = ['5 sent, 0 unknown', 'another run is in progress']
  expect(log.mock.calls.flat().filter((line) => !lines.includes(line))).toEqual([])
  expect(log.mock.lastCall).toEqual([lines[0]])
  log.mockRestore()
  expect(team.journal.lines('link.bulkImport')).toHaveLength(1)
})
