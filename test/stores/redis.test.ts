import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { eventHandler } from '../../src/events/index.ts'
import { type IoRedisClient, redisStore } from '../../src/stores/index.ts'
import { hasRedis, startRedis, withoutRedis } from '../support/programs/redis.ts'
import { delivery, secret } from '../support/signed.ts'

const event = { event_type: 'labtest.order.created', user_id: 'u', data: {} }

describe.skipIf(!hasRedis)(hasRedis ? 'redisStore' : `redisStore ${withoutRedis}`, () => {
  let server: Awaited<ReturnType<typeof startRedis>>
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.stop())

  function connect(options: { stringNumbers?: boolean } = {}) {
    const redis = new Redis(server.path, options)
    onTestFinished(() => redis.disconnect())
    return redis
  }

  it('reads numbers that ioredis returns as strings', async () => {
    const redis = connect({ stringNumbers: true })
    const store = redisStore(redis, { prefix: 'numbers' })
    await store.claim('m', 'a')
    expect(await store.finish('m', 'b')).toBe(false)
    expect(await store.finish('m', 'a')).toBe(true)
    const input = { id: 'one', operation: 'orders.create', input: 'hash', progress: '' }
    await store.begin({ ...input, token: 'a', now: 1000, heldUntil: 2000 })
    expect(await store.save('one', { token: 'b', heldUntil: 3000 })).toBe(false)
    expect(await store.save('one', { token: 'a', heldUntil: 3000 })).toBe(true)
    const end = { id: 'one', attempt: 'a', state: 'done', outcome: '{}', now: 1500 } as const
    expect(await store.end(end)).toBe(true)
    expect(await store.end(end)).toBe(false)
  })

  it('handles an event whose commands ioredis sends again after a lost connection', async () => {
    const redis = connect()
    const resending: IoRedisClient = {
      async call(command, values) {
        await redis.call(command, values)
        return redis.call(command, values)
      },
    }
    const received: unknown[] = []
    const receive = eventHandler({
      secrets: secret,
      dedupe: redisStore(resending, { prefix: 'resending' }),
      on: {},
      fallback: (one) => received.push(one),
    })
    expect((await receive(await delivery(event))).status).toBe(200)
    expect((await receive(await delivery(event))).status).toBe(200)
    expect(received).toEqual([event])
  })
})
