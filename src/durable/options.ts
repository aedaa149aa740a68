import { isObject } from '../shared/narrow.ts'
import type { WriteStore } from '../stores/write-store.ts'
import { DurableError } from './durable-error.ts'

/** Options for {@link durable}. */
export interface DurableOptions {
  /** The store for intents and outcomes: one from `health-lab-sdk/stores`, or your own. */
  store: WriteStore
  /**
   * The secret used to hash inputs, at least 16 characters; it is not stored. Set this option if processes with
   * different API keys share the store, or if inputs must remain comparable when the API key changes. Inputs that were
   * hashed with a different key are not compared. Default: the client's API key.
   */
  key?: string | undefined
  /**
   * The number of milliseconds after which another process takes over from a process that has ended; at least 1,000. A
   * running process keeps extending its hold. The processes' clocks must differ by less than this value. Default:
   * 60,000.
   */
  holdFor?: number | undefined
}

/** Options for one durable write, in addition to the options for the client's method. */
export interface WriteOptions {
  /**
   * What to do while another call is working on the same id: `wait` for its outcome, or `throw` a `DurableError` with
   * the code `busy`. If you abort the call while it waits, it rejects with an `AbortError`. If its `deadline` passes
   * first, it rejects with the code `busy`, except in imports. Default: `wait`.
   */
  whenBusy?: 'wait' | 'throw' | undefined
}

export interface DurableSettings {
  store: WriteStore
  /** If undefined, the client's API key is used. */
  key: string | undefined
  holdFor: number
}

const functions = ['begin', 'save', 'end', 'read', 'open'] satisfies (keyof WriteStore)[]

export function parseOptions(options: DurableOptions): DurableSettings {
  if (!isObject(options)) throw invalid('the options of durable', 'an object with a store')
  const { store, key, holdFor = 60_000 }: Partial<DurableOptions> = options
  if (!isObject(store) || functions.some((name) => typeof store[name] !== 'function')) {
    throw invalid('store', 'a store for durable writes, such as postgresStore(pool)')
  }
  const isKey = typeof key === 'string' && key.length >= 16
  if (key !== undefined && !isKey) throw invalid('key', 'a string of at least 16 characters')
  if (!Number.isSafeInteger(holdFor) || holdFor < 1000) {
    throw invalid('holdFor', 'a whole number of milliseconds, at least 1,000')
  }
  return { store, key, holdFor }
}

export function checkId(id: unknown): void {
  // Postgres cannot store NUL characters.
  const isUsable = typeof id === 'string' && id.isWellFormed() && !id.includes('\0')
  if (isUsable && id.length > 0 && id.length <= 255) return
  throw invalid("the write's id", 'a well-formed string of 1 to 255 characters, without NUL')
}

export function invalid(what: string, expected: string): DurableError {
  return new DurableError('argument_invalid', `Expected ${what} to be ${expected}.`)
}
