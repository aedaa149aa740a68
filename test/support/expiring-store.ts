import type { DedupeStore } from '../../src/events/index.ts'

/** An in-memory store whose claims expire on request. */
export interface ExpiringStore extends DedupeStore {
  /** Expires all claims and returns their tokens. */
  expire(): string[]
}

/** Creates a minimal {@link DedupeStore}: each message has a token or is done. */
export function expiringStore(): ExpiringStore {
  const held = new Map<string, string>()
  return {
    claim(id, token) {
      const value = held.get(id)
      if (value !== undefined) return value === 'done' ? 'done' : 'busy'
      held.set(id, token)
      return 'claimed'
    },
    finish(id, token) {
      if (![undefined, token, 'done'].includes(held.get(id))) return false
      held.set(id, 'done')
      return true
    },
    release(id, token) {
      if (held.get(id) === token) held.delete(id)
    },
    expire() {
      const claims = [...held].filter(([, value]) => value !== 'done')
      for (const [id] of claims) held.delete(id)
      return claims.map(([, token]) => token)
    },
  }
}
