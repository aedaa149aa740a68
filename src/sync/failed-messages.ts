import type { SqlTransaction } from '../stores/database.ts'
import { describeDatabaseFailure, isLasting, withoutValues } from './database-errors.ts'
import type { Message } from './event-rows.ts'
import type { SyncSettings } from './settings.ts'
import { type MessageWriter, userOf } from './store-message.ts'
import { isAboutNoForgotten, lockStatement } from './store-rows.ts'

/** The result of `sync.retry`. */
export interface RetryReport {
  /** The number of messages that are now stored. */
  stored: number
  /** The number of messages that failed again and stay in `failed_messages`. */
  failed: number
}

/** The messages that could not be stored. */
export class FailedMessages {
  readonly #settings: SyncSettings
  readonly #writer: MessageWriter

  constructor(settings: SyncSettings, writer: MessageWriter) {
    this.#settings = settings
    this.#writer = writer
  }

  /** Counts a failed attempt; returns whether it was the last one. */
  async add(message: Message, error: unknown): Promise<boolean> {
    const { database, schema, maxAttempts } = this.#settings
    const { user, lock, mentioned } = userOf(message)
    const { id, event, sentAt } = message
    const json = JSON.stringify(event)
    return database.transaction(async (tx) => {
      await tx.query(lockStatement(schema, 'shared'), [lock])
      const { rows } = await tx.query(
        `insert into ${schema}.failed_messages as known
  (message_id, attempts, is_parked, error, user_id, event, sent_at)
select $1::text, 1, false, $2::text, $3::text, $4::text, $5::text::timestamptz
where ${isAboutNoForgotten(schema, '$6')}
on conflict (message_id) do update set attempts = known.attempts + 1, error = excluded.error, failed_at = now()
returning attempts`,
        [id, describeDatabaseFailure(error), user, json, sentAt, mentioned(json)],
      )
      return Number(rows[0]?.['attempts'] ?? 0) >= maxAttempts
    })
  }

  /** Keeps a message for {@link FailedMessages.retry}. */
  async park(tx: SqlTransaction, { id }: Message): Promise<void> {
    const { schema } = this.#settings
    await tx.query(
      `update ${schema}.failed_messages set is_parked = true where message_id = $1::text`,
      [id],
    )
  }

  /** Stores the parked messages, oldest first. */
  async retry(): Promise<RetryReport> {
    const { database, schema } = this.#settings
    const report = { stored: 0, failed: 0 }
    const { rows } = await database.query(
      "select to_char(now(), 'YYYY-MM-DD HH24:MI:SS.USOF') as now",
    )
    const startedAt = String(rows[0]?.['now'])
    for (;;) {
      let message: Message | undefined
      try {
        const done = await database.transaction(async (tx) => {
          message = await this.#take(tx, startedAt)
          return message && this.#writer.store(tx, message)
        })
        if (!done) return report
        done()
        report.stored += 1
      } catch (error) {
        if (!message || !isLasting(error)) throw withoutValues(error)
        report.failed += 1
        await database.query(
          `update ${schema}.failed_messages
set attempts = attempts + 1, error = $2::text, failed_at = clock_timestamp() where message_id = $1::text`,
          [message.id, describeDatabaseFailure(error)],
        )
      }
    }
  }

  /** Locks a message that has not been tried since a given time; other transactions skip it. */
  async #take(tx: SqlTransaction, startedAt: string): Promise<Message | undefined> {
    const { schema } = this.#settings
    const { rows } = await tx.query(
      `select message_id as id, event, to_char(sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as sent
from ${schema}.failed_messages
where is_parked and failed_at <= $1::text::timestamptz
order by failed_at, message_id limit 1
for update skip locked`,
      [startedAt],
    )
    const [row] = rows
    if (!row) return undefined
    // This package stored the event.
    return {
      id: String(row['id']),
      event: JSON.parse(String(row['event'])),
      sentAt: String(row['sent']),
    }
  }
}
