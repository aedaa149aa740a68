import type { SqlTransaction } from '../stores/database.ts'
import type { SyncSettings } from './settings.ts'
import { hashOf, lockStatement } from './store-rows.ts'
import { SyncError } from './sync-error.ts'
import { listTables } from './tables.ts'
import { isUuid } from './values.ts'

/** What was removed. */
export interface RemovalReport {
  /** The number of deleted rows by table; tables without any are left out. */
  deleted: Record<string, number>
  /** The number of rows that are left: 0, counted again after the deletion. */
  left: number
}

/** The tables with rows of a user besides those of records. */
const otherTables = ['unknown_events', 'failed_messages', 'disconnections', 'backfills']

/** Removes everything of a user, and what arrives later. */
export async function forget(
  { database, schema }: SyncSettings,
  userId: string,
): Promise<RemovalReport> {
  const user = checkUser(userId)
  return database.transaction(async (tx) => {
    await tx.query(lockStatement(schema, 'exclusive'), [user])
    await tx.query(
      `insert into ${schema}.forgotten (user_hash) values (${hashOf('$1')}) on conflict do nothing`,
      [user],
    )
    const tables = [...listTables().map(({ name }) => name), ...otherTables]
    return removeRows(tx, schema, { tables, where: 'user_id::text = $1::text', values: [user] })
  })
}

/** Removes the data of a connection, and what arrives before it exists again; or only marks it as disconnected. */
export async function disconnect(
  { database, schema, onDisconnect }: SyncSettings,
  userId: string,
  provider: string,
): Promise<RemovalReport> {
  const user = checkUser(userId)
  const values = [user, provider]
  const where = 'user_id = $1::text::uuid and source_provider = $2::text'
  return database.transaction(async (tx) => {
    await tx.query(lockStatement(schema, 'exclusive'), [user])
    await tx.query(
      `update ${schema}.connections
set status = 'disconnected', changed_at = now(), sync_rank = -1,
  sync_version = date_trunc('second', now()), sync_sent_at = date_trunc('second', now())
where ${where}`,
      values,
    )
    if (onDisconnect === 'keep') return { deleted: {}, left: 0 }
    await tx.query(
      `insert into ${schema}.disconnections (user_id, source_provider, disconnected_at)
values ($1::text::uuid, $2::text, now())
on conflict (user_id, source_provider) do update set disconnected_at = now()`,
      values,
    )
    const tables = listTables()
      .map(({ name }) => name)
      .filter((name) => name !== 'connections')
    return removeRows(tx, schema, { tables, where, values })
  })
}

interface Removed {
  tables: readonly string[]
  where: string
  values: readonly string[]
}

async function removeRows(
  tx: SqlTransaction,
  schema: string,
  { tables, where, values }: Removed,
): Promise<RemovalReport> {
  const deleted: Record<string, number> = {}
  for (const table of tables) {
    const { rows } = await tx.query(
      `with gone as (delete from ${schema}.${table} where ${where} returning 1) select count(*)::int as count from gone`,
      values,
    )
    const count = Number(rows[0]?.['count'])
    if (count > 0) deleted[table] = count
  }
  const counts = tables.map((table) => `(select count(*) from ${schema}.${table} where ${where})`)
  const { rows } = await tx.query(`select (${counts.join(' + ')})::int as count`, values)
  return { deleted, left: Number(rows[0]?.['count']) }
}

/** @throws {SyncError} `argument_invalid` */
function checkUser(userId: string): string {
  if (isUuid(userId)) return userId.toLowerCase()
  throw new SyncError('argument_invalid', 'Expected the user to be a UUID.')
}
