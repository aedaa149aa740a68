import { memoryStore as dedupeStore } from '../events/dedupe.ts'
import { retention, type Store, type StoredWrite, type WriteIntent } from './write-store.ts'

/**
 * Returns an in-memory store, for tests and for single-process programs that need no state after a restart. It remembers
 * handled messages for as long as `memoryStore` from `health-lab-sdk/events` does.
 *
 * @example
 * const writes = durable(client, { store: memoryStore() })
 */
export function memoryStore(): Store {
  const writes = new Map<string, StoredWrite>()
  const ended = new Map<string, number>()
  const openWrites = () =>
    [...writes.values()].filter(({ state }) => state === 'pending' || state === 'unresolved')
  return {
    ...dedupeStore(),
    async begin(intent) {
      const before = writes.get(intent.id)
      const write = nextWrite(before, intent)
      writes.set(intent.id, write)
      return { ...write }
    },
    async save(id, { token, heldUntil, progress }) {
      const write = writes.get(id)
      if (write?.holder !== token || heldUntil < write.heldUntil) return false
      Object.assign(write, { heldUntil, progress: progress ?? write.progress })
      return true
    },
    async end({ id, attempt, holder, state, outcome, now }) {
      const write = writes.get(id)
      if (!write || write.attempt !== attempt || write.state === 'done') return false
      const isOther = write.state === 'cleared' || write.holder !== holder
      if (holder !== undefined && isOther) return false
      Object.assign(write, { state, outcome, holder: '', heldUntil: 0 })
      ended.set(id, now)
      return true
    },
    async read(id) {
      const write = writes.get(id)
      return write && { ...write }
    },
    async open(limit) {
      const sorted = openWrites().toSorted((one, other) => one.startedAt - other.startedAt)
      return sorted.slice(0, limit).map((write) => ({ ...write }))
    },
    async prune({ now = Date.now() } = {}) {
      const isOpen = new Set(openWrites().map(({ id }) => id))
      const last = now - retention.keepWrites
      const old = [...ended].filter(([id, at]) => at < last && !isOpen.has(id))
      for (const [id] of old) {
        writes.delete(id)
        ended.delete(id)
      }
      return old.length
    },
  }
}

function nextWrite(before: StoredWrite | undefined, intent: WriteIntent): StoredWrite {
  const { id, operation, input, token, now, heldUntil, progress } = intent
  const held = { holder: token, heldUntil }
  if (!before || before.state === 'cleared') {
    const started = { attempt: token, state: 'pending', outcome: '', startedAt: now } as const
    return { id, operation, input, progress, ...held, ...started }
  }
  const isSame = before.operation === operation && before.input === input
  const isFree = before.state === 'pending' && before.heldUntil <= now
  return isSame && isFree ? { ...before, ...held, outcome: '' } : before
}
