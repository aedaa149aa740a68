import { adaptDatabase, type PostgresDatabase } from '../../../src/stores/database.ts'
import { syncTables } from '../../../src/sync/schema/tables.ts'

const { sleep, activity, workouts, body, profile, meals, sleep_cycles, samples } = syncTables

/** The tables whose records certify compares. */
const probed = [sleep, activity, workouts, body, profile, meals, sleep_cycles, samples]

/** Returns a user's stored records and the ids of all handled messages, in the form that certify compares. */
export async function readStored(
  given: PostgresDatabase,
  schema: string,
  { user_id = '', limit = 100_000 }: { user_id?: string; limit?: number },
): Promise<{ records: object[]; handled: string[] }> {
  const database = adaptDatabase(given)
  const records: object[] = []
  // Postgres cannot store NUL characters, so such a user id is unknown.
  const isUnknown = user_id.includes('\0')
  for (const { name } of limit === 0 || isUnknown ? [] : probed) {
    const { rows } = await database.query(
      `select record, user_id, source_provider from "${schema}".${name} where user_id::text = lower($1::text) limit $2::int`,
      [user_id, limit],
    )
    for (const { record, user_id, source_provider } of rows) {
      records.push({ ...Object(record), user_id, provider: source_provider })
    }
  }
  const { rows } = await database.query(
    `select id from "${schema}".messages where token = '' limit $1::int`,
    [limit],
  )
  return { records, handled: rows.map(({ id }) => String(id)) }
}
