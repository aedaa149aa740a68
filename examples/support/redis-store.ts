import type { DedupeStore } from 'health-lab-sdk/events'
import type { createClient } from 'redis'

/** The commands of the Redis client that the store uses. */
type Redis = Pick<ReturnType<typeof createClient>, 'set' | 'get' | 'eval'>

/** Options of {@link redisStore}. */
export interface RedisStoreOptions {
  /** Prefix of the keys. Use a different one for each receiver: receivers with the same prefix skip each other's messages. */
  prefix?: string
  /** Milliseconds until a claim expires. Must be longer than the slowest listener takes. Default: 10 minutes. */
  claimFor?: number
  /** Seconds for which a handled message is remembered. Deliveries are retried for about 28 hours. Default: 7 days. */
  doneFor?: number
}

/** Marks a message as handled, unless another worker has claimed it. */
const finishScript = `
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] and held ~= 'done' then return 0 end
redis.call('SET', KEYS[1], 'done', 'EX', ARGV[2])
return 1`

/** Deletes a claim, unless another worker holds it or the message was handled. */
const releaseScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`

/** Returns a store in Redis for several processes. Each key holds the token of its claim, and later `done`. */
export function redisStore(
  redis: Redis,
  { prefix = 'event', claimFor = 600_000, doneFor = 7 * 86_400 }: RedisStoreOptions = {},
): DedupeStore {
  const key = (id: string) => `${prefix}:${id}`
  return {
    async claim(id, token) {
      const expiration = { type: 'PX', value: claimFor } as const
      if (await redis.set(key(id), token, { condition: 'NX', expiration })) return 'claimed'
      return (await redis.get(key(id))) === 'done' ? 'done' : 'busy'
    },
    async finish(id, token) {
      const input = { keys: [key(id)], arguments: [token, String(doneFor)] }
      return (await redis.eval(finishScript, input)) === 1
    },
    async release(id, token) {
      await redis.eval(releaseScript, { keys: [key(id)], arguments: [token] })
    },
  }
}
