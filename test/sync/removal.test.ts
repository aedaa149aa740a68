import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventHandler } from '../../src/events/index.ts'
import { ServiceClient } from '../../src/index.ts'
import type { PostgresDatabase } from '../../src/stores/index.ts'
import { sampled } from '../support/long-tests.ts'
import { hasPostgres, startPostgres, withoutPostgres } from '../support/programs/postgres.ts'
import { delivery, secret } from '../support/signed.ts'
import { databaseNames, useServers } from '../support/stores.ts'
import { heartrateEvent, nightEvent, syncInto, user } from './synced-schema.ts'

const { databases } = useServers(sampled(databaseNames, 4))
const mood = { event_type: 'daily.data.mood.created', data: { source: { provider: 'oura' } } }
const connected = {
  event_type: 'provider.connection.created',
  data: { provider: { slug: 'oura' } },
}
/** An event whose only item has no time. */
const timeless = heartrateEvent([{ value: 61 }])

/** Sync that parks failed messages at once and removes the data of disconnected providers. */
function removing(database: PostgresDatabase) {
  const fetch = async () => Response.json({ success: true })
  const connection = { apiKey: 'sk_1', baseUrl: 'https://service.test', fetch }
  const client = new ServiceClient(connection)
  return syncInto(database, { client, onDisconnect: 'remove', maxAttempts: 1 })
}

type Receiver = Awaited<ReturnType<typeof removing>>

/** Parks events, because their tables accept no rows at that time. */
async function park({ deliver, query }: Receiver, events: readonly object[], at = new Date()) {
  const tables = ['sleep', 'samples', 'connections']
  for (const name of tables)
    await query(`alter table $.${name} add constraint no check (false) not valid`)
  for (const event of events) await deliver(event, { at })
  for (const name of tables) await query(`alter table $.${name} drop constraint no`)
}

describe.each(databases)('forget with $name', ({ isThere, db }) => {
  it.skipIf(!isThere)(
    'ends the messages about the user that your own listener rejects',
    async () => {
      const { sync, query } = await syncInto(db())
      const transaction: typeof sync.listeners.transaction = async (tx, ...given) => {
        await sync.listeners.transaction(tx, ...given)
        await tx.query('select 1 / 0')
      }
      const receive = eventHandler({ secrets: secret, ...sync.listeners, transaction })
      await sync.forget(user)
      const message = await delivery({ user_id: user, ...nightEvent() })
      expect((await receive(message)).status).toBe(200)
      expect(sync.counts()).toMatchObject({ failures: 1, parked: 0 })
      expect(await query('select from $.failed_messages')).toEqual([])
    },
  )
})

describe.each(databases)('disconnect with $name', ({ isThere, db }) => {
  const test = it.skipIf(!isThere)

  test('removes the parked messages of the provider', async () => {
    const receiver = await removing(db())
    const { sync, deliver, query } = receiver
    const fitbit = { id: 'other', source: { provider: 'fitbit' } }
    const other = {
      event_type: 'daily.data.sleep.created',
      data: { data: [{ total: 1, ...fitbit }] },
    }
    const nights = Array.from({ length: 12 }, () => nightEvent())
    await park(receiver, [...nights, other, { ...nightEvent(), user_id: crypto.randomUUID() }])
    expect(await sync.disconnect(user, 'oura')).toEqual({
      deleted: { failed_messages: 12 },
      left: 0,
    })
    await deliver(connected, { at: new Date(Date.now() + 5000) })
    expect(await sync.retry()).toEqual({ stored: 2, failed: 0 })
    const nights2 = await query(`select source_provider from $.sleep where user_id = '${user}'`)
    expect(nights2).toEqual([{ source_provider: 'fitbit' }])
  })

  test('keeps the data of other providers in a parked message', async () => {
    const receiver = await removing(db())
    const { sync, deliver, query } = receiver
    const fitbit = { timestamp: '2026-01-06T03:00:00Z', value: 50, source: { provider: 'fitbit' } }
    await park(receiver, [
      heartrateEvent([{ timestamp: '2026-01-06T03:01:00Z', value: 51 }, fitbit]),
    ])
    expect(await sync.disconnect(user, 'oura')).toEqual({ deleted: {}, left: 0 })
    await deliver(connected, { at: new Date(Date.now() + 5000) })
    expect(await sync.retry()).toEqual({ stored: 1, failed: 0 })
    const samples = await query('select source_provider, value from $.samples')
    expect(samples).toEqual([{ source_provider: 'fitbit', value: 50 }])
  })

  test('parks messages of a removed connection without its data', async () => {
    const receiver = await removing(db())
    const { sync, query } = receiver
    await sync.disconnect(user, 'oura')
    const at = new Date(Date.now() + 2000)
    const own = { timestamp: '2026-01-06T03:00:00Z', value: 50 }
    const fitbit = { ...own, source: { provider: 'fitbit' } }
    await park(receiver, [heartrateEvent([own, fitbit]), connected], at)
    const events = [heartrateEvent([fitbit]), connected]
    const stored = events.map((event) => ({ event: JSON.stringify({ user_id: user, ...event }) }))
    expect(await query('select event from $.failed_messages order by failed_at')).toEqual(stored)
  })

  test('removes events of unknown types that name the provider, and stores none', async () => {
    const { sync, deliver, query } = await removing(db())
    const fitbit = { ...mood, data: { source: { provider: 'fitbit' } } }
    for (const event of [mood, fitbit, timeless]) await deliver(event)
    expect(await sync.disconnect(user, 'oura')).toEqual({
      deleted: { unknown_events: 2 },
      left: 0,
    })
    for (const event of [mood, timeless]) expect(await deliver(event)).toBe(200)
    expect(sync.counts().unknown).toBe(3)
    expect(await query('select event from $.unknown_events')).toEqual([
      { event: JSON.stringify({ user_id: user, ...fitbit }) },
    ])
  })

  test('stores an event whole without the items of a removed connection', async () => {
    const { sync, deliver, query } = await removing(db())
    await sync.disconnect(user, 'oura')
    const oura = { value: 1, source: { provider: 'oura' } }
    const fitbit = { value: 2, source: { provider: 'fitbit' } }
    const types = ['daily.data.mood.created', 'daily.data.sleep.created', 'mood.created']
    for (const event_type of types) {
      for (const source of [oura.source, fitbit.source]) {
        const send = (...data: object[]) => deliver({ event_type, data: { source, data } })
        await send(oura)
        await send(oura, fitbit)
      }
      await deliver({ event_type, data: { source: '', provider: 'oura', data: [{ value: 1 }] } })
    }
    const stored = await query('select event from $.unknown_events')
    const items = stored.map(({ event }) => JSON.parse(String(event)).data.data)
    expect(items).toEqual(Array.from({ length: 6 }, () => [fitbit]))
  })
})

describe.skipIf(!hasPostgres)(
  `with names in camel case${hasPostgres ? '' : ` ${withoutPostgres}`}`,
  () => {
    let server: Awaited<ReturnType<typeof startPostgres>>
    let sql: ReturnType<typeof postgres>
    beforeAll(async () => {
      server = await startPostgres()
      const path = `${server.connection.host}/.s.PGSQL.5432`
      sql = postgres({ ...server.connection, path, onnotice: () => {}, transform: postgres.camel })
    })
    afterAll(async () => {
      await sql.end()
      await server.stop()
    })

    it('removes the events of a disconnected provider', async () => {
      const receiver = await removing(sql)
      await receiver.deliver(timeless)
      await park(receiver, [nightEvent()])
      expect(await receiver.sync.disconnect(user, 'oura')).toEqual({
        deleted: { unknown_events: 1, failed_messages: 1 },
        left: 0,
      })
    })

    it('locks the user of a message that it retries', async () => {
      const receiver = await removing(sql)
      await park(receiver, [nightEvent()])
      const locks = `select objid::bigint as locked from pg_locks where locktype = 'advisory'`
      const locked: unknown[] = []
      const transaction: typeof receiver.sync.listeners.transaction = async (tx, ...message) => {
        locked.push((await tx.query(locks)).rows[0]?.['locked'])
        await receiver.sync.listeners.transaction(tx, ...message)
      }
      expect(await receiver.sync.retry({ transaction })).toEqual({ stored: 1, failed: 0 })
      const key = `'"${receiver.schema}"' || '${user}'`
      const [own] = await receiver.query(`select hashtext(${key})::bigint & 4294967295 as key`)
      expect(locked).toEqual([own?.['key']])
    })
  },
)
