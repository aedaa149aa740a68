import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createMock, explainDifference } from '../../mock/index.ts'
import { ServiceClient } from '../../src/index.ts'
import { createSync } from '../../src/sync/index.ts'
import { sampled } from '../support/long-tests.ts'
import { Boundaries, dyingConnection } from '../support/programs/dying.ts'
import { databaseNames, useServers } from '../support/stores.ts'
import { syncedRows } from '../support/synced.ts'
import { nightEvent, syncInto, user } from './synced-schema.ts'

const { databases } = useServers(sampled(databaseNames, 4))
const days = { from: '2025-05-01', to: '2025-06-05' }

/** The rights that the guide gives to the role of the running processes. */
const [, grants = ''] =
  /```sql\n(create role sync_worker[\s\S]*?)```/.exec(
    readFileSync('docs/guides/sync.md', 'utf8'),
  ) ?? []

/** Users with data of some days, of which no event was delivered. */
async function unsentDays() {
  const team = createMock({ seed: 4 }).team()
  const users = [team.users.create({ living: true }), team.users.create({ living: true })]
  await team.clock.advance('2d')
  return { team, users: users.map(({ user_id }) => user_id), connection: team.connection() }
}

describe.each(databases)('backfill and verify with $name', ({ name, isThere, db }) => {
  const test = it.skipIf(!isThere)

  test('do not wait for a slow source of users after an abort or an error', async () => {
    const { team, users, connection } = await unsentDays()
    const { sync } = await syncInto(db(), { client: new ServiceClient(connection) })
    async function* slow(ids: string[]) {
      yield* ids
      await new Promise(() => {})
    }
    const controller = new AbortController()
    const reason = new Error('stop')
    const onProgress = () => controller.abort(reason)
    const { signal } = controller
    const aborted = sync.backfill({ users: slow(users), ...days, signal, onProgress })
    await expect(aborted).rejects.toThrow()
    team.faults.add({ on: 'summaries.list', then: { status: 401 } })
    for (const run of [sync.backfill, sync.verify]) {
      const failed = run({ users: slow(users.slice(0, 1)), ...days })
      await expect(failed).rejects.toMatchObject({ status: 401 })
    }
  })

  test.each(['backfill', 'verify'] as const)(
    'read no further user after an error, and finish the users in progress: %s',
    async (method) => {
      const ids = [1, 2, 3, 4].map((n) => `6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a5${n}`)
      const [failing = ''] = ids
      const read: string[] = []
      const requested: string[] = []
      let isClosed = false
      async function* source() {
        try {
          for (const id of ids) {
            read.push(id)
            yield id
          }
        } finally {
          isClosed = true
        }
      }
      const failed = Promise.withResolvers<void>()
      const fetch = async (input: Request | string | URL) => {
        const { pathname } = new URL(input instanceof Request ? input.url : input)
        requested.push(pathname.slice(-36))
        if (pathname.endsWith(failing)) {
          failed.resolve()
          return Response.json({ detail: 'no' }, { status: 401 })
        }
        await failed.promise
        await new Promise((resolve) => setTimeout(resolve, 50))
        return Response.json({ sleep: [{ id: 'night', source: {}, calendar_date: '2025-06-01' }] })
      }
      const client = new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test', fetch })
      const { sync, query } = await syncInto(db(), { client })
      const run = { users: source(), resources: ['sleep'] as const, concurrency: 2 }
      const result = sync[method]({ ...run, from: '2025-06-01', to: '2025-06-05' })
      await expect(result).rejects.toMatchObject({ status: 401 })
      expect(read).toEqual(ids.slice(0, 2))
      expect(requested.toSorted()).toEqual(ids.slice(0, 2))
      expect(isClosed).toBe(true)
      expect(await query('select user_id from $.sleep')).toEqual([{ user_id: ids[1] }])
    },
  )

  test('continue where a killed process stopped, and store what the service has', async () => {
    const { team, users, connection } = await unsentDays()
    const { schema, sync } = await syncInto(db(), { client: new ServiceClient(connection) })
    const requests = () => team.journal.count
    for (const boundary of [3, 5, 8, 12]) {
      const boundaries = new Boundaries(boundary)
      const client = new ServiceClient(dyingConnection(connection, boundaries))
      const dying = createSync({
        client,
        database: db(),
        schema,
      })
      const work = dying.backfill({ users, ...days, concurrency: 1 })
      await Promise.race([work, boundaries.death])
    }
    const before = requests()
    const report = await sync.backfill({ users, ...days, concurrency: 1 })
    expect(report.users).toBe(2)
    // Twelve resources of users, two of them with one request and ten with two.
    expect(requests() - before).toBeLessThan(22)
    // Only the latest days, with one request for each resource that has days.
    expect((await sync.backfill({ users, ...days })).requests).toBe(10)
    const summaries = ['sleep', 'activity', 'workouts', 'body', 'meal']
    const rows = (await syncedRows(db(), schema)).filter(({ resource }) =>
      summaries.includes(String(resource)),
    )
    const truth = users.flatMap((user) =>
      summaries.flatMap((resource) => team.truth(user, resource)),
    )
    expect(rows.length).toBe(truth.length)
    const difference = explainDifference(team, rows)
    expect(difference?.kind === 'lost' ? undefined : difference?.message).toBeUndefined()
  })

  test('find and repair what is missing, old or changed', async () => {
    const { users, connection } = await unsentDays()
    const { sync, query } = await syncInto(db(), { client: new ServiceClient(connection) })
    await sync.backfill({ users, ...days })
    const [row] = await query('select id from $.sleep order by id limit 1')
    await query(`delete from $.activity where id = (select min(id) from $.activity)`)
    await query(`update $.sleep set total = 1 where id = '${row?.['id']}'`)
    await query(
      `update $.meals set sync_version = sync_version - interval '1 day' where id = (select min(id) from $.meals)`,
    )
    await query(
      `update $.body set record = record || '{"weight": 1}' where id = (select min(id) from $.body)`,
    )
    const looked = await sync.verify({ users, ...days, repair: false })
    expect(looked.isComplete).toBe(false)
    const report = await sync.verify({ users, ...days })
    expect(report.resources).toMatchObject({
      activity: { missing: 1, stale: 0, different: 0, repaired: 1 },
      sleep: { missing: 0, stale: 0, different: 1, repaired: 1 },
      meal: { missing: 0, stale: 1, different: 0, repaired: 1 },
      body: { missing: 0, stale: 0, different: 1, repaired: 1 },
    })
    expect(report.isComplete).toBe(true)
    expect(report.table.split('\n')[0]).toMatch(/^resource +records +missing +stale/)
    const again = await sync.verify({ users, ...days })
    expect(
      Object.values(again.resources).map(
        ({ missing, stale, different }) => missing + stale + different,
      ),
    ).toEqual(Object.values(again.resources).map(() => 0))
  })

  test('keep an event without an update time that was sent right after the record was read', async () => {
    const source = { provider: 'oura', type: 'app', app_id: null }
    const profile = (height: number) => ({ id: 'profile-1', user_id: user, height, source })
    const event = (height: number) => ({
      event_type: 'daily.data.profile.updated',
      data: { data: [profile(height)], source },
    })
    const fetch = async () => {
      const response = Response.json(profile(170))
      await deliver(event(171))
      return response
    }
    const client = new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test', fetch })
    const { sync, deliver, query } = await syncInto(db(), { client })
    await deliver(event(170))
    const report = await sync.verify({ users: [user], resources: ['profile'] })
    expect(await query('select height from $.profile')).toEqual([{ height: 171 }])
    expect(report).toMatchObject({ isComplete: true, resources: { profile: { different: 0 } } })
  })

  test.each(['not_found', 'success_false'] as const)(
    'remove the data of a connection that the service no longer has: %s',
    async (deleteMissingConnection) => {
      const team = createMock({ deleteMissingConnection }).team()
      const { user_id } = team.users.create()
      const client = new ServiceClient(team.connection())
      const { sync, deliver } = await syncInto(db(), { client, onDisconnect: 'remove' })
      await deliver({ ...nightEvent(), user_id })
      expect(await sync.disconnect(user_id, 'oura')).toEqual({ deleted: { sleep: 1 }, left: 0 })
    },
  )

  test('keep or remove the data of a removed connection', async () => {
    const source = { provider: 'oura', type: 'ring', app_id: null }
    for (const onDisconnect of ['keep', 'remove'] as const) {
      const team = createMock().team()
      const { user_id } = team.users.create()
      team.connections.create({ user_id, provider: 'oura' })
      const client = new ServiceClient(team.connection())
      const { sync, deliver, query } = await syncInto(db(), { client, onDisconnect })
      const connect = {
        event_type: 'provider.connection.created',
        user_id,
        data: { provider: { slug: 'oura' } },
      }
      await deliver(connect)
      await deliver({ ...nightEvent(), user_id })
      const report = await sync.disconnect(user_id, 'oura')
      expect(team.connections.list().length).toBe(0)
      expect(report.deleted).toEqual(onDisconnect === 'keep' ? {} : { sleep: 1 })
      expect(await query('select status from $.connections')).toEqual([{ status: 'disconnected' }])
      await deliver({ ...nightEvent({ id: 'late', source }), user_id })
      expect((await query('select id from $.sleep')).length).toBe(onDisconnect === 'keep' ? 2 : 0)
      await deliver(connect, { id: 'again', at: new Date(Date.now() + 2000) })
      await deliver({ ...nightEvent({ id: 'new', source }), user_id })
      expect((await query('select id from $.sleep')).length).toBe(onDisconnect === 'keep' ? 3 : 1)
      expect(await query('select status from $.connections')).toEqual([{ status: 'connected' }])
    }
  })

  test('read the days of a removed connection again after a reconnection', async () => {
    const { users, connection } = await unsentDays()
    const [user_id = ''] = users
    const client = new ServiceClient(connection)
    const { sync, deliver, query } = await syncInto(db(), { client, onDisconnect: 'remove' })
    const stored = () => query('select id, source_provider as slug from $.sleep order by id')
    const run = () => sync.backfill({ users: [user_id], ...days, resources: ['sleep'] })
    await run()
    const before = await stored()
    const slug = String(before[0]?.['slug'])
    await sync.disconnect(user_id, slug)
    // Stores nothing, because the connection is removed.
    await run()
    expect(await stored()).not.toContainEqual(before[0])
    const data = { provider: { slug } }
    const connected = { event_type: 'provider.connection.created', user_id, data }
    await deliver(connected, { id: 'again', at: new Date(Date.now() + 2000) })
    await run()
    expect(await stored()).toEqual(before)
  })

  // The role is that of one connection.
  it.skipIf(!isThere || /Pool|postgres/.test(name))(
    'work with the rights of the guide',
    async () => {
      const { users, connection } = await unsentDays()
      const client = new ServiceClient(connection)
      const options = { client, maxAttempts: 1 }
      const { sync, deliver, query, errors } = await syncInto(db(), options)
      await query('alter table $.sleep add check (total < 1000000)')
      for (const statement of grants.trim().split(';\n')) {
        await query(statement.replaceAll(/\bhealth\b/g, '$'))
      }
      await query('set role sync_worker')
      try {
        const [user_id = ''] = users
        const poison = nightEvent({ id: 'low', total: 1e9 })
        const unknown = { event_type: 'mood.created', data: {} }
        for (const event of [nightEvent(), poison, unknown]) {
          expect(await deliver({ ...event, user_id })).toBe(200)
        }
        const some = { users: [user_id], from: '2025-06-01', resources: ['sleep', 'body'] as const }
        expect((await sync.backfill(some)).records).toBeGreaterThan(0)
        expect((await sync.verify(some)).isComplete).toBe(true)
        expect(await sync.retry()).toEqual({ stored: 0, failed: 1 })
        expect((await sync.forget(user_id)).left).toBe(0)
        expect(errors).toEqual([])
        await expect(sync.migrate()).rejects.toThrow('42501')
        await expect(query('drop table $.sleep')).rejects.toMatchObject({ code: '42501' })
      } finally {
        await query('reset role')
        await query(`drop owned by sync_worker`)
        await query(`drop role sync_worker`)
      }
    },
  )
})
