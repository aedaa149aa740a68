import {
  adaptRedis,
  beginScript,
  claimScript,
  endScript,
  finishScript,
  type IoRedisClient,
  openScript,
  type RedisClient,
  readScript,
  releaseScript,
  saveScript,
} from './redis-scripts.ts'
import { StoreError } from './store-error.ts'
import {
  type Retention,
  readDurations,
  readWrite,
  type Store,
  type StoredWrite,
} from './write-store.ts'

/** Options for {@link redisStore}. */
export interface RedisStoreOptions extends Retention {
  /**
   * The key prefix, which must not be empty or start with `}`. Use a different prefix for each event receiver. Default:
   * `health-lab-sdk`.
   */
  prefix?: string | undefined
  /** How long a claim lasts, in milliseconds. Must exceed the slowest listener's run time. Default: 10 minutes. */
  claimFor?: number | undefined
}

/**
 * Returns a store backed by Redis, for any number of processes. Pass a connected client from `redis` or `ioredis`.
 * Durable writes require a server that writes to disk before it responds (`appendfsync always`) and does not fail over
 * to a replica. Otherwise, an intent can be lost. Redis deletes old entries itself, so `prune` does nothing. In a Redis
 * cluster, all keys share one hash slot.
 *
 * @param client A connected client. The store never closes it.
 * @throws {StoreError} `argument_invalid` for an invalid argument. The store's functions reject with the client's error
 *   if Redis cannot be reached.
 * @example
 * const writes = durable(client, { store: redisStore(redis) })
 */
export function redisStore(
  client: RedisClient | IoRedisClient,
  options: RedisStoreOptions = {},
): Store {
  const { prefix = 'health-lab-sdk' } = options
  // Keys with an empty hash tag would be in different slots of a cluster.
  if (!/^[^}]/.test(prefix)) {
    throw new StoreError(
      'argument_invalid',
      'Expected the prefix of redisStore to be non-empty, without a leading }.',
    )
  }
  const { claimFor, keepMessages, keepWrites } = readDurations('redisStore', options)
  const send = adaptRedis(client)
  const messageKey = (id: string) => `{${prefix}}:message:${id}`
  const writeKey = (id: string) => `{${prefix}}:write:${id}`
  const openKey = `{${prefix}}:open`
  const evaluate = (script: string, keys: string[], values: (string | number | undefined)[]) => {
    const given = values.filter((value) => value !== undefined)
    return send('EVAL', script, String(keys.length), ...keys, ...given.map(String))
  }
  // The ioredis option `stringNumbers` turns numbers into strings.
  const succeeds = async (...call: Parameters<typeof evaluate>) =>
    Number(await evaluate(...call)) === 1
  const read = async (id: string) => toWrite(await evaluate(readScript, [writeKey(id)], []))
  return {
    async claim(id, token) {
      const held = String(await evaluate(claimScript, [messageKey(id)], [token, claimFor]))
      // ioredis resends a command if the connection was lost before the response, so the message may already have this
      // token.
      if (held === token) return 'claimed'
      return held === 'done' ? 'done' : 'busy'
    },
    finish: (id, token) => succeeds(finishScript, [messageKey(id)], [token, keepMessages]),
    release: (id, token) => evaluate(releaseScript, [messageKey(id)], [token]),
    read,
    async begin({ id, operation, input, token, heldUntil, progress, now }) {
      const values = [id, operation, input, token, heldUntil, progress, now]
      const write = toWrite(await evaluate(beginScript, [writeKey(id), openKey], values))
      if (!write) throw new TypeError('Redis returned no entry.')
      return write
    },
    async save(id, { token, heldUntil, progress }) {
      return succeeds(saveScript, [writeKey(id)], [token, heldUntil, progress])
    },
    async end({ id, attempt, state, outcome, holder }) {
      const values = [id, attempt, state, outcome, keepWrites, holder]
      return succeeds(endScript, [writeKey(id), openKey], values)
    },
    async open(limit) {
      const ids = await evaluate(openScript, [openKey], [limit - 1])
      const found = await Promise.all((ids as string[]).map(read))
      return found.filter((write) => write !== undefined)
    },
    prune: async () => 0,
  }
}

/**
 * Converts a reply to a write. The reply contains each field's name, followed by its value. Names and values are
 * buffers if the `redis` client uses a type mapping.
 */
function toWrite(reply: unknown): StoredWrite | undefined {
  const list = reply as unknown[]
  const fields = new Map<string, string>()
  for (let at = 0; at < list.length; at += 2) fields.set(String(list[at]), String(list[at + 1]))
  return fields.has('id') ? readWrite((name) => fields.get(name)) : undefined
}
