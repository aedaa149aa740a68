import { toAscii } from '../shared/own-fields.ts'
import type { SqlTransaction } from '../stores/database.ts'
import { type EventFinding, type Message, rowsOfMessage, withoutProviders } from './event-rows.ts'
import { partsOfText } from './parts.ts'
import type { SyncSettings } from './settings.ts'
import { isAboutNoForgotten, lockKindFor, lockStatement, storeRows } from './store-rows.ts'
import { isUuid, toJsonb, uuidsIn } from './values.ts'

/** The maximum number of findings stored per message. Later messages can add more. */
const mostFindings = 1000

/** Counts since `createSync` was called, for metrics. */
export interface SyncCounts {
  /** The number of messages stored. */
  messages: number
  /** The number of rows from messages and backfills, plus repaired rows. */
  rows: number
  /** The number of failed attempts to store a message. */
  failures: number
  /** The number of messages parked in `failed_messages` for `sync.retry`. */
  parked: number
  /** The number of events stored in `unknown_events`. */
  unknown: number
}

export class MessageWriter {
  readonly #settings: SyncSettings
  readonly #counts: SyncCounts
  readonly #reported = new Set<string>()

  constructor(settings: SyncSettings, counts: SyncCounts) {
    this.#settings = settings
    this.#counts = counts
  }

  /**
   * Stores a message. Returns a function to call after the transaction, which counts the message and reports its
   * findings.
   *
   * @param onLocked Called after the user is locked. Errors before this call are not caused by the message.
   */
  async store(tx: SqlTransaction, message: Message, onLocked = () => {}): Promise<() => void> {
    const { schema } = this.#settings
    const { user, lock } = userOf(message)
    const { table, rows, items, hasRepeats, findings, unknown, connected } = rowsOfMessage(message)
    // Remove the message from `failed_messages`, because an earlier attempt may have failed.
    const unlisted = `with listed as (delete from ${schema}.failed_messages where message_id = $2) `
    await tx.query(`${unlisted}${lockStatement(schema, lockKindFor(items))}`, [lock, message.id])
    onLocked()
    if (connected !== undefined) await this.#reconnect(tx, message, connected)
    const count = await storeRows(tx, schema, { table, user_id: user, rows })
    const reason = unknown ?? (count < items || hasRepeats?.() ? 'content' : undefined)
    const isUnknown = reason !== undefined && (await this.#storeUnknown(tx, message, reason))
    const news = this.#newFindings(findings)
    if (news.length > 0) await this.#storeFindings(tx, news)
    return () => {
      this.#counts.messages += 1
      this.#counts.rows += count
      if (isUnknown) this.#counts.unknown += 1
      for (const finding of news) this.#report(finding)
    }
  }

  #newFindings(findings: Iterable<EventFinding>): EventFinding[] {
    const news: EventFinding[] = []
    for (const finding of findings) {
      if (this.#reported.has(keyOf(finding))) continue
      if (news.push(finding) === mostFindings) break
    }
    return news
  }

  async #reconnect(tx: SqlTransaction, message: Message, provider: string): Promise<void> {
    const { schema } = this.#settings
    // Delete the backfill positions. Data read while the connection was removed was not stored, so backfills must read
    // it again.
    await tx.query(
      `with ended as (
  delete from ${schema}.disconnections
  where user_id = $1::text::uuid and source_provider = $2::text and date_trunc('second', disconnected_at) <= $3::text::timestamptz
  returning user_id
)
delete from ${schema}.backfills using ended where backfills.user_id = ended.user_id`,
      [userOf(message).user, provider, message.sentAt],
    )
  }

  /** Stores a message's event as JSON. Returns false if nothing was stored. */
  async #storeUnknown(tx: SqlTransaction, message: Message, reason: string): Promise<boolean> {
    const { schema } = this.#settings
    const { event, isEmpty } = await withoutRemoved(tx, schema, message)
    if (isEmpty) return false
    const { id, sentAt } = message
    const { user } = userOf(message)
    const { text, mentioned } = await wholeEventOf({ ...message, event })
    const { rows } = await tx.query(
      `insert into ${schema}.unknown_events (message_id, event_type, user_id, reason, event, sent_at)
select $1::text, $2::text, $3::text, $4::text, $5::text, $6::text::timestamptz
where ${isAboutNoForgotten(schema, '$7')}
on conflict (message_id) do nothing
returning 1`,
      [id, plain(event.event_type), user, reason, text, sentAt, mentioned],
    )
    return rows.length > 0
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
    // Limit the set, so a sender that always uses new names cannot exhaust memory.
    if (this.#reported.has(key) || this.#reported.size >= 10_000) return
    this.#reported.add(key)
    try {
      await this.#settings.onFinding(finding)
    } catch {
      // An error in the callback must not affect what is stored.
    }
  }
}

export interface MessageUser {
  user: string
  /** The key that the transaction locks: the user id, or an empty string if it is not a UUID. */
  lock: string
}

export function userOf({ event }: Message): MessageUser {
  const { user_id } = event
  const user = typeof user_id === 'string' ? plain(user_id.toLowerCase()) : ''
  return { user, lock: lockOf(user) }
}

export async function withoutRemoved(tx: SqlTransaction, schema: string, message: Message) {
  const { rows } = await tx.query(
    `select source_provider as provider from ${schema}.disconnections where user_id = nullif($1::text, '')::uuid`,
    [userOf(message).lock],
  )
  const providers = rows.map(({ provider }) => String(provider))
  return withoutProviders(message.event, providers)
}

interface WholeEvent {
  /** The event as ASCII JSON. */
  text: string
  /**
   * The ids of users that the event may be about, as a JSON array. If the event's user id is not a UUID, contains all
   * UUIDs in the event.
   */
  mentioned: string
}

export async function wholeEventOf(message: Message): Promise<WholeEvent> {
  const { user, lock } = userOf(message)
  const json = JSON.stringify(message.event)
  let text = ''
  for await (const part of partsOfText(json)) text += toAscii(part)
  return { text, mentioned: JSON.stringify(lock === '' ? await uuidsIn(json) : [user]) }
}

export function lockOf(user: string): string {
  return isUuid(user) ? user : ''
}

function keyOf({ kind, resource, name }: EventFinding): string {
  return JSON.stringify([kind, resource, name])
}

/** Returns a string that Postgres accepts as a value and as a key, with at most 500 characters. */
function plain(value: string): string {
  return value.replaceAll('\0', '\ufffd').slice(0, 500)
}
