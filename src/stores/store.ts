import type { DedupeStore } from '../events/dedupe.ts'
import type { PruneOptions, WriteStore } from './write-store.ts'

/** One store for the handled messages of `eventHandler`, for durable writes, and for the checkpoints of their imports. */
export interface Store extends DedupeStore, WriteStore {
  /**
   * Deletes handled messages and outcomes that are older than the store keeps them, in small steps. Resolves with their
   * number. Run it once a day.
   */
  prune(options?: PruneOptions): Promise<number>
}
