import type { ServiceEvent } from '../contract/events.ts'
import type { TransactionalStore } from '../events/dedupe.ts'
import type { VerifiedMessage } from '../events/verify.ts'
import type { SqlTransaction } from '../stores/database.ts'
import type { PostgresStore } from '../stores/postgres.ts'
import { isLasting, withoutValues } from './database-errors.ts'
import type { Message } from './event-rows.ts'
import type { FailedMessages } from './failed-messages.ts'
import type { MessageWriter, SyncCounts } from './store-message.ts'

/** The `dedupe` and `transaction` options for `eventHandler` and `nodeEventHandler`. */
export interface SyncListeners {
  /** Marks messages as handled in the transaction that stores their rows. */
  dedupe: TransactionalStore<SqlTransaction>
  /**
   * Stores an event's rows. To store other data in the same transaction, pass your own function that calls this one
   * with the same arguments.
   *
   * @throws the database's own error. `onError` receives a {@link SyncError} instead.
   */
  transaction: (
    transaction: SqlTransaction,
    event: ServiceEvent,
    message: VerifiedMessage,
  ) => Promise<void>
}

/**
 * An attempt to handle a message. If the attempt fails, `message` is stored as failed. Otherwise, `done` counts the
 * message and reports its findings.
 */
interface Attempt {
  message?: Message
  done?: () => void
}

type Listener = (transaction: SqlTransaction) => unknown

export function makeListeners(
  store: PostgresStore,
  { writer, failed, counts }: { writer: MessageWriter; failed: FailedMessages; counts: SyncCounts },
): SyncListeners {
  const attempts = new WeakMap<SqlTransaction, Attempt>()
  const attemptOnce = async (id: string, attempt: Attempt, listener: Listener) => {
    const result = await store.handle(id, async (tx) => {
      const own: SqlTransaction = { query: (text, values) => tx.query(text, values) }
      attempts.set(own, attempt)
      await listener(own)
    })
    attempt.done?.()
    return result
  }
  /**
   * Stores a message that failed with a lasting error, and parks it after its last attempt. Before the last attempt, or
   * after any other error, rejects, so the service retries the delivery.
   */
  const fail = async (id: string, { message }: Attempt, error: unknown) => {
    counts.failures += 1
    if (!message || !isLasting(error) || !(await failed.add(message, error))) throw error
    let isParked = false
    const result = await store.handle(id, async (tx) => {
      isParked = await failed.park(tx, message)
    })
    if (result === 'claimed' && isParked) counts.parked += 1
    return result
  }
  const handle = async (id: string, listener: Listener) => {
    const attempt: Attempt = {}
    try {
      return await attemptOnce(id, attempt, listener).catch((error: unknown) =>
        fail(id, attempt, error),
      )
    } catch (error) {
      throw withoutValues(error)
    }
  }
  return {
    dedupe: {
      claim: (id, token) => store.claim(id, token),
      finish: (id, token) => store.finish(id, token),
      release: (id, token) => store.release(id, token),
      handle,
    },
    async transaction(transaction, event, { id, timestamp }) {
      const message = { id, event, sentAt: timestamp.toISOString() }
      const attempt = attempts.get(transaction)
      const done = await writer.store(transaction, message, () => {
        if (attempt) attempt.message = message
      })
      if (attempt) attempt.done = done
      else done()
    },
  }
}
