import type { createClient } from 'redis'
import type { DedupeStore } from '../../src/events/index.ts'

/** What the store needs of a Redis client. */
type Redis = Pick<ReturnType<typeof createClient>, 'set' | 'get' | 'eval'>

/** How a Redis store keeps messages. */
export interface RedisStoreOptions {
  /** What its keys start with. Give each receiver its own: receivers that share one skip each other's messages. */
  prefix?: string
  /** Milliseconds until a claim expires. It must be longer than the slowest listener takes. Default: 10 minutes. */
  claimFor?: number
  /** Seconds for which a handled message is remembered; deliveries are repeated for about 28 hours. Default: 7 days. */
  doneFor?: number
}

/** Marks a message as handled, unless another worker has claimed it. */
const finishScript = `
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] and held ~= 'done' then return 0 end
redis.call('SET', KEYS[1], 'done', 'EX', ARGV[2])
return 1`

/** Deletes a claim, unless it is another worker's or the message was handled. */
const releaseScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`

/** Remembers messages for several processes: a key holds the token of its claim, and then `done`. */
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
      const given = { keys: [key(id)], arguments: [token, String(doneFor)] }
      return (await redis.eval(finishScript, given)) === 1
    },
    async release(id, token) {
      await redis.eval(releaseScript, { keys: [key(id)], arguments: [token] })
    },
  }
}
