import { Redis } from 'ioredis'
import { createClient, createCluster, createSentinel, RESP_TYPES } from 'redis'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { eventHandler } from '../../src/events/index.ts'
import { type IoRedisClient, redisStore } from '../../src/stores/index.ts'
import { hasRedis, startRedis, withoutRedis } from '../support/programs/redis.ts'
import { delivery, secret } from '../support/signed.ts'

it.each(['', '}', '}x'])('rejects the prefix "%s", whose keys a cluster would spread', (prefix) => {
  const client: IoRedisClient = { call: async () => null }
  expect(() => redisStore(client, { prefix })).toThrow(
    'Expected the prefix of redisStore to be non-empty',
  )
})

const event = { event_type: 'labtest.order.created', user_id: 'u', data: {} }

describe.skipIf(!hasRedis)(hasRedis ? 'redisStore' : `redisStore ${withoutRedis}`, () => {
  let server: Awaited<ReturnType<typeof startRedis>>
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.stop())

  function connect(options: { stringNumbers?: boolean; db?: number } = {}) {
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

  it('reads strings that redis returns as buffers', async () => {
    const commandOptions = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } }
    const redis = createClient({ socket: { path: server.path, tls: false }, commandOptions })
    await redis.connect()
    onTestFinished(() => redis.destroy())
    const store = redisStore(redis, { prefix: 'buffers' })
    expect(await store.claim('m', 'a')).toBe('claimed')
    expect(await store.claim('m', 'b')).toBe('busy')
    await store.finish('m', 'a')
    expect(await store.claim('m', 'b')).toBe('done')
    const input = { id: 'one', operation: 'orders.create', input: 'hash', progress: '' }
    const begun = await store.begin({ ...input, token: 'a', now: 1000, heldUntil: 2000 })
    expect(begun).toMatchObject({ ...input, attempt: 'a', heldUntil: 2000, state: 'pending' })
    expect(await store.open(1)).toEqual([begun])
  })

  it('reads writes where it stores them, also if ioredis sends read-only commands to a replica', async () => {
    const primary = connect()
    const replica = connect({ db: 1 })
    const scaled: IoRedisClient = {
      call: (command, values) => (command === 'EVAL' ? primary : replica).call(command, values),
    }
    const store = redisStore(scaled, { prefix: 'scaled' })
    const input = { id: 'one', operation: 'orders.create', input: 'hash', progress: '' }
    const begun = await store.begin({ ...input, token: 'a', now: 1000, heldUntil: 2000 })
    expect(await store.read('one')).toEqual(begun)
    expect(await store.open(1)).toEqual([begun])
  })
})

it.each([
  ['createCluster', () => createCluster({ rootNodes: [{ url: 'redis://localhost' }] })],
  [
    'createSentinel',
    () => createSentinel({ name: 's', sentinelRootNodes: [{ host: 'localhost', port: 26_379 }] }),
  ],
])('refuses a client from %s, whose function takes other arguments', (_, create) => {
  const refused = expect.objectContaining({
    code: 'argument_invalid',
    message: expect.stringContaining('from ioredis or redis (createClient)'),
  })
  // @ts-expect-error
  expect(() => redisStore(create())).toThrow(refused)
})
