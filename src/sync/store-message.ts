import type { SqlTransaction } from '../stores/database.ts'
import type { SyncCounts } from './counts.ts'
import { type EventFinding, type Message, rowsOfMessage } from './event-rows.ts'
import type { SyncSettings } from './settings.ts'
import { hashOf, lockStatement, storeRows } from './store-rows.ts'
import { toJsonb } from './values.ts'

/** Stores messages in transactions. */
export class MessageWriter {
  readonly #settings: SyncSettings
  readonly #counts: SyncCounts
  /** What was reported, by a key. */
  readonly #reported = new Set<string>()

  constructor(settings: SyncSettings, counts: SyncCounts) {
    this.#settings = settings
    this.#counts = counts
  }

  /** Stores the rows of a message, and returns what must happen after the transaction: it counts and reports. */
  async store(tx: SqlTransaction, message: Message): Promise<() => void> {
    const { schema } = this.#settings
    const user = userOf(message)
    const { table, rows, findings, unknown, connected } = rowsOfMessage(message)
    // An earlier attempt may have failed.
    const unlisted = `with listed as (delete from ${schema}.failed_messages where message_id = $2) `
    await tx.query(`${unlisted}${lockStatement(schema, 'shared')}`, [user, message.id])
    if (connected !== undefined) await this.#reconnect(tx, message, connected)
    await storeRows(tx, schema, { table, user_id: user, rows })
    if (unknown) await this.#storeUnknown(tx, message, unknown)
    const news = findings.filter((finding) => !this.#reported.has(keyOf(finding)))
    if (news.length > 0) await this.#storeFindings(tx, news)
    return () => {
      this.#counts.messages += 1
      this.#counts.rows += rows.length
      if (unknown) this.#counts.unknown += 1
      for (const finding of news) this.#report(finding)
    }
  }

  async #reconnect(tx: SqlTransaction, message: Message, provider: string): Promise<void> {
    const { schema } = this.#settings
    await tx.query(
      `delete from ${schema}.disconnections
where user_id = $1::text::uuid and source_provider = $2::text and date_trunc('second', disconnected_at) <= $3::text::timestamptz`,
      [userOf(message), provider, message.sentAt],
    )
  }

  async #storeUnknown(tx: SqlTransaction, message: Message, reason: string): Promise<void> {
    const { schema } = this.#settings
    const { id, event, sentAt } = message
    await tx.query(
      `insert into ${schema}.unknown_events (message_id, event_type, user_id, reason, event, sent_at)
select $1::text, $2::text, $3::text, $4::text, $5::text, $6::text::timestamptz
where not exists (select from ${schema}.forgotten where user_hash = ${hashOf('$3')})
on conflict (message_id) do nothing`,
      [id, plain(event.event_type), userOf(message), reason, JSON.stringify(event), sentAt],
    )
  }

  async #storeFindings(tx: SqlTransaction, findings: readonly EventFinding[]): Promise<void> {
    const { schema } = this.#settings
    await tx.query(
      `insert into ${schema}.findings (kind, resource, name)
select kind, resource, left(name, 500) from json_to_recordset($1::text::json) as found (kind text, resource text, name text)
order by 1, 2, 3
on conflict do nothing`,
      [toJsonb(findings)],
    )
  }

  async #report(finding: EventFinding): Promise<void> {
    const key = keyOf(finding)
    // A sender with ever new names must not fill the memory.
    if (this.#reported.has(key) || this.#reported.size >= 10_000) return
    this.#reported.add(key)
    try {
      await this.#settings.onFinding(finding)
    } catch {
      // An error of the callback changes nothing of what is stored.
    }
  }
}

/** Returns the user of a message as its rows and locks have it. */
export function userOf({ event }: Message): string {
  return typeof event.user_id === 'string' ? plain(event.user_id.toLowerCase()) : ''
}

function keyOf({ kind, resource, name }: EventFinding): string {
  return JSON.stringify([kind, resource, name])
}

/** Returns a string that Postgres accepts as a value and as a key. */
function plain(value: string): string {
  return value.replaceAll('\0', '\ufffd').slice(0, 500)
}
