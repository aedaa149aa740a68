import type { Open } from '../contract/values/known-values.ts'
import { checkCount } from './arguments.ts'

/** The results of {@link DedupeStore.claim}. */
export const claimResults = ['claimed', 'done', 'busy'] as const
/**
 * A result of {@link DedupeStore.claim}.
 * - `claimed`: this receiver handles the message and then calls `finish` or `release`.
 * - `done`: the message has already been handled.
 * - `busy`: another receiver is handling the message.
 */
export type Claim = (typeof claimResults)[number]

/**
 * Records which messages were handled, for one or more processes. Each claim has a random token, so a receiver whose
 * claim has expired cannot change another receiver's newer entry. Use a separate store or key prefix for each webhook
 * endpoint; otherwise, endpoints skip each other's messages. If a store's promise never settles, the message stays
 * blocked in this process.
 */
export interface DedupeStore {
  /**
   * Atomically claims a message and stores the token with the claim. Claims should expire, in case a process crashes,
   * but not before the slowest listener completes. Any result other than a {@link Claim} is an error.
   */
  claim(id: string, token: string): Open<Claim> | PromiseLike<Open<Claim>>
  /**
   * Marks a message as handled. Returns or resolves to false if the message is claimed with another token. If this call
   * fails and the message arrives again, this process calls `finish` again, but not the listener.
   */
  finish(id: string, token: string): unknown
  /** Deletes the claim with this token, so the next delivery is handled. */
  release(id: string, token: string): unknown
}

/** A store that can run a listener in the transaction that marks the message as handled. */
export interface TransactionalStore<Transaction> extends DedupeStore {
  /**
   * Marks a message as handled and calls the listener in one transaction, so either both take effect or neither does.
   * Then resolves to `claimed`. If it resolves to `done` or `busy`, the listener was not called. Rejects with the
   * listener's error.
   */
  handle(id: string, listener: (transaction: Transaction) => unknown): PromiseLike<Open<Claim>>
}

/**
 * The minimum time to remember a handled message, in milliseconds. The service retries a delivery for about 27.6 hours (assumption);
 * the remaining time covers the `tolerance` for old signatures.
 */
const rememberedFor = 28 * 60 * 60 * 1000

/**
 * Returns an in-memory store for one process. Its claims do not expire. Unless `limit` is exceeded, it remembers a
 * handled message for at least 28 hours. This covers the service's delivery retries and a `tolerance` of up to 20
 * minutes.
 *
 * @param limit The number of handled messages that the store always remembers. If more are handled within 28 hours, it
 * may forget the oldest. It keeps up to twice the limit in memory: by default, about 120 MB. Default: 500,000.
 * @throws {EventError} `argument_invalid` for an invalid limit.
 */
export function memoryStore(limit = 500_000): DedupeStore {
  checkCount('the limit of memoryStore', limit)
  const claims = new Map<string, string>()
  let recent = new Set<string>()
  let older = new Set<string>()
  let since = performance.now()
  const remember = (id: string) => {
    if (recent.size >= limit || performance.now() - since >= rememberedFor) {
      older = recent
      recent = new Set()
      since = performance.now()
    }
    recent.add(id)
  }
  return {
    claim(id, token) {
      if (recent.has(id) || older.has(id)) return 'done'
      if (claims.has(id)) return 'busy'
      claims.set(id, token)
      return 'claimed'
    },
    finish(id, token) {
      if (claims.has(id) && claims.get(id) !== token) return false
      claims.delete(id)
      remember(id)
      return true
    },
    release(id, token) {
      if (claims.get(id) === token) claims.delete(id)
    },
  }
}
