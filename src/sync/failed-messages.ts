import type { ServiceEvent } from '../contract/events.ts'
import type { VerifiedMessage } from '../events/verify.ts'
import type { SqlTransaction } from '../stores/database.ts'
import { describeFailure, isLasting, withoutValues } from './database-errors.ts'
import type { Message } from './event-rows.ts'
import type { SyncSettings } from './settings.ts'
import {
  lockOf,
  type MessageWriter,
  userOf,
  wholeEventOf,
  withoutRemoved,
} from './store-message.ts'
import { isAboutNoForgotten, lockStatement } from './store-rows.ts'

/** The result of `sync.retry`. */
export interface RetryReport {
  /** The number of messages stored. */
  stored: number
  /** The number of messages that failed again and remain in `failed_messages`. */
  failed: number
}

/** Options for `sync.retry`. */
export interface RetryOptions {
  /**
   * Your own `transaction` function, if you pass one to `eventHandler`. It must call `sync.listeners.transaction`.
   */
  transaction?:
    | ((transaction: SqlTransaction, event: ServiceEvent, message: VerifiedMessage) => unknown)
    | undefined
}

export class FailedMessages {
  readonly #settings: SyncSettings
  readonly #writer: MessageWriter

  constructor(settings: SyncSettings, writer: MessageWriter) {
    this.#settings = settings
    this.#writer = writer
  }

  /**
   * Stores a failed message's event, without the data of removed connections. Returns whether the attempt was the last
   * one. A message about a forgotten user has only one attempt and is not stored.
   */
  async add(message: Message, error: unknown): Promise<boolean> {
    const { database, schema, maxAttempts } = this.#settings
    const { lock } = userOf(message)
    const { id, sentAt } = message
    return database.transaction(async (tx) => {
      await tx.query(lockStatement(schema, 'shared'), [lock])
      const { event } = await withoutRemoved(tx, schema, message)
      const { text, mentioned } = await wholeEventOf({ ...message, event })
      const { rows } = await tx.query(
        `insert into ${schema}.failed_messages as known
  (message_id, attempts, is_parked, error, user_id, event, sent_at)
select $1::text, 1, false, $2::text, $3::text, $4::text, $5::text::timestamptz
where ${isAboutNoForgotten(schema, '$6')}
on conflict (message_id) do update set attempts = known.attempts + 1, error = excluded.error, failed_at = now()
returning attempts`,
        // `user_id` contains the lock: the user id if it is a UUID, or an empty string.
        [id, describeFailure(error), lock, text, sentAt, mentioned],
      )
      return rows.length === 0 || Number(rows[0]?.['attempts']) >= maxAttempts
    })
  }

  /** Parks a message. Returns false if it is not in `failed_messages`. */
  async park(tx: SqlTransaction, { id }: Message): Promise<boolean> {
    const { schema } = this.#settings
    const { rows } = await tx.query(
      `update ${schema}.failed_messages set is_parked = true where message_id = $1::text returning message_id`,
      [id],
    )
    return rows.length > 0
  }

  async retry({ transaction }: RetryOptions): Promise<RetryReport> {
    const { database, schema } = this.#settings
    const report = { stored: 0, failed: 0 }
    for (let last = ''; ; ) {
      const { rows } = await database.query(
        `select message_id as id, user_id as lock from ${schema}.failed_messages
where is_parked and message_id > $1::text order by message_id limit 1000`,
        [last],
      )
      if (rows.length === 0) return report
      for (const row of rows) {
        last = String(row['id'])
        const result = await this.#retryOne(last, lockOf(String(row['lock'])), transaction)
        if (result) report[result] += 1
      }
    }
  }

  /** Retries a message. Returns undefined if it no longer exists or another process is retrying it. */
  async #retryOne(
    id: string,
    lock: string,
    transaction: RetryOptions['transaction'],
  ): Promise<keyof RetryReport | undefined> {
    const { database, schema } = this.#settings
    let message: Message | undefined
    try {
      const done = await database.transaction(async (tx) => {
        // Lock the user first, as `forget` and `disconnect` do. The lock is exclusive, because a large message needs
        // several statements.
        await tx.query(lockStatement(schema, 'exclusive'), [lock])
        message = await this.#take(tx, id)
        if (!message || !transaction) return message && this.#writer.store(tx, message)
        const { event, sentAt } = message
        await transaction(tx, event, { id, timestamp: new Date(sentAt) })
        return () => {}
      })
      done?.()
      return done && 'stored'
    } catch (error) {
      if (!message || !isLasting(error)) throw withoutValues(error)
      await database.query(
        `update ${schema}.failed_messages
set attempts = attempts + 1, error = $2::text, failed_at = now() where message_id = $1::text`,
        [id, describeFailure(error)],
      )
      return 'failed'
    }
  }

  /** Locks and returns a parked message, unless another transaction has locked it. */
  async #take(tx: SqlTransaction, id: string): Promise<Message | undefined> {
    const { schema } = this.#settings
    const { rows } = await tx.query(
      `select event, to_char(sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as sent
from ${schema}.failed_messages
where message_id = $1::text and is_parked for update skip locked`,
      [id],
    )
    const [row] = rows
    // The event needs no check, because this package stored it.
    return row && { id, event: JSON.parse(String(row['event'])), sentAt: String(row['sent']) }
  }
}
