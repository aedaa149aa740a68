import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceClient } from '../../src/index.ts'
import { adaptDatabase } from '../../src/stores/database.ts'
import { postgresStore } from '../../src/stores/index.ts'
import { createSync } from '../../src/sync/index.ts'
import { hasPostgres, startPostgres, withoutPostgres } from '../support/programs/postgres.ts'
import { useServers } from '../support/stores.ts'
import { heartrateEvent, nightEvent, syncInto, user } from './synced-schema.ts'

const { databases } = useServers()
const some = databases.filter(({ name }) => name === 'PGlite' || name === 'pg Pool')
const days = { from: '2025-05-01', to: '2025-06-05' }
const plan = { users: [user], resources: ['sleep'] as const, from: '2025-05-01', to: '2025-05-20' }

/** A client whose service responds with a body, or with the status of an error. */
function clientOf(respond: () => object | number | Promise<object>) {
  let requests = 0
  const fetch = async () => {
    requests += 1
    const body = await respond()
    return typeof body === 'number'
      ? Response.json({ detail: 'no' }, { status: body })
      : Response.json(body)
  }
  const client = new ServiceClient({
    ...{ apiKey: 'sk_1', baseUrl: 'https://service.test', maxRetries: 0, fetch },
  })
  return { client, count: () => requests }
}

describe.each(some)('sync with $name', ({ isThere, db }) => {
  const test = it.skipIf(!isThere)

  test('uses one isolation level, whatever the default', async () => {
    const database = adaptDatabase(db())
    await database.query(
      'set session characteristics as transaction isolation level repeatable read',
    )
    const level = await database.transaction(async (tx) => {
      const { rows } = await tx.query(`select current_setting('transaction_isolation') as level`)
      return rows[0]?.['level']
    })
    await database.query(
      'set session characteristics as transaction isolation level read committed',
    )
    expect(level).toBe('read committed')
  })

  test('does not store the id of a forgotten user again', async () => {
    const { client } = clientOf(() => ({ sleep: [], success: true }))
    const onDisconnect = 'remove'
    const { sync, query } = await syncInto(db(), { client, onDisconnect })
    await sync.forget(user)
    await sync.backfill({ users: [user], resources: ['sleep'], ...days })
    await sync.disconnect(user, 'oura')
    for (const table of ['backfills', 'disconnections', 'connections']) {
      expect(await query(`select * from $.${table}`)).toEqual([])
    }
  })

  test('disconnects again after a lost response, and before a late event', async () => {
    const { client } = clientOf(() => 404)
    const { sync, deliver, query } = await syncInto(db(), { client })
    await sync.disconnect(user, 'oura')
    const data = { provider: { slug: 'oura' } }
    const at = new Date(Date.now() - 60_000)
    expect(await deliver({ event_type: 'provider.connection.created', data }, { at })).toBe(200)
    expect(await query('select source_provider, status from $.connections')).toEqual([
      { source_provider: 'oura', status: 'disconnected' },
    ])
  })

  test('repeats what got a 404, and does not call it complete', async () => {
    let isAway = true
    const night = { id: 'n', user_id: user, source: {}, calendar_date: '2025-05-03' }
    const { client, count } = clientOf(() => (isAway ? 404 : { sleep: [night] }))
    const { sync, query } = await syncInto(db(), { client })
    expect(await sync.backfill(plan)).toMatchObject({ notFound: { sleep: 1 } })
    expect(await sync.verify(plan)).toMatchObject({ isComplete: false, notFound: { sleep: 1 } })
    isAway = false
    expect(await sync.backfill(plan)).toMatchObject({ requests: 1, records: 1 })
    expect(await sync.backfill(plan)).toMatchObject({ requests: 0 })
    expect(await query('select id from $.sleep')).toEqual([{ id: 'n' }])
    const before = count()
    expect(await sync.backfill({ ...plan, id: 'all' })).toMatchObject({ requests: 1 })
    await sync.backfill({ ...plan, id: 'all', from: '2025-04-25' })
    expect(count()).toBe(before + 2)
    const present = { ...plan, to: new Date().toJSON().slice(0, 10), from: '2025-05-01' }
    await sync.backfill({ ...present, id: 'now' })
    // The last days may not have been complete.
    expect(await sync.backfill({ ...present, id: 'now' })).toMatchObject({ requests: 1 })
  })

  test('does not continue behind days that got a 404', async () => {
    let requests = 0
    const { client } = clientOf(() => {
      requests += 1
      return requests === 1 ? 404 : { sleep: [] }
    })
    const { sync } = await syncInto(db(), { client })
    const long = { ...plan, to: '2025-07-20' }
    expect(await sync.backfill(long)).toMatchObject({ requests: 1, notFound: { sleep: 1 } })
    expect(await sync.backfill(long)).toMatchObject({ requests: 3, notFound: {} })
  })

  test('reads the days again that were forgotten during a backfill', async () => {
    let requests = 0
    const { client } = clientOf(async () => {
      requests += 1
      if (requests === 3) await sync.forget(user)
      if (requests === 4) await query('delete from $.forgotten')
      const night = { user_id: user, source: {}, calendar_date: '2025-05-03' }
      return { sleep: [{ ...night, id: `night-${requests % 6}` }] }
    })
    const { sync, query } = await syncInto(db(), { client })
    const long = { ...plan, to: '2025-10-15' }
    expect(await sync.backfill(long)).toMatchObject({ requests: 6 })
    expect(await sync.backfill(long)).toMatchObject({ requests: 6 })
    expect(await query('select id from $.sleep')).toHaveLength(6)
    expect(await sync.backfill(long)).toMatchObject({ requests: 0 })
  })

  test('forgets a user without reading the samples of others', async () => {
    const { sync, deliver, query } = await syncInto(db())
    await deliver(heartrateEvent([{ timestamp: '2026-01-06T03:00:00Z', value: 50 }]))
    const scans = async () => {
      await query('select pg_stat_force_next_flush()')
      const [found] = await query(
        `select sum(seq_scan)::int as scans from pg_stat_user_tables where relname = 'samples'`,
      )
      return found?.['scans']
    }
    await query('set enable_seqscan to off')
    const before = await scans()
    expect(await sync.forget(user)).toEqual({ deleted: { samples: 1 }, left: 0 })
    await query('reset enable_seqscan')
    expect(await scans()).toBe(before)
  })

  test('counts records without an id, and ignores other lists', async () => {
    const night = { user_id: user, source: {}, calendar_date: '2025-05-03' }
    const sleep = [
      { ...night, id: 'one' },
      { ...night, id: 'x'.repeat(501) },
    ]
    const { client } = clientOf(() => ({ sleep, warnings: [{ ...night, id: 'warning' }] }))
    const { sync, query } = await syncInto(db(), { client })
    expect(await sync.backfill(plan)).toMatchObject({ records: 1, skipped: 1 })
    const report = await sync.verify(plan)
    expect(report).toMatchObject({ isComplete: false, resources: { sleep: { skipped: 1 } } })
    expect(await query('select id from $.sleep')).toEqual([{ id: 'one' }])
  })

  test('stores keys whose characters take several bytes', async () => {
    const { deliver, query, errors } = await syncInto(db())
    // Random characters, because Postgres compresses the others.
    const long = () =>
      Array.from({ length: 500 }, () =>
        String.fromCodePoint(0x1f000 + Math.floor(Math.random() * 0xf00)),
      ).join('')
    const source = { provider: long(), type: long(), app_id: long() }
    const sample = { timestamp: '2026-01-06T03:00:00Z', value: 50, source }
    expect(await deliver(heartrateEvent([sample]))).toBe(200)
    const cycle = { id: 'c', sleep_id: `${long()}${long()}` }
    const data = { data: [cycle, { id: long() }] }
    expect(await deliver({ event_type: 'daily.data.sleep_cycle.created', data })).toBe(200)
    expect(errors).toEqual([])
    expect(
      await query('select octet_length(source_provider) as bytes, record from $.samples'),
    ).toMatchObject([{ bytes: 500, record: { source } }])
    expect(await query('select sleep_id, record from $.sleep_cycles')).toEqual([
      { sleep_id: null, record: cycle },
    ])
    expect(await query('select reason from $.unknown_events')).toEqual([{ reason: 'content' }])
  })

  test('rejects days that do not exist, and ranges that are too long or empty', async () => {
    const { client, count } = clientOf(() => ({ sleep: [] }))
    const { sync } = await syncInto(db(), { client })
    const invalid = { code: 'argument_invalid' }
    for (const days of [1e9, 1e6, Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY]) {
      await expect(sync.verify({ users: [user], days })).rejects.toMatchObject(invalid)
    }
    const given: object[] = [
      ...[{ from: '2025-02-30' }, { from: '0000-01-01' }, { from: new Date() }],
      ...[{ to: '2025-13-01' }, { to: '2025-04-30' }, { concurrency: 1e9 }],
    ]
    for (const options of given) {
      await expect(sync.backfill({ ...plan, ...options })).rejects.toMatchObject(invalid)
      await expect(sync.verify({ ...plan, ...options })).rejects.toMatchObject(invalid)
    }
    expect(count()).toBe(0)
  })

  test('reports a stored version that is newer than that of the service', async () => {
    const night = { id: 'night-1', user_id: user, source: {}, calendar_date: '2025-05-03' }
    const { client } = clientOf(() => ({ sleep: [{ ...night, total: 222 }] }))
    const { sync, deliver } = await syncInto(db(), { client })
    const at = new Date(Date.now() - 60_000)
    const event = nightEvent({ total: 111, updated_at: '9999-01-01T00:00:00Z' })
    await deliver(event, { at })
    const report = await sync.verify(plan)
    expect(report).toMatchObject({
      isComplete: false,
      resources: { sleep: { different: 1, repaired: 0 } },
    })
  })

  test('verifies the latest version of a record that a response contains twice', async () => {
    const night = { id: 'night-1', user_id: user, source: {}, calendar_date: '2025-05-03' }
    const sleep = [
      { ...night, total: 1 },
      { ...night, total: 2 },
      { ...night, total: 1 },
    ]
    const { client } = clientOf(() => ({ sleep }))
    const { sync } = await syncInto(db(), { client })
    for (const missing of [1, 0]) {
      const report = await sync.verify(plan)
      expect(report).toMatchObject({
        isComplete: true,
        resources: { sleep: { missing, different: 0 } },
      })
    }
  })

  test('fills a new column by the rules of events', async () => {
    const { sync, deliver, query } = await syncInto(db())
    const night = { calendar_date: '2025-02-30', bedtime_start: '2026-01-05T10:00:00' }
    await deliver(nightEvent(night))
    const read = () =>
      query(`select calendar_date, extract(epoch from bedtime_start)::int as at from $.sleep`)
    const before = await read()
    await query('drop view $.best_sleep')
    await query('alter table $.sleep drop column calendar_date, drop column bedtime_start')
    await query(`set timezone to 'America/New_York'`)
    await query('set standard_conforming_strings to off')
    await sync.migrate()
    await query('set standard_conforming_strings to on')
    await query(`set timezone to 'UTC'`)
    expect(await read()).toEqual(before)
    expect(before).toEqual([{ calendar_date: null, at: Date.UTC(2026, 0, 5, 10) / 1000 }])
  })

  test('keeps its views usable after odd values', async () => {
    const { deliver, query } = await syncInto(db())
    const cycle = (id: string, starts: unknown, ends: unknown = [120]) =>
      deliver({
        event_type: 'daily.data.sleep_cycle.created',
        data: {
          data: [
            {
              ...{ id, session_start: '2026-01-05T23:00:00Z', stage_type: ['deep'] },
              ...{ stage_start_offset_second: starts, stage_end_offset_second: ends },
            },
          ],
        },
      })
    const odd = ['text', { 0: 1 }, ['x'], [1e15], [null], 7]
    for (const [index, starts] of odd.entries()) await cycle(`odd-${index}`, starts)
    await cycle('epoch', [0], [1.7e9])
    await cycle('right', [0])
    expect(await query('select id, count(*)::int from $.hypnogram_minutes group by 1')).toEqual([
      { id: 'right', count: 2 },
    ])
    const timestamp = '2026-01-06T03:00:00Z'
    await deliver(heartrateEvent([{ timestamp, timezone_offset: 1e20, value: 50 }]))
    expect(await query('select local_time::text from $.local_samples')).toEqual([
      { local_time: '2026-01-06 03:00:00' },
    ])
  })

  test('continues a backfill with any style of dates', async () => {
    const { client } = clientOf(() => ({ sleep: [] }))
    const { sync, query } = await syncInto(db(), { client })
    const long = { ...plan, from: '2025-01-01' }
    await sync.backfill({ ...long, to: '2025-02-06' })
    await query(`set datestyle to 'German, DMY'`)
    const report = await sync.backfill({ ...long, to: '2025-06-05' })
    await query(`set datestyle to 'ISO, MDY'`)
    expect(report.requests).toBe(4)
  })

  test('retries a message once when the database clock is set back', async () => {
    const { sync, deliver, query } = await syncInto(db(), { maxAttempts: 1 })
    await query('alter table $.sleep add check (total < 1000)')
    await deliver(nightEvent({ total: 5000 }))
    await query(
      `create function $.back() returns trigger language plpgsql as 'begin new.failed_at = now() - interval ''1 day''; return new; end'`,
    )
    await query(
      'create trigger back before update on $.failed_messages for each row execute function $.back()',
    )
    expect(await sync.retry()).toEqual({ stored: 0, failed: 1 })
  })

  test('parks a message whose statement always takes too long', async () => {
    const { deliver, query } = await syncInto(db(), { maxAttempts: 2 })
    await query(
      `create function $.slow() returns trigger language plpgsql as 'begin raise exception using errcode = ''57014''; end'`,
    )
    await query('create trigger slow before insert on $.sleep execute function $.slow()')
    const attempts = [
      await deliver(nightEvent(), { id: 'a' }),
      await deliver(nightEvent(), { id: 'a' }),
    ]
    expect(attempts).toEqual([500, 200])
    expect(await query('select message_id from $.failed_messages')).toEqual([{ message_id: 'a' }])
  })
})

describe.skipIf(!hasPostgres)(`with a pool${hasPostgres ? '' : ` ${withoutPostgres}`}`, () => {
  let server: Awaited<ReturnType<typeof startPostgres>>
  let pool: Pool
  beforeAll(async () => {
    server = await startPostgres()
    pool = new Pool(server.connection)
    pool.on('error', () => {})
  })
  afterAll(async () => {
    await pool.end()
    await server.stop()
  })

  it('keeps the data of a user who connects again while a disconnection waits', async () => {
    const { schema, deliver, query } = await syncInto(pool)
    const data = { provider: { slug: 'oura' } }
    const connected = { event_type: 'provider.connection.created', data }
    const before = new Date(Date.now() - 60_000)
    await deliver(connected, { at: before })
    await deliver(nightEvent({ id: 'before' }), { at: before })
    const full = new Pool({ ...server.connection, max: 1 })
    const held = await full.connect()
    const { client } = clientOf(() => ({ success: true }))
    const sync = createSync({ client, database: full, schema, onDisconnect: 'remove' })
    const disconnecting = sync.disconnect(user, 'oura')
    await expect.poll(() => full.waitingCount).toBe(1)
    const after = new Date(Date.now() + 2000)
    await deliver(connected, { at: after })
    await deliver(nightEvent({ id: 'after' }), { at: after })
    held.release()
    expect(await disconnecting).toEqual({ deleted: { sleep: 1 }, left: 0 })
    await full.end()
    expect(await query('select id from $.sleep')).toEqual([{ id: 'after' }])
    expect(await query('select status from $.connections')).toEqual([{ status: 'connected' }])
    await deliver(nightEvent({ id: 'next' }), { at: after })
    expect(await query('select count(*)::int from $.sleep')).toEqual([{ count: 2 }])
  })

  it('survives a connection that ends during a transaction', async () => {
    const store = postgresStore(pool)
    await store.migrate()
    const handling = store.handle('message', async (tx) => {
      const { rows } = await tx.query('select pg_backend_pid() as pid')
      await pool.query('select pg_terminate_backend($1)', [rows[0]?.['pid']])
      // The end arrives while no statement runs.
      while (await isThere(Number(rows[0]?.['pid']))) await pool.query('select 1')
      await pool.query('select 1')
      await tx.query('select 1')
    })
    await expect(handling).rejects.toThrow()
    expect(await store.handle('message', async () => {})).toBe('claimed')
  })

  async function isThere(pid: number): Promise<boolean> {
    const { rows } = await pool.query('select 1 from pg_stat_activity where pid = $1', [pid])
    return rows.length > 0
  }

  it('retries a message while its user is being forgotten', async () => {
    const { sync, deliver, query } = await syncInto(pool, { maxAttempts: 1 })
    await query('alter table $.sleep add constraint low check (total < 1000)')
    await deliver(nightEvent({ total: 5000 }))
    await query('alter table $.sleep drop constraint low')
    await query(
      `create function $.wait() returns trigger language plpgsql as 'begin perform pg_advisory_xact_lock(1, 1); return null; end'`,
    )
    await query('create trigger wait before delete on $.sleep execute function $.wait()')
    const holder = await pool.connect()
    await holder.query('begin')
    await holder.query('select pg_advisory_xact_lock(1, 1)')
    const forgetting = sync.forget(user)
    await untilWaiting(1)
    const retrying = sync.retry()
    await untilWaiting(2)
    await holder.query('rollback')
    holder.release()
    const [forgotten, retried] = await Promise.all([forgetting, retrying])
    expect(forgotten.deleted).toMatchObject({ failed_messages: 1 })
    expect(retried).toEqual({ stored: 0, failed: 0 })
  })

  /** Waits until a number of transactions wait for an advisory lock. */
  async function untilWaiting(count: number): Promise<void> {
    await expect
      .poll(async () => {
        const { rows } = await pool.query(
          `select from pg_locks where locktype = 'advisory' and not granted`,
        )
        return rows.length
      })
      .toBe(count)
  }

  it('migrates without changes while a reader holds locks', async () => {
    const { schema, sync } = await syncInto(pool)
    const reader = await pool.connect()
    await reader.query('begin')
    await reader.query(`select * from "${schema}".best_sleep`)
    await pool.query(`alter database postgres set lock_timeout to '2s'`)
    await sync.migrate()
    await reader.query('rollback')
    reader.release()
  })
})
