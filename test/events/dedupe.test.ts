import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  type DedupeStore,
  eventHandler,
  memoryStore,
  nodeEventHandler,
} from '../../src/events/index.ts'
import { signatureOf } from '../../src/events/signature.ts'
import { redisStore } from '../../src/stores/index.ts'
import { expiringStore } from '../support/expiring-store.ts'
import { hasRedis, startRedis, withoutRedis } from '../support/programs/redis.ts'
import { fc } from '../support/properties.ts'
import { delivery, secret } from '../support/signed.ts'

/** A store, and a way to let the claim of a message expire. */
interface Subject {
  store: DedupeStore
  expire?: (id: string) => Promise<void> | void
}

let redis: Awaited<ReturnType<typeof startRedis>>

beforeAll(async () => {
  if (hasRedis) redis = await startRedis()
})

afterAll(async () => {
  if (hasRedis) await redis.stop()
})

let receivers = 0

/** The store of the package, over a real Redis; an expired key is one that is gone. */
function redisSubject(): Subject {
  receivers += 1
  const prefix = `receiver${receivers}`
  const expire = async (id: string) => void (await redis.redis.del(`{${prefix}}:message:${id}`))
  return { store: redisStore(redis.redis, { prefix }), expire }
}

function expiringSubject(): Subject {
  const store = expiringStore()
  return { store, expire: () => void store.expire() }
}

const subjects: [name: string, isThere: boolean, make: () => Subject][] = [
  ['in memory', true, () => ({ store: memoryStore() })],
  ['whose claims expire', true, expiringSubject],
  [hasRedis ? 'in Redis' : `in Redis ${withoutRedis}`, hasRedis, redisSubject],
]

describe.each(subjects)('a store %s', (_, isThere, make) => {
  it.skipIf(!isThere)('lets one claim a message, until it is released', async () => {
    const { store } = make()
    expect(await store.claim('m', 'a')).toBe('claimed')
    expect(await store.claim('m', 'b')).toBe('busy')
    await store.release('m', 'b')
    expect(await store.claim('m', 'b')).toBe('busy')
    await store.release('m', 'a')
    expect(await store.claim('m', 'b')).toBe('claimed')
    expect(await store.claim('other', 'b')).toBe('claimed')
  })

  it.skipIf(!isThere)(
    'remembers a message that was handled, whatever is called later',
    async () => {
      const { store } = make()
      await store.claim('m', 'a')
      expect(await store.finish('m', 'b')).toBe(false)
      expect(await store.claim('m', 'c')).toBe('busy')
      expect(await store.finish('m', 'a')).toBe(true)
      await store.release('m', 'a')
      await store.release('m', 'b')
      expect(await store.finish('m', 'a')).toBe(true)
      expect(await store.claim('m', 'c')).toBe('done')
    },
  )

  it.skipIf(!isThere)('lets one of many claims at the same time succeed', async () => {
    const { store } = make()
    const tokens = Array.from({ length: 50 }, (_, at) => `token${at}`)
    const results = await Promise.all(tokens.map((token) => store.claim('m', token)))
    expect(results.filter((result) => result === 'claimed')).toHaveLength(1)
  })
})

// The store in memory keeps a claim as long as its process.
describe.each(subjects.slice(1))('a store %s', (_, isThere, make) => {
  it.skipIf(!isThere)('keeps what another stored after a claim expired', async () => {
    const { store, expire } = make()
    await store.claim('m', 'slow')
    await expire?.('m')
    expect(await store.claim('m', 'next')).toBe('claimed')
    expect(await store.finish('m', 'slow')).toBe(false)
    await store.release('m', 'slow')
    expect(await store.claim('m', 'third')).toBe('busy')
    await store.finish('m', 'next')
    await store.release('m', 'slow')
    expect(await store.claim('m', 'third')).toBe('done')
  })

  it.skipIf(!isThere)('finishes a message whose claim expired unnoticed', async () => {
    const { store, expire } = make()
    await store.claim('m', 'slow')
    await expire?.('m')
    expect(await store.finish('m', 'slow')).toBe(true)
    expect(await store.claim('m', 'next')).toBe('done')
  })

  it.skipIf(!isThere)(
    'keeps a message marked as handled when a slower worker fails to handle it',
    async () => {
      const { store, expire } = make()
      const event = { event_type: 'new.one' }
      const handled: string[] = []
      const worker = (fallback: () => unknown) =>
        eventHandler({ secrets: secret, on: {}, fallback, dedupe: store })
      const next = worker(() => handled.push('next'))
      const slow = worker(async () => {
        await expire?.('msg_1')
        expect((await next(await delivery(event))).status).toBe(200)
        throw new Error('too late')
      })
      expect((await slow(await delivery(event))).status).toBe(500)
      for (const receive of [slow, next]) {
        const response = await receive(await delivery(event))
        expect([response.status, await response.text()]).toEqual([200, 'Already handled'])
      }
      expect(handled).toEqual(['next'])
    },
  )
})

it.skipIf(!hasRedis)(
  `lets claims in Redis expire, and remembers messages for a week${hasRedis ? '' : `: ${withoutRedis}`}`,
  async () => {
    const store = redisStore(redis.redis, { prefix: 'times', claimFor: 60_000 })
    await store.claim('m', 'a')
    const claim = await redis.redis.pTTL('{times}:message:m')
    expect(claim).toBeGreaterThan(0)
    expect(claim).toBeLessThanOrEqual(60_000)
    await store.finish('m', 'a')
    expect(await redis.redis.ttl('{times}:message:m')).toBeGreaterThan(6 * 86_400)
  },
)

/** What happens to one delivery. */
const plan = fc.record({
  worker: fc.nat(2),
  id: fc.constantFrom('m1', 'm2'),
  listener: fc.constantFrom('completes', 'completes', 'throws'),
  /** After `loses`, the store has done its work, but the worker gets an error. */
  claim: fc.constantFrom('works', 'works', 'works', 'fails', 'loses'),
  finish: fc.constantFrom('works', 'works', 'fails', 'loses'),
  release: fc.constantFrom('works', 'works', 'fails', 'loses'),
})

/** One run of a listener, by the token of its claim. */
interface Run {
  id: string
  worker: number
  token: string
  isCompleted: boolean
  /** Whether its claim expired before the store marked the message as handled. */
  isExpired: boolean
}

/** Workers that share one store, each with a delivery at a time for each message; the scheduler orders all steps. */
function workersOf(scheduler: fc.Scheduler) {
  const store = expiringStore()
  const runs: Run[] = []
  const step = (name: string) => scheduler.schedule(Promise.resolve(), name)

  /** Calls the store after a while, and returns after another while. */
  const slowly = async <Result>(
    name: string,
    outcome: string,
    call: () => Result,
  ): Promise<Awaited<Result>> => {
    await step(name)
    if (outcome === 'fails') throw new Error(`${name} failed`)
    const result = await call()
    await step(`${name} returns`)
    if (outcome === 'loses') throw new Error(`${name} got no response`)
    return result
  }

  const worker = (number: number) => {
    /** The plan of the delivery that runs for a message: others share its response. */
    const plans = new Map<string, typeof plan extends fc.Arbitrary<infer Plan> ? Plan : never>()
    const of = (id: string, part: 'claim' | 'finish' | 'release') =>
      plans.get(id)?.[part] ?? 'works'
    const receive = nodeEventHandler({
      secrets: secret,
      on: {},
      dedupe: {
        claim: (id, token) =>
          slowly('claim', of(id, 'claim'), async () => {
            const result = await store.claim(id, token)
            const run = { id, worker: number, token, isCompleted: false, isExpired: false }
            if (result === 'claimed') runs.push(run)
            return result
          }),
        finish: (id, token) => slowly('finish', of(id, 'finish'), () => store.finish(id, token)),
        release: (id, token) =>
          slowly('release', of(id, 'release'), () => store.release(id, token)),
      },
      fallback: async (_, { id }) => {
        const run = runs.findLast((one) => one.id === id && one.worker === number)
        await step('listener')
        if (plans.get(id)?.listener === 'throws') throw new Error('listener failed')
        if (run) run.isCompleted = true
      },
    })
    return { receive, plans }
  }

  const expire = () => {
    const tokens = store.expire()
    for (const run of runs) if (tokens.includes(run.token)) run.isExpired = true
  }
  return { workers: [worker(0), worker(1), worker(2)] as const, runs, expire }
}

/** Delivers a message to a worker; returns the status of its response. */
async function deliver(receive: ReturnType<typeof nodeEventHandler>, id: string): Promise<number> {
  const body = '{"event_type":"new.one"}'
  const timestamp = Math.floor(Date.now() / 1000)
  const message = { id, timestamp, body: new TextEncoder().encode(body) }
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': await signatureOf(message, {} as CryptoKey),
  }
  const response = { statusCode: 0, setHeader: () => {}, end: () => {} }
  await receive({ method: 'POST', headers, body, async *[Symbol.asyncIterator]() {} }, response)
  return response.statusCode
}

describe('for any interleaving of three workers', () => {
  beforeAll(() => {
    // Without threads, so that the scheduler alone decides what happens when.
    const hmac = (data: Uint8Array) => createHmac('sha256', 'key').update(data).digest()
    vi.spyOn(crypto.subtle, 'importKey').mockResolvedValue({} as never)
    vi.spyOn(crypto.subtle, 'sign').mockImplementation(async (_, __, data) => {
      return new Uint8Array(hmac(data as Uint8Array)).buffer
    })
  })
  afterAll(() => void vi.restoreAllMocks())

  it('completes a message at most once per valid claim and once per worker, and always completes it eventually', async () => {
    const seen = { twice: 0, once: 0 }
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(plan, { minLength: 1, maxLength: 10 }),
        fc.nat(4),
        async (scheduler, plans, expiries) => {
          const { workers, runs, expire } = workersOf(scheduler)
          const deliveries = plans.map(async (given) => {
            await scheduler.schedule(Promise.resolve(), 'delivery')
            const { receive, plans: current } = workers[given.worker] as (typeof workers)[0]
            if (!current.has(given.id)) current.set(given.id, given)
            await deliver(receive, given.id)
            current.delete(given.id)
          })
          const expirations = Array.from({ length: expiries }, async () => {
            await scheduler.schedule(Promise.resolve(), 'claims expire')
            expire()
          })
          await scheduler.waitFor(Promise.all([...deliveries, ...expirations]))

          // Whatever went wrong before, the next delivery completes it or knows that it is completed.
          expire()
          for (const id of ['m1', 'm2']) {
            for (const { receive } of workers) {
              expect(await scheduler.waitFor(deliver(receive, id))).toBe(200)
            }
            const completed = runs.filter((run) => run.id === id && run.isCompleted)
            expect(completed.length).toBeGreaterThan(0)
            expect(completed.filter(({ isExpired }) => !isExpired).length).toBeLessThan(2)
            expect(new Set(completed.map(({ worker }) => worker)).size).toBe(completed.length)
            seen[completed.length > 1 ? 'twice' : 'once'] += 1
          }
        },
      ),
      { numRuns: 400 },
    )
    // Both outcomes were tested: claims that expire allow two completions.
    expect(seen.once).toBeGreaterThan(100)
    expect(seen.twice).toBeGreaterThan(10)
  })
})
