/** What a store knows of a message when somebody is about to handle it. */
export type Claim =
  /** Nobody has it: handle it, then `finish` or `release` it. */
  | 'claimed'
  /** It was handled before. */
  | 'done'
  /** Somebody else is handling it. */
  | 'busy'

/** Remembers which messages were handled, for one process or for several. */
export interface DedupeStore {
  /** Takes a message for handling, atomically. */
  claim(id: string): Promise<Claim> | Claim
  /** Remembers a message that was handled. */
  finish(id: string): Promise<void> | void
  /** Gives back a message whose handling failed, so that its next delivery is handled. */
  release(id: string): Promise<void> | void
}

/**
 * A store in memory, for one process. Of messages that were handled the latest are remembered.
 *
 * @param limit How many. Default: 10,000.
 */
export function memoryStore(limit = 10_000): DedupeStore {
  const busy = new Set<string>()
  const done = new Set<string>()
  return {
    claim(id) {
      if (done.has(id)) return 'done'
      if (busy.has(id)) return 'busy'
      busy.add(id)
      return 'claimed'
    },
    finish(id) {
      busy.delete(id)
      done.add(id)
      const [oldest = id] = done
      if (done.size > limit) done.delete(oldest)
    },
    release(id) {
      busy.delete(id)
    },
  }
}
