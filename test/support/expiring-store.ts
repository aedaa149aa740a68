import type { DedupeStore } from '../../src/events/index.ts'

/** A store in memory, whose claims expire when it is told so. */
export interface ExpiringStore extends DedupeStore {
  /** Lets all claims expire; returns their tokens. */
  expire(): string[]
}

/** Makes a store that keeps the contract of {@link DedupeStore} in the least code: a message has a token or is done. */
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
