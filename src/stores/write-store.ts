import type { DedupeStore } from '../events/dedupe.ts'
import { StoreError } from './store-error.ts'

/**
 * The states of a durable write.
 * - `pending`: the intent is stored, but there is no outcome yet.
 * - `unresolved`: the outcome cannot be determined, so a person must resolve it.
 * - `done`: the outcome is stored and never changes.
 * - `cleared`: the write had no effect, so the id may be reused.
 */
export type WriteState = 'pending' | 'unresolved' | 'done' | 'cleared'

/** A durable write, as stored. Times are Unix timestamps in milliseconds. */
export interface StoredWrite {
  /** The caller's id for the write. */
  id: string
  /** The operation, such as `orders.create`. */
  operation: string
  /** The hash key's fingerprint, a colon, and a keyed hash of the input. */
  input: string
  /** A random id for this attempt. Reusing the id of a cleared write starts a new attempt. */
  attempt: string
  /** The token of the process that is working on the write; empty if there is none. */
  holder: string
  /** When another process may take over. */
  heldUntil: number
  /** The write's state. */
  state: WriteState
  /** The data needed to continue the write, as JSON; empty if none is needed. */
  progress: string
  /** The outcome, or the last error of a pending or unresolved write, as JSON; empty if there is none. */
  outcome: string
  /** When the intent was stored. */
  startedAt: number
}

/** The intent that {@link WriteStore.begin} stores. */
export interface WriteIntent
  extends Pick<StoredWrite, 'id' | 'operation' | 'input' | 'heldUntil' | 'progress'> {
  /** This process's token for the write: its `holder`, and also the `attempt` if the id is new or cleared. */
  token: string
  /** The time on the caller's clock. */
  now: number
}

/** The hold that {@link WriteStore.save} stores. */
export interface WriteHold {
  /** The holder's token. */
  token: string
  /** When another process may take over, as a Unix timestamp in milliseconds. */
  heldUntil: number
  /** Replaces the stored progress. Default: unchanged. */
  progress?: string | undefined
}

/** The new state that {@link WriteStore.end} stores. */
export interface WriteEnd extends Pick<StoredWrite, 'id' | 'attempt' | 'state' | 'outcome'> {
  /** Ends the write only if it has this `holder`. Default: any holder. */
  holder?: string | undefined
  /** The time on the caller's clock. */
  now: number
}

/**
 * Stores durable writes. Every function is atomic, even across processes. Times come from the client's clock, so tests
 * can run in virtual time.
 */
export interface WriteStore {
  /**
   * Stores an intent if the id is new or cleared. Takes over a pending write with the same operation and input if its hold
   * has expired by `now`. Otherwise changes nothing. Resolves to the resulting write.
   */
  begin(intent: WriteIntent): Promise<StoredWrite>
  /**
   * Extends the hold and stores progress. If the token does not match the holder, or `heldUntil` is earlier than the
   * stored one, changes nothing and resolves to false. A save that the database runs late, after its call has failed,
   * must not shorten the hold.
   *
   * @param id The caller's id for the write.
   */
  save(id: string, hold: WriteHold): Promise<boolean>
  /**
   * Ends the attempt. If the write is done, if the attempt or the holder differs, or if a holder is given for a cleared
   * write, changes nothing and resolves to false.
   */
  end(end: WriteEnd): Promise<boolean>
  /** Resolves to the write, or to undefined if there is none. */
  read(id: string): Promise<StoredWrite | undefined>
  /** Resolves to at most `limit` pending and unresolved writes, oldest first. */
  open(limit: number): Promise<StoredWrite[]>
}

/** Options for `store.prune`. */
export interface PruneOptions {
  /** The maximum number of entries that one statement deletes, at least 1. Default: 1,000. */
  limit?: number | undefined
  /** The time as a Unix timestamp in milliseconds, for tests. Default: the current time. */
  now?: number | undefined
}

/** How long entries are kept. Pending and unresolved writes are kept until they have an outcome. */
export interface Retention {
  /**
   * How long a handled message is remembered, in milliseconds. Must exceed the period in which the service retries
   * deliveries, about 28 hours (an assumption). Default: 7 days.
   */
  keepMessages?: number | undefined
  /**
   * How long a durable write's outcome is kept, in milliseconds. After that, a call with the same id sends the write again.
   * Default: 90 days.
   */
  keepWrites?: number | undefined
}

const day = 86_400_000

export const retention = { keepMessages: 7 * day, keepWrites: 90 * day }

interface Durations extends Retention {
  claimFor?: number | undefined
}

/**
 * @param store The name of the function that creates the store, for the error message.
 * @throws {StoreError} `argument_invalid`
 */
export function readDurations(store: string, options: Durations) {
  const { claimFor = 600_000 } = options
  const { keepMessages = retention.keepMessages, keepWrites = retention.keepWrites } = options
  const durations = { claimFor, keepMessages, keepWrites }
  for (const [name, value] of Object.entries(durations)) {
    if (Number.isSafeInteger(value) && value >= 1) continue
    throw new StoreError(
      'argument_invalid',
      `Expected ${name} of ${store} to be a whole number of milliseconds, at least 1.`,
    )
  }
  return durations
}

/** @param read Returns the stored value of a field. */
export function readWrite(read: (name: keyof StoredWrite) => unknown): StoredWrite {
  const text = (name: keyof StoredWrite) => String(read(name))
  return {
    ...{ id: text('id'), operation: text('operation'), input: text('input') },
    ...{ attempt: text('attempt'), holder: text('holder') },
    ...{ heldUntil: Number(text('heldUntil')), startedAt: Number(text('startedAt')) },
    // The state is always valid, because only the stores write it.
    state: text('state') as WriteState,
    ...{ progress: text('progress'), outcome: text('outcome') },
  }
}

/** A store for handled messages, durable writes, and the checkpoints of durable imports. */
export interface Store extends DedupeStore, WriteStore {
  /**
   * Deletes handled messages and outcomes whose retention period has ended, in small batches. Resolves to the number of
   * deleted entries. Run it once a day.
   */
  prune(options?: PruneOptions): Promise<number>
}
