import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasPostgres, startPostgres, withoutPostgres } from '../support/programs/postgres.ts'
import { nightEvent, syncInto, user } from './synced-schema.ts'

const title = `in a database whose encoding lacks characters${hasPostgres ? '' : ` ${withoutPostgres}`}`

describe.skipIf(!hasPostgres)(title, () => {
  let server: Awaited<ReturnType<typeof startPostgres>>
  let pool: Pool
  beforeAll(async () => {
    server = await startPostgres()
    const admin = new Pool(server.connection)
    await admin.query(`create database latin encoding 'LATIN1' locale 'C' template template0`)
    await admin.end()
    pool = new Pool({ ...server.connection, database: 'latin' })
  })
  afterAll(async () => {
    await pool.end()
    await server.stop()
  })

  it.each([
    ['a record', nightEvent({ state: 'ruhig 🏃' })],
    ['an unknown field', nightEvent({ '🏃': 1 })],
    ['the provider', nightEvent({ source: { provider: 'здоровье' } })],
    ['the event type', { event_type: 'mood.🏃', data: {} }],
    ['the user', { ...nightEvent(), user_id: 'Łukasz' }],
  ])('parks a message with other characters in %s', async (_, event) => {
    const { deliver, sync, query } = await syncInto(pool, { maxAttempts: 2 })
    const statuses = [await deliver(event, { id: 'm' }), await deliver(event, { id: 'm' })]
    expect(statuses).toEqual([500, 200])
    expect(await sync.retry()).toEqual({ stored: 0, failed: 1 })
    const [parked] = await query('select error, event from $.failed_messages where is_parked')
    expect(parked).toMatchObject({ error: '22P05' })
    expect(JSON.parse(String(parked?.['event']))).toEqual({ user_id: user, ...event })
  })

  it('stores an event of an unknown type, and records with characters that it has', async () => {
    const { deliver, query, errors } = await syncInto(pool)
    const mood = { event_type: 'mood.created', data: { text: 'fröhlich 🏃' } }
    expect(await deliver(mood)).toBe(200)
    expect(await deliver(nightEvent({ state: 'fröhlich' }))).toBe(200)
    expect(errors).toEqual([])
    expect(await query('select state from $.sleep')).toEqual([{ state: 'fröhlich' }])
    const [stored] = await query('select event from $.unknown_events')
    expect(JSON.parse(String(stored?.['event']))).toEqual({ user_id: user, ...mood })
  })
})
