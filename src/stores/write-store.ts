import type { DedupeStore } from '../events/dedupe.ts'

/**
 * The states of a durable write.
 * - `pending`: the intent is stored, and no outcome.
 * - `unresolved`: nothing proves the outcome; a person decides.
 * - `done`: the outcome is stored, and never changes.
 * - `cleared`: the write had no effect; the id may be used again.
 */
export type WriteState = 'pending' | 'unresolved' | 'done' | 'cleared'

/** A durable write, as a store keeps it. Times are milliseconds since 1970. */
export interface StoredWrite {
  /** The user's own id of the write. */
  id: string
  /** The operation, such as `orders.create`. */
  operation: string
  /** A fingerprint of the key and the keyed hash of the input. */
  input: string
  /** A random id of this attempt at the write, new whenever the id is used again. */
  attempt: string
  /** The token of the process that works on the write; empty if none does. */
  holder: string
  /** When another process may take over. */
  heldUntil: number
  /** How far the write is. */
  state: WriteState
  /** What is needed to continue, as JSON; empty if nothing is. */
  progress: string
  /** The outcome as JSON; empty without one. */
  outcome: string
  /** When the intent was stored. */
  startedAt: number
}

/** What {@link WriteStore.begin} stores. */
export interface WriteIntent
  extends Pick<StoredWrite, 'id' | 'operation' | 'input' | 'heldUntil' | 'progress'> {
  /** The token of this process for this write: its `holder`, and the `attempt` of a new one. */
  token: string
  /** The time of the caller's clock. */
  now: number
}

/** An extended hold. */
export interface WriteHold {
  /** The token of the holder. */
  token: string
  /** When another process may take over, in milliseconds since 1970. */
  heldUntil: number
  /** Replaces what is needed to continue. Default: unchanged. */
  progress?: string | undefined
}

/** The end of an attempt, or of one run of it. */
export interface WriteEnd extends Pick<StoredWrite, 'id' | 'attempt' | 'state' | 'outcome'> {
  /** Ends only a write with this `holder`. Default: any. */
  holder?: string | undefined
  /** Replaces what is needed to continue. Default: unchanged. */
  progress?: string | undefined
  /** The time of the caller's clock. */
  now: number
}

/**
 * Keeps durable writes. Every function is atomic, even between processes. `durable` passes the time of the client's clock,
 * so that tests take virtual time.
 */
export interface WriteStore {
  /**
   * Stores an intent if the id is new or cleared. Takes over a pending write with the same operation and input whose holder
   * has none left until `now`. Otherwise changes nothing. Resolves with the write as it is then.
   */
  begin(intent: WriteIntent): Promise<StoredWrite>
  /**
   * Extends the hold and stores progress. Resolves with false, and changes nothing, when the token is not the holder.
   *
   * @param id The user's own id of the write.
   */
  save(id: string, hold: WriteHold): Promise<boolean>
  /** Ends the attempt, unless it is done. Resolves with false, and changes nothing, when the attempt or the holder differs. */
  end(end: WriteEnd): Promise<boolean>
  /** Resolves with a write. */
  read(id: string): Promise<StoredWrite | undefined>
  /** Resolves with pending and unresolved writes, the oldest first. */
  open(limit: number): Promise<StoredWrite[]>
}

/** Options of `store.prune`. */
export interface PruneOptions {
  /** The most entries that one statement deletes, at least 1. Default: 1,000. */
  limit?: number | undefined
  /** The time in milliseconds since 1970, for tests. Default: now. */
  now?: number | undefined
}

/** How long entries are kept. Pending and unresolved writes are kept until they have an outcome. */
export interface Retention {
  /**
   * Milliseconds for which a handled message is remembered. Must be longer than deliveries are retried, which is about 28
   * hours (assumption). Default: 7 days.
   */
  keepMessages?: number | undefined
  /**
   * Milliseconds for which the outcome of a durable write is kept. After that, the same id sends again. Default: 90 days.
   */
  keepWrites?: number | undefined
}

const day = 86_400_000

/** The defaults of {@link Retention}. */
export const retention = { keepMessages: 7 * day, keepWrites: 90 * day }

/** One store for the handled messages of `eventHandler`, for durable writes, and for the checkpoints of their imports. */
export interface Store extends DedupeStore, WriteStore {
  /**
   * Deletes handled messages and outcomes that are older than the store keeps them, in small steps. Resolves with their
   * number. Run it once a day.
   */
  prune(options?: PruneOptions): Promise<number>
}
