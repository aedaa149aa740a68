import { safeCause } from '../client/errors/safe-cause.ts'
import { readField } from '../shared/own-fields.ts'
import { StoreError, sqlStateOf } from '../stores/store-error.ts'
import { DurableError } from './durable-error.ts'

/** Calls the store and converts its errors to `store_failed`. Use it only before this call sends the write. */
export async function useStore<T>(id: string | undefined, use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (cause) {
    throw new DurableError(
      'store_failed',
      'The store for durable writes failed, so this call sent nothing. See the cause.',
      { ...(id === undefined ? {} : { id }), cause: storeCause(cause) },
    )
  }
}

/**
 * Keeps only the class and code of a driver's error, because the message and fields may quote the statement's values.
 */
export function storeCause(cause: unknown): unknown {
  if (cause instanceof StoreError) return cause
  const safe = safeCause(cause)
  const code = databaseCodeOf(cause)
  if (code === undefined) return safe
  safe.message = `${safe.message.split(' ', 1)} ${code}`
  return Object.assign(safe, { code })
}

const redisCodes =
  /^(?:OOM|READONLY|MOVED|ASK|BUSY|LOADING|NOAUTH|NOPERM|WRONGTYPE|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|CROSSSLOT|NOREPLICAS|MISCONF|EXECABORT|NOSCRIPT|ERR)(?= )/

function databaseCodeOf(error: unknown): string | undefined {
  const message = readField(error, 'message')
  return (
    sqlStateOf(error) ?? (typeof message === 'string' ? redisCodes.exec(message)?.[0] : undefined)
  )
}
