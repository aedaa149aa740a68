import { describe, expect, it } from 'vitest'
import { eventHandler } from '../../src/events/index.ts'
import { sampled } from '../support/long-tests.ts'
import { fc } from '../support/properties.ts'
import { delivery, secret } from '../support/signed.ts'
import { databaseNames, useServers } from '../support/stores.ts'
import { heartrateEvent, nightEvent, syncInto, user } from './synced-schema.ts'

const { databases } = useServers(sampled(databaseNames, 4))
const [early, late] = ['2026-01-06T08:00:00+00:00', '2026-01-06T09:00:00+00:00']

describe.each(databases)('the listeners of createSync with $name', ({ isThere, db }) => {
  const test = it.skipIf(!isThere)

  test('store the newest version by the times of the service', async () => {
    const { deliver, query } = await syncInto(db())
    const total = async () => (await query('select total from $.sleep'))[0]?.['total']
    await deliver(nightEvent({ updated_at: late, total: 2 }))
    await deliver(nightEvent({ updated_at: early, total: 1 }, 'daily.data.sleep.updated'))
    expect(await total()).toBe(2)
    // The same second: a change is newer than what it changes.
    await deliver(nightEvent({ updated_at: late, total: 3 }, 'daily.data.sleep.updated'))
    expect(await total()).toBe(3)
    await deliver(nightEvent({ updated_at: late, total: 2 }, 'historical.data.sleep.created'))
    expect(await total()).toBe(3)
    // The times are compared as times.
    await deliver(nightEvent({ updated_at: '2026-01-06T10:30:00+02:00', total: 4 }))
    expect(await total()).toBe(3)
    await deliver(nightEvent({ updated_at: '2026-01-06T09:00:00.5Z', total: 5 }))
    expect(await total()).toBe(5)
    // The latest time of a record counts, whatever the digits of its fraction.
    const [half, later] = ['2026-01-06T09:30:00.5Z', '2026-01-06T09:30:00.510Z']
    await deliver(nightEvent({ updated_at: half, last_sync_at: later, total: 6 }))
    await deliver(nightEvent({ updated_at: '2026-01-06T09:30:00.505Z', total: 7 }))
    expect(await total()).toBe(6)
  })

  test('store the same in every order of arrival', async () => {
    const { deliver, query } = await syncInto(db())
    const version = fc.record({
      updated_at: fc.constantFrom(undefined, early, late),
      total: fc.integer({ min: 1, max: 4 }),
      type: fc.constantFrom('daily.data.sleep.created', 'daily.data.sleep.updated'),
      at: fc.constantFrom(0, -1000, -60_000),
    })
    const orders = fc
      .uniqueArray(version, { maxLength: 5, selector: (one) => JSON.stringify(one) })
      .chain((versions) =>
        fc.tuple(
          fc.constant(versions),
          fc.shuffledSubarray(versions, { minLength: versions.length }),
        ),
      )
    const now = Date.now()
    let runs = 0
    await fc.assert(
      fc.asyncProperty(orders, async (both) => {
        runs += 1
        for (const [place, versions] of both.entries()) {
          for (const { type, at, ...fields } of versions) {
            const night = { ...fields, id: `night-${runs}-${place}` }
            expect(await deliver(nightEvent(night, type), { at: new Date(now + at) })).toBe(200)
          }
        }
        const rows = await query(
          `select total, updated_at from $.sleep where id like 'night-${runs}-%' order by id`,
        )
        expect(rows[0]).toEqual(rows[1])
      }),
      { numRuns: 25 },
    )
  })

  test('store samples by user, resource, time and source', async () => {
    const { deliver, query } = await syncInto(db())
    const timestamp = '2026-01-05T23:00:00+00:00'
    const at = new Date(Date.now() - 2000)
    await deliver(
      heartrateEvent([
        { timestamp, value: 60 },
        { timestamp, value: 60 },
      ]),
      { at },
    )
    await deliver(heartrateEvent([{ timestamp: '2026-01-06T00:00:00+01:00', value: 61 }]))
    await deliver({ ...heartrateEvent([{ timestamp, value: 70 }]), user_id: crypto.randomUUID() })
    const rows = await query(
      `select value, unit, source_provider from $.samples where user_id = '${user}'`,
    )
    expect(rows).toEqual([{ value: 61, unit: 'bpm', source_provider: 'oura' }])
    expect(await query('select value from $.samples_heartrate order by value')).toEqual([
      { value: 61 },
      { value: 70 },
    ])
    await deliver(heartrateEvent([{ timestamp, value: 62 }], 'daily.data.heartrate.updated'), {
      at,
    })
    expect(await query(`select value from $.samples where user_id = '${user}'`)).toEqual([
      { value: 62 },
    ])
  })

  test('store a duplicate of a message once, and a failed message not at all', async () => {
    const { deliver, query, errors } = await syncInto(db())
    await query(`alter table $.sleep add check (total < 1000)`)
    expect(await deliver(nightEvent(), { id: 'a' })).toBe(200)
    expect(await deliver(nightEvent({ total: 7, updated_at: late }), { id: 'a' })).toBe(200)
    expect(await query('select total from $.sleep')).toEqual([{ total: 100 }])
    expect(await deliver(nightEvent({ id: 'other', total: 5000 }), { id: 'b' })).toBe(500)
    expect(await query(`select id from $.messages where id = 'b'`)).toEqual([])
    expect(errors).toMatchObject([{ name: 'SyncError', code: 'statement_failed' }])
  })

  test('retry a message with your own listener', async () => {
    const { sync, query, schema } = await syncInto(db(), { maxAttempts: 1 })
    await query(`create table $.audit (id text constraint low check (id < 'x'))`)
    const transaction: typeof sync.listeners.transaction = async (tx, event, message) => {
      await sync.listeners.transaction(tx, event, message)
      await tx.query(`insert into "${schema}".audit values ($1)`, [message.id])
    }
    const receive = eventHandler({ secrets: secret, ...sync.listeners, transaction })
    const event = { user_id: user, ...nightEvent() }
    expect((await receive(await delivery(event, { id: 'x1' }))).status).toBe(200)
    expect(await sync.retry({ transaction })).toEqual({ stored: 0, failed: 1 })
    await query('alter table $.audit drop constraint low')
    expect(await sync.retry({ transaction })).toEqual({ stored: 1, failed: 0 })
    expect(await query('select total from $.audit, $.sleep')).toHaveLength(1)
    expect(await query('select * from $.failed_messages')).toEqual([])
  })

  test('keep a message that fails again and again, until retry stores it', async () => {
    const { sync, deliver, query, errors } = await syncInto(db(), { maxAttempts: 2 })
    await query(`alter table $.sleep add constraint low check (total < 1000)`)
    const poison = nightEvent({ total: 987_654, note: 'private' })
    expect([await deliver(poison, { id: 'p' }), await deliver(poison, { id: 'p' })]).toEqual([
      500, 200,
    ])
    expect(await deliver(poison, { id: 'p' })).toBe(200)
    const parked = await query(
      'select message_id, attempts, is_parked, error from $.failed_messages',
    )
    expect(parked).toEqual([
      { message_id: 'p', attempts: 2, is_parked: true, error: '23514 sleep low' },
    ])
    expect(await sync.retry()).toEqual({ stored: 0, failed: 1 })
    await query('alter table $.sleep drop constraint low')
    expect(await sync.retry()).toEqual({ stored: 1, failed: 0 })
    expect(await sync.retry()).toEqual({ stored: 0, failed: 0 })
    expect(await query('select total from $.sleep')).toEqual([{ total: 987_654 }])
    expect(await query('select * from $.failed_messages')).toEqual([])
    const text = errors
      .map((error) => `${error} ${JSON.stringify(error)} ${Object(error).cause}`)
      .join()
    expect(text).not.toMatch(/987654|night-1|private/)
    expect(sync.counts()).toMatchObject({ failures: 2, parked: 1 })
  })

  test('store and report what this version does not know', async () => {
    const { deliver, query, findings } = await syncInto(db())
    const unknown = { event_type: 'daily.data.mood.created', data: { data: [{ mood: 'fine' }] } }
    expect(await deliver(unknown, { id: 'u' })).toBe(200)
    expect(await deliver(unknown)).toBe(200)
    await deliver(nightEvent({ dreams: 3 }))
    await deliver(
      { event_type: 'daily.data.sleep.created', data: { data: [{ total: 1 }] } },
      { id: 'n' },
    )
    await deliver({ ...nightEvent(), user_id: 'nobody' }, { id: 'x' })
    expect(findings).toEqual([
      { kind: 'event_type', resource: '', name: 'daily.data.mood.created' },
      { kind: 'field', resource: 'sleep', name: 'dreams' },
    ])
    expect(await query('select kind, name from $.findings order by name')).toEqual([
      { kind: 'event_type', name: 'daily.data.mood.created' },
      { kind: 'field', name: 'dreams' },
    ])
    expect(await query(`select record -> 'dreams' as dreams from $.sleep`)).toEqual([{ dreams: 3 }])
    const rows = await query(
      `select message_id, reason, event from $.unknown_events where message_id in ('u', 'n', 'x') order by 1`,
    )
    expect(rows.map(({ message_id, reason }) => [message_id, reason])).toEqual([
      ['n', 'content'],
      ['u', 'type'],
      ['x', 'user'],
    ])
    expect(JSON.parse(String(rows[1]?.['event']))).toEqual({ user_id: user, ...unknown })
  })

  test('keep values of other types in the record only', async () => {
    const { deliver, query } = await syncInto(db())
    const odd = {
      total: 'much',
      bedtime_start: '2026-02-30T00:00:00Z',
      calendar_date: '2026-13-01',
    }
    const texts = { type: 'a\0b\ud800', state: 'C:\\u0000' }
    expect(
      await deliver(nightEvent({ ...odd, ...texts, bedtime_stop: '0000-01-01T00:00:00Z' })),
    ).toBe(200)
    const [row] = await query(
      `select total, bedtime_start, bedtime_stop, calendar_date, type, state, record ->> 'total' as given from $.sleep`,
    )
    expect(row).toEqual({
      ...{ total: null, bedtime_start: null, bedtime_stop: null, calendar_date: null },
      ...{ type: 'a\ufffdb\ufffd', state: 'C:\\u0000', given: 'much' },
    })
  })

  test('store every form of a time as the moment that it means', async () => {
    const { deliver, query } = await syncInto(db())
    const forms: Record<string, string | null> = {
      '2026-01-05T10:00:00Z': '2026-01-05T10:00:00.000000',
      '2026-01-05T10:00:00+00:00': '2026-01-05T10:00:00.000000',
      '2026-01-28T23:59:59Z': '2026-01-28T23:59:59.000000',
      '2026-01-31T00:00:00Z': '2026-01-31T00:00:00.000000',
      '2026-01-05T10:00:00+02:00': '2026-01-05T08:00:00.000000',
      '2026-01-05T10:00:00-0530': '2026-01-05T15:30:00.000000',
      '2026-01-05T10:00:00.123456Z': '2026-01-05T10:00:00.123456',
      '2026-01-05 10:00:00': '2026-01-05T10:00:00.000000',
      '2026-01-05T10:00Z': '2026-01-05T10:00:00.000000',
      '2024-02-29T00:00:00Z': '2024-02-29T00:00:00.000000',
      '2026-02-29T00:00:00Z': null,
      '2026-01-05T25:00:00Z': null,
      '2026-01-05T10:60:00Z': null,
      '2026-13-05T10:00:00Z': null,
      '0000-01-05T10:00:00Z': null,
    }
    for (const [form, bedtime_start] of Object.keys(forms).entries()) {
      await deliver(nightEvent({ id: `night-${form}`, bedtime_start }))
    }
    const rows = await query(
      `select record ->> 'bedtime_start' as form, to_char(bedtime_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as stored from $.sleep`,
    )
    expect(Object.fromEntries(rows.map(({ form, stored }) => [form, stored]))).toEqual(forms)
  })

  test('store lab orders, their results, appointments, devices and connections', async () => {
    const { deliver, query } = await syncInto(db())
    const order = {
      ...{ id: 'order-1', user_id: user, status: 'completed', updated_at: late },
      results: [
        { name: 'LDL', result: '120', unit: 'mg/dL' },
        { name: 'HDL', result: '50' },
      ],
    }
    await deliver({ event_type: 'labtest.order.updated', data: order })
    await deliver({
      event_type: 'labtest.order.created',
      data: { ...order, status: 'received', updated_at: early, results: null },
    })
    expect(
      await query(
        'select order_id, position::int, name, result from $.order_results order by position',
      ),
    ).toEqual([
      { order_id: 'order-1', position: 1, name: 'LDL', result: '120' },
      { order_id: 'order-1', position: 2, name: 'HDL', result: '50' },
    ])
    const visit = (status: string, created_at: string) => ({
      event_type: 'labtest.appointment.updated',
      data: { id: 'visit-1', order_id: 'order-1', status, events: [{ status, created_at }] },
    })
    await deliver(visit('confirmed', late))
    await deliver(visit('pending', early))
    expect(await query('select id, status, order_id from $.appointments')).toEqual([
      { id: 'visit-1', status: 'confirmed', order_id: 'order-1' },
    ])
    const device = {
      id: 'device-1',
      provider: { slug: 'oura' },
      name: 'Ring',
      last_sync_at: late,
    }
    await deliver({ event_type: 'provider.device.created', data: device })
    expect(await query('select name, source_provider from $.devices')).toEqual([
      { name: 'Ring', source_provider: 'oura' },
    ])
    const critical = { order_id: 'order-1', user_id: user, results: [{ name: 'K' }] }
    await deliver({ event_type: 'labtest.result.critical', data: critical }, { id: 'critical-1' })
    expect(await query('select id, order_id, results from $.critical_results')).toEqual([
      { id: 'critical-1', order_id: 'order-1', results: [{ name: 'K' }] },
    ])
    const at = new Date(Date.now() - 5000)
    await deliver(
      { event_type: 'provider.connection.created', data: { provider: { slug: 'oura' } } },
      { at },
    )
    await deliver({
      event_type: 'provider.connection.error',
      data: { provider: 'oura', error_type: 'revoked' },
    })
    expect(await query('select source_provider, status, error_type from $.connections')).toEqual([
      { source_provider: 'oura', status: 'error', error_type: 'revoked' },
    ])
  })

  test('have views for the best source, local days and the stages of a night', async () => {
    const { deliver, query } = await syncInto(db())
    const phone = { provider: 'google_fit', type: 'phone', app_id: null }
    await deliver(nightEvent({ id: 'phone', source: phone, total: 900 }))
    await deliver(nightEvent())
    await query(`insert into $.source_priorities values ('oura', 1), ('google_fit', 2)`)
    expect(await query('select id from $.best_sleep')).toEqual([{ id: 'night-1' }])
    await query(`update $.source_priorities set rank = 0 where provider = 'google_fit'`)
    expect(await query('select id from $.best_sleep')).toEqual([{ id: 'phone' }])
    await deliver(
      heartrateEvent([{ timestamp: '2026-01-06T03:00:00Z', timezone_offset: -18_000, value: 50 }]),
    )
    expect(await query('select local_date::text, local_time::text from $.local_samples')).toEqual([
      { local_date: '2026-01-05', local_time: '2026-01-05 22:00:00' },
    ])
    const cycle = {
      ...{ id: 'cycle-1', user_id: user, session_start: '2026-01-05T23:00:00Z' },
      ...{ stage_start_offset_second: [0, 120], stage_end_offset_second: [120, 180] },
      stage_type: ['awake', 'light'],
    }
    await deliver({ event_type: 'daily.data.sleep_cycle.created', data: { data: [cycle] } })
    const stages = await query('select stage from $.hypnogram_minutes order by minute')
    expect(stages.map(({ stage }) => stage)).toEqual(['awake', 'awake', 'light'])
  })

  test('store nothing of a forgotten user', async () => {
    const { sync, deliver, query } = await syncInto(db())
    const other = crypto.randomUUID()
    await deliver(nightEvent())
    await deliver({ ...nightEvent({ id: 'other' }), user_id: other })
    await deliver(
      heartrateEvent([
        { timestamp: late, value: 60 },
        { timestamp: early, value: 61 },
      ]),
    )
    await deliver({ event_type: 'mood.created', data: {} })
    expect(await sync.forget(user.toUpperCase())).toEqual({
      deleted: { sleep: 1, samples: 2, unknown_events: 1 },
      left: 0,
    })
    expect(await deliver(nightEvent({ updated_at: late }))).toBe(200)
    expect(await deliver({ event_type: 'mood.created', data: {} })).toBe(200)
    expect(await query('select id from $.sleep')).toEqual([{ id: 'other' }])
    expect(await query('select * from $.unknown_events')).toEqual([])
    expect(JSON.stringify(await query('select * from $.forgotten'))).not.toContain(user)
  })

  test('forget a user whose id is somewhere else in an event', async () => {
    const { sync, deliver, query } = await syncInto(db())
    const [none, other] = ['', crypto.randomUUID()]
    const digits = user.replaceAll('-', '')
    const forms = [user, user.toUpperCase(), digits, `id${digits}`, `${digits}ab`, `00${user}`]
    const mention = (id: string, user_id = none) =>
      deliver({ event_type: 'mood.created', user_id, data: { member: { id } } })
    for (const form of forms) await mention(form)
    await mention(other)
    await mention(user, other)
    expect(await sync.forget(user)).toEqual({
      deleted: { unknown_events: forms.length },
      left: 0,
    })
    for (const form of forms) expect(await mention(form)).toBe(200)
    const left = await query('select user_id from $.unknown_events order by 1')
    expect(left).toEqual([{ user_id: none }, { user_id: other }])
  })

  test('keep the records of two users with the same id apart', async () => {
    const { deliver, query } = await syncInto(db())
    const other = crypto.randomUUID()
    await deliver(nightEvent({ total: 100 }))
    await deliver({ ...nightEvent({ total: 200, updated_at: late }), user_id: other })
    const rows = await query('select user_id, total from $.sleep order by total')
    expect(rows).toEqual([
      { user_id: user, total: 100 },
      { user_id: other, total: 200 },
    ])
  })

  test('reject with an error that names the remedy when the tables are missing', async () => {
    const { sync, deliver, query, errors } = await syncInto(db())
    await query('drop table $.findings, $.sleep cascade')
    expect(await deliver(nightEvent())).toBe(500)
    expect(errors).toMatchObject([{ code: 'not_migrated' }])
    await expect(sync.forget('nobody')).rejects.toMatchObject({ code: 'argument_invalid' })
  })
})
