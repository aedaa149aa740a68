import { StoreError } from './store-error.ts'

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
  // On cluster and sentinel clients, `sendCommand` takes other parameters before the command.
  if (sendCommand && sendCommand.length < 3) {
    return (name, ...args) => sendCommand.call(client, [name, ...args])
  }
  throw new StoreError(
    'argument_invalid',
    'Expected the client of redisStore to be from ioredis or from createClient of redis.',
  )
}
