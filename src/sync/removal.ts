import type { ServiceEvent } from '../contract/events.ts'
import type { SqlTransaction } from '../stores/database.ts'
import { SyncError } from './database-errors.ts'
import { withoutProviders } from './event-rows.ts'
import { listTables } from './schema/tables.ts'
import type { SyncSettings } from './settings.ts'
import { wholeEventOf } from './store-message.ts'
import { hashOf, isKept, lockStatement } from './store-rows.ts'
import { isUuid, toJsonb } from './values.ts'

/** The result of `sync.forget` or `sync.disconnect`. */
export interface RemovalReport {
  /** The number of deleted rows, by table. Omits tables without deleted rows. */
  deleted: Record<string, number>
  /** The number of rows left. Should be 0. */
  left: number
}

/** The tables with rows about users, except the record and event tables. */
const stateTables = ['disconnections', 'backfills']

/** The tables with events. Some events have a user id that is not a UUID. */
const eventTables = ['unknown_events', 'failed_messages']

const ofUser = 'user_id = $1::text::uuid'

/**
 * Matches a user's rows. Also matches rows whose user id is not a UUID, if their event contains the user's id, with or
 * without hyphens.
 */
const mentionsUser = `(user_id = $1::varchar or (
  user_id !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
  and strpos(replace(lower(event), '-', ''), replace($1::text, '-', '')) > 0
))`

export async function forget(
  { database, schema }: SyncSettings,
  userId: string,
): Promise<RemovalReport> {
  const user = checkUser(userId)
  return database.transaction(async (tx) => {
    // A message without a valid user id may also contain the id. Its transaction locks the empty string.
    for (const lock of [user, '']) await tx.query(lockStatement(schema, 'exclusive'), [lock])
    await tx.query(
      `insert into ${schema}.forgotten (user_hash) values (${hashOf('$1')}) on conflict do nothing`,
      [user],
    )
    const names = [...listTables().map(({ name }) => name), ...stateTables]
    const tables = [
      ...names.map((name) => ({ name, where: ofUser })),
      ...eventTables.map((name) => ({ name, where: mentionsUser })),
    ]
    return removeRows(tx, schema, tables, [user])
  })
}

export async function disconnect(
  { database, schema, onDisconnect }: SyncSettings,
  userId: string,
  provider: string,
): Promise<RemovalReport> {
  const user = checkUser(userId)
  // Read the clock first. The transaction may wait, and the user may connect again in the meantime.
  const at = new Date().toISOString()
  const values = [user, provider, at]
  return database.transaction(async (tx) => {
    await tx.query(lockStatement(schema, 'exclusive'), [user])
    const { rows: marked } = await tx.query(
      // Insert a missing row, because the connection event may still arrive.
      `insert into ${schema}.connections as stored
  (user_id, source_provider, status, changed_at, record, sync_rank, sync_version, sync_sent_at)
select $1::text::uuid, $2::text, 'disconnected', at, '{}', -1, date_trunc('second', at), date_trunc('second', at)
from (select $3::text::timestamptz as at) as disconnection
where ${isKept(schema, '$1')}
on conflict (user_id, source_provider) do update set status = excluded.status, changed_at = excluded.changed_at,
  sync_rank = excluded.sync_rank, sync_version = excluded.sync_version, sync_sent_at = excluded.sync_sent_at
where stored.status <> 'connected' or stored.sync_sent_at <= excluded.changed_at
returning 1`,
      values,
    )
    if (onDisconnect === 'keep') return { deleted: {}, left: 0 }
    // Delete the positions, so backfills read the removed days again.
    await tx.query(`delete from ${schema}.backfills where ${ofUser}`, [user])
    const isConnectedAgain = marked.length === 0
    if (!isConnectedAgain) {
      await tx.query(
        `insert into ${schema}.disconnections (user_id, source_provider, disconnected_at)
values ($1::text::uuid, $2::text, $3::text::timestamptz)
on conflict (user_id, source_provider) do update set disconnected_at = excluded.disconnected_at`,
        values,
      )
    }
    const where = `${ofUser} and source_provider = $2::text and sync_sent_at <= $3::text::timestamptz`
    const tables = listTables()
      .filter(({ name }) => name !== 'connections')
      .map(({ name }) => ({ name, where }))
    const limit = isConnectedAgain ? at : 'infinity'
    const report = await removeRows(tx, schema, tables, [user, provider, limit])
    for (const name of eventTables) {
      const events = await findEvents(tx, `${schema}.${name}`, [user, provider, limit])
      if (events.length === 0) continue
      const where = 'message_id in (select json_array_elements_text($1::text::json))'
      const { deleted, left } = await removeRows(tx, schema, [{ name, where }], [toJsonb(events)])
      Object.assign(report.deleted, deleted)
      report.left += left
    }
    return report
  })
}

/**
 * Returns the ids of a user's events that contain only the given provider's data. Removes the provider's records from
 * the user's other events.
 */
async function findEvents(
  tx: SqlTransaction,
  table: string,
  [user = '', provider = '', limit = '']: readonly string[],
): Promise<string[]> {
  const found: string[] = []
  for (let last = ''; ; ) {
    const { rows } = await tx.query(
      // Read only a few events at a time, because events may be large.
      `select message_id as id, event from ${table}
where user_id = $1::text and sent_at <= $2::text::timestamptz and message_id > $3::text
order by message_id limit 10`,
      [user, limit, last],
    )
    if (rows.length === 0) return found
    for (const { id, event } of rows) {
      last = String(id)
      // The event needs no check, because this package stored it.
      const before: ServiceEvent = JSON.parse(String(event))
      const { event: rest, isEmpty } = withoutProviders(before, [provider])
      if (isEmpty) found.push(last)
      else if (rest !== before) {
        const { text } = await wholeEventOf({ id: last, event: rest, sentAt: '' })
        const update = `update ${table} set event = $2::text where message_id = $1::text`
        await tx.query(update, [last, text])
      }
    }
  }
}

async function removeRows(
  tx: SqlTransaction,
  schema: string,
  tables: readonly { name: string; where: string }[],
  values: readonly string[],
): Promise<RemovalReport> {
  const deleted: Record<string, number> = {}
  for (const { name, where } of tables) {
    const { rows } = await tx.query(
      `with gone as (delete from ${schema}.${name} where ${where} returning 1) select count(*)::int as count from gone`,
      values,
    )
    const count = Number(rows[0]?.['count'])
    if (count > 0) deleted[name] = count
  }
  const counts = tables.map(
    ({ name, where }) => `(select count(*) from ${schema}.${name} where ${where})`,
  )
  const { rows } = await tx.query(`select (${counts.join(' + ')})::int as count`, values)
  return { deleted, left: Number(rows[0]?.['count']) }
}

function checkUser(userId: string): string {
  if (isUuid(userId)) return userId.toLowerCase()
  throw new SyncError('argument_invalid', 'Expected the user id to be a UUID.')
}
