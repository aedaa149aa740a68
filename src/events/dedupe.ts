import type { Open } from '../contract/values/known-values.ts'
import { checkCount } from './arguments.ts'

/** The results of {@link DedupeStore.claim}. */
export const claimResults = ['claimed', 'done', 'busy'] as const
/**
 * A result of {@link DedupeStore.claim}.
 * - `claimed`: this receiver handles the message, and then calls `finish` or `release`.
 * - `done`: the message was handled before.
 * - `busy`: another receiver handles the message now.
 */
export type Claim = (typeof claimResults)[number]

/**
 * Stores which messages were handled, for one process or for several. Each claim has a random token, so that a
 * receiver whose claim has expired cannot change what another receiver stored since. Use a store, or a key prefix in
 * it, for one receiver only: two receivers that share it skip each other's messages.
 */
export interface DedupeStore {
  /**
   * Claims a message atomically and stores the token with the claim. Claims should expire, in case a process ends, but
   * not before the slowest listener completes. Any result that is not a {@link Claim} is an error.
   */
  claim(id: string, token: string): Open<Claim> | PromiseLike<Open<Claim>>
  /**
   * Marks a message as handled. Returns or resolves with false when the message is claimed with another token. When it
   * fails, it is called again for the next delivery.
   */
  finish(id: string, token: string): unknown
  /** Deletes the claim with this token, so that the next delivery is handled. */
  release(id: string, token: string): unknown
}

/**
 * Returns a store in memory, for one process. Its claims do not expire.
 *
 * @param limit The number of handled messages to remember. Above it, the oldest is forgotten. Default: 10,000.
 * @throws {EventError} `argument_invalid`
 */
export function memoryStore(limit = 10_000): DedupeStore {
  checkCount('the limit of memoryStore', limit)
  const claims = new Map<string, string>()
  const done = new Set<string>()
  // It visits the oldest messages, each of which is then deleted; a new iterator would look at all deleted ones again.
  const oldest = done.values()
  return {
    claim(id, token) {
      if (done.has(id)) return 'done'
      if (claims.has(id)) return 'busy'
      claims.set(id, token)
      return 'claimed'
    },
    finish(id, token) {
      if (claims.has(id) && claims.get(id) !== token) return false
      claims.delete(id)
      done.add(id)
      if (done.size > limit) done.delete(oldest.next().value ?? id)
      return true
    },
    release(id, token) {
      if (claims.get(id) === token) claims.delete(id)
    },
  }
}
