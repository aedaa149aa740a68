import { StoreError } from './store-error.ts'

/**
 * Stores a token with its expiry, unless the key exists. Returns the stored value: a token, or `done`. KEYS: message.
 * ARGV: token, milliseconds.
 */
export const claimScript = `
redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
return redis.call('GET', KEYS[1])`

/** Marks a message as handled, unless another process has claimed it. KEYS: message. ARGV: token, milliseconds. */
export const finishScript = `
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] and held ~= 'done' then return 0 end
redis.call('SET', KEYS[1], 'done', 'PX', ARGV[2])
return 1`

/** KEYS: message. ARGV: token. */
export const releaseScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`

/** KEYS: write, open writes. ARGV: id, operation, input, token, heldUntil, progress, now. */
export const beginScript = `
local state = redis.call('HGET', KEYS[1], 'state')
if not state or state == 'cleared' then
  redis.call('HSET', KEYS[1], 'id', ARGV[1], 'operation', ARGV[2], 'input', ARGV[3], 'attempt', ARGV[4],
    'holder', ARGV[4], 'heldUntil', ARGV[5], 'state', 'pending', 'progress', ARGV[6], 'outcome', '', 'startedAt', ARGV[7])
  redis.call('PERSIST', KEYS[1])
  redis.call('ZADD', KEYS[2], ARGV[7], ARGV[1])
elseif state == 'pending' then
  local held = redis.call('HMGET', KEYS[1], 'operation', 'input', 'heldUntil')
  if held[1] == ARGV[2] and held[2] == ARGV[3] and tonumber(held[3]) <= tonumber(ARGV[7]) then
    redis.call('HSET', KEYS[1], 'holder', ARGV[4], 'heldUntil', ARGV[5], 'outcome', '')
  end
end
return redis.call('HGETALL', KEYS[1])`

/**
 * Reads a write with a script, because the ioredis option `scaleReads` sends read-only commands to replicas, which may
 * lag behind. KEYS: write.
 */
export const readScript = `return redis.call('HGETALL', KEYS[1])`

/** Returns the ids of the oldest open writes. KEYS: open writes. ARGV: the last position, starting at 0. */
export const openScript = `return redis.call('ZRANGE', KEYS[1], 0, ARGV[1])`

/** KEYS: write. ARGV: token, heldUntil, progress if it changes. */
export const saveScript = `
local held = redis.call('HMGET', KEYS[1], 'holder', 'heldUntil')
if held[1] ~= ARGV[1] or tonumber(ARGV[2]) < tonumber(held[2]) then return 0 end
redis.call('HSET', KEYS[1], 'heldUntil', ARGV[2])
if ARGV[3] then redis.call('HSET', KEYS[1], 'progress', ARGV[3]) end
return 1`

/**
 * KEYS: write, open writes. ARGV: id, attempt, state, outcome, milliseconds until the entry is deleted, holder if only
 * this holder may end it.
 */
export const endScript = `
local held = redis.call('HMGET', KEYS[1], 'attempt', 'state', 'holder')
if held[1] ~= ARGV[2] or held[2] == 'done' then return 0 end
if ARGV[6] and (held[3] ~= ARGV[6] or held[2] == 'cleared') then return 0 end
redis.call('HSET', KEYS[1], 'state', ARGV[3], 'outcome', ARGV[4], 'holder', '', 'heldUntil', '0')
if ARGV[3] == 'done' or ARGV[3] == 'cleared' then
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
  redis.call('ZREM', KEYS[2], ARGV[1])
end
return 1`

/** The part of a `redis` client that the store uses. */
export interface RedisClient {
  /** Sends a command. */
  sendCommand(command: string[]): Promise<unknown>
}

/** The part of an `ioredis` client that the store uses. */
export interface IoRedisClient {
  /** Sends a command. */
  call(command: string, args: string[]): Promise<unknown>
}

export type SendCommand = (name: string, ...args: string[]) => Promise<unknown>

export function adaptRedis(client: RedisClient | IoRedisClient): SendCommand {
  if ('call' in Object(client)) {
    const { call } = client as IoRedisClient
    return (name, ...args) => call.call(client, name, args)
  }
  const { sendCommand } = Object(client) as Partial<RedisClient>
  // On cluster and sentinel clients, `sendCommand` expects other parameters before the command.
  if (sendCommand && sendCommand.length < 3) {
    return (name, ...args) => sendCommand.call(client, [name, ...args])
  }
  throw new StoreError(
    'argument_invalid',
    'Expected the client of redisStore to be from ioredis or redis (createClient).',
  )
}
