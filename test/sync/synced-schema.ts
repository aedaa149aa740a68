import { eventHandler } from '../../src/events/index.ts'
import type { ServiceClient } from '../../src/index.ts'
import { adaptDatabase } from '../../src/stores/database.ts'
import type { PostgresDatabase, SqlRow } from '../../src/stores/index.ts'
import { createSync, type EventFinding, type SyncOptions } from '../../src/sync/index.ts'
import { delivery, secret } from '../support/signed.ts'

let count = 0

/** A user whose events are delivered. */
export const user = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'

/** Migrates an empty schema, and receives events into it. */
export async function syncInto(
  database: PostgresDatabase,
  options: Partial<SyncOptions> & { client?: ServiceClient } = {},
) {
  count += 1
  const schema = `sync_${process.pid}_${count}`
  const findings: EventFinding[] = []
  const errors: unknown[] = []
  const onFinding = (finding: EventFinding) => findings.push(finding)
  const sync = createSync({ database, schema, onFinding, ...options })
  await sync.migrate()
  const receive = eventHandler({
    ...{ secrets: secret, ...sync.listeners },
    onError: (error) => errors.push(error),
  })
  let messages = 0
  /** Delivers an event; each is another message, unless it has an id. */
  const deliver = async (event: object, options: { id?: string; at?: Date } = {}) => {
    messages += 1
    const { id = `msg_${messages}`, at = new Date() } = options
    return (await receive(await delivery({ user_id: user, ...event }, { id, at }))).status
  }
  /** Runs a statement in which `$` is the schema. */
  const query = async (text: string): Promise<SqlRow[]> =>
    (await adaptDatabase(database).query(text.replaceAll('$', `"${schema}"`))).rows
  return { schema, sync, deliver, query, findings, errors }
}

const source = { provider: 'oura', type: 'ring', app_id: null }

/** An event of a night. */
export function nightEvent(fields: object = {}, type = 'daily.data.sleep.created') {
  const night = { id: 'night-1', user_id: user, calendar_date: '2026-01-05', total: 100, source }
  return { event_type: type, data: { data: [{ ...night, ...fields }], source } }
}

/** An event with many records of one source. */
export function mealEvent(
  count: number,
  fields: (at: number) => object = () => ({}),
  from: object = {},
) {
  const data = Array.from({ length: count }, (_, at) => ({ id: `meal-${at}`, ...fields(at) }))
  return { event_type: 'daily.data.meal.created', data: { data, source: from } }
}

/** An event of heart rates. */
export function heartrateEvent(samples: readonly object[], type = 'daily.data.heartrate.created') {
  const data = samples.map((sample) => ({ unit: 'bpm', timezone_offset: 0, ...sample }))
  return { event_type: type, data: { data, source } }
}
