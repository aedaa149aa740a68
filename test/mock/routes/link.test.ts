import { describe, expect, it } from 'vitest'
import { createMock, type Team } from '../../../mock/index.ts'
import { recipe, userId } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

const unknownUser = '11111111-1111-4111-8111-111111111111'

const importRoute = 'POST /v2/link/bulk_import'

function importBody(users: string[], wait_for_completion = false) {
  return { provider: 'oura', connections: users.map((user) => recipe(user)), wait_for_completion }
}

/** So many users of a team. */
function usersOf(team: Team, count: number): string[] {
  return Array.from({ length: count }, () => team.users.create({ info: null }).user_id)
}

it('lists the providers, or those of a source type (4.9)', async () => {
  const team = createMock().team()
  team.providers.create({ slug: 'new_ring', source_type: 'ring' })
  const all = await call(team, 'GET /v2/providers')
  expect(all.body).toHaveLength(team.providers.size)
  expect(all.body[0]).not.toHaveProperty('source_type')
  const rings = await call(team, 'GET /v2/providers?source_type=ring')
  expect(rings.body).toMatchObject([{ slug: 'new_ring' }])
  expect((await call(team, 'GET /v2/providers?source_type=none')).body).toEqual([])
})

it('deletes a connection (4.10)', async () => {
  const team = createMock().team()
  if (!team.users.has(userId)) team.users.create({ user_id: userId })
  team.connections.create({ user_id: userId, provider: 'oura' })
  const route = `DELETE /v2/user/${userId}/oura`
  expect(await call(team, route)).toMatchObject({ status: 200, body: { success: true } })
  expect(team.connections.has(userId, 'oura')).toBe(false)
  expect(await call(team, route)).toMatchObject({
    status: 404,
    body: { detail: 'Connection not found' },
  })
})

it('returns success false for a missing connection with deleteMissingConnection (4.10)', async () => {
  const team = createMock().team({ deleteMissingConnection: 'success_false' })
  const { status, body } = await call(team, `DELETE /v2/user/${userId}/oura`)
  expect([status, body]).toEqual([200, { success: false }])
})

it.each(['apple_health_kit', 'health_connect', 'samsung_health'])(
  'keeps a connection to %s with auto_connect, and deletes it otherwise (4.10)',
  async (provider) => {
    const team = createMock().team()
    if (!team.users.has(userId)) team.users.create({ user_id: userId })
    team.connections.create({ user_id: userId, provider })
    const route = `DELETE /v2/user/${userId}/${provider}`
    expect((await call(team, route)).body).toEqual({ success: true })
    expect(team.connections.has(userId, provider)).toBe(true)
    team.configure({ sdkMode: 'explicit' })
    expect((await call(team, route)).body).toEqual({ success: true })
    expect(team.connections.has(userId, provider)).toBe(false)
  },
)

it('accepts an import at once and runs it in the background (4.3, rule 1)', async () => {
  const team = createMock().team()
  const users = usersOf(team, 3)
  const { status, body } = await call(team, importRoute, importBody([...users, unknownUser]))
  expect(status).toBe(202)
  expect(body).toEqual({ user_ids_imported: [], user_ids_failed: [] })
  expect(team.connections.size).toBe(0)
  await team.clock.advance('2ms')
  expect(team.connections.size).toBe(2)
  await team.clock.advance('2ms')
  expect(team.bulkOps.list()).toMatchObject([
    { status: 'success', user_ids_imported: users, user_ids_failed: [unknownUser] },
  ])
  expect(team.connections.list({ provider: 'oura' })).toHaveLength(3)
  expect(team.users.has(unknownUser)).toBe(false)
})

it('waits for completion within 20 seconds of virtual time (4.3, rule 2)', async () => {
  const team = createMock().team({ importTimePerConnection: '4s' })
  const users = usersOf(team, 4)
  const started = team.clock.now().getTime()
  const { status, body } = await call(team, importRoute, importBody([...users, unknownUser], true))
  expect(status).toBe(200)
  expect(body).toEqual({ user_ids_imported: users, user_ids_failed: [unknownUser] })
  expect(team.clock.now().getTime() - started).toBe(20_000)
})

it('responds with 202 when the import takes longer than 20 seconds (4.3, rule 2)', async () => {
  const team = createMock().team({ importTimePerConnection: '20001ms' })
  const [user = ''] = usersOf(team, 1)
  const started = team.clock.now().getTime()
  const { status, body } = await call(team, importRoute, importBody([user], true))
  expect(status).toBe(202)
  expect(body).toEqual({ user_ids_imported: [], user_ids_failed: [] })
  expect(team.clock.now().getTime() - started).toBe(20_000)
  expect(team.bulkOps.list()).toMatchObject([{ status: 'in_progress' }])
  await team.clock.advance('1ms')
  expect(team.bulkOps.list()).toMatchObject([{ status: 'success' }])
})

it('queues imports, first in, first out, and never disrupts the running one (4.3, rule 3)', async () => {
  const team = createMock().team({ importTimePerConnection: '1s' })
  const users = usersOf(team, 10)
  await call(team, importRoute, importBody(users))
  await call(team, importRoute, { ...importBody(users), provider: 'fitbit' })
  await team.clock.advance('4s')
  expect(team.bulkOps.list().map(({ processed }) => processed)).toEqual([4, 0])
  await team.clock.advance('8s')
  expect(team.bulkOps.list().map(({ processed }) => processed)).toEqual([10, 2])
  const waiting = await call(team, importRoute, importBody(users.slice(0, 1), true))
  expect(waiting.status).toBe(200)
  expect(team.bulkOps.list().map(({ status }) => status)).toEqual(['success', 'success', 'success'])
})

it('lists the progress of the operations in pages, the newest first (4.3, rule 4)', async () => {
  const team = createMock({ now: '2025-06-01T09:00:00Z' }).team({ importTimePerConnection: '1s' })
  const users = usersOf(team, 3)
  for (const provider of ['oura', 'fitbit', 'strava']) {
    await call(team, importRoute, { ...importBody(users), provider })
  }
  await team.clock.advance('4s')
  const first = await call(team, 'GET /v2/link/bulk_op?page_size=2')
  expect(first.body.data).toMatchObject([
    { provider: 'strava', status: 'in_progress', pending: 3, processed: 0, ended_at: null },
    { provider: 'fitbit', status: 'in_progress', pending: 2, processed: 1, ended_at: null },
  ])
  const next = await call(team, `GET /v2/link/bulk_op?next_cursor=${first.body.next_cursor}`)
  expect(next.body).toEqual({
    data: [
      {
        type: 'link_bulk_import',
        provider: 'oura',
        status: 'success',
        pending: 0,
        processed: 3,
        started_at: '2025-06-01T09:00:00.000Z',
        ended_at: '2025-06-01T09:00:03.000Z',
      },
    ],
    next_cursor: null,
  })
  expect((await call(team, 'GET /v2/link/bulk_op?page_size=51')).status).toBe(422)
})

it('accepts 100,000 connections in one call with one due event (4.3, rule 3)', async () => {
  const team = createMock().team()
  const [user = ''] = usersOf(team, 1)
  const ids = Array.from({ length: 100_000 }, (_, at) => (at % 2 === 0 ? user : unknownUser))
  const { status } = await call(team, importRoute, importBody(ids, true))
  expect(status).toBe(202)
  expect(team.bulkOps.list()).toMatchObject([{ processed: 20_000, total: 100_000 }])
  expect(team.clock.pending()).toHaveLength(1)
  await team.clock.runToNext()
  expect(team.bulkOps.list()).toMatchObject([{ status: 'success', processed: 100_000 }])
})

it('cannot be changed through the lists of an ended import', async () => {
  const team = createMock().team()
  await call(team, importRoute, importBody([...usersOf(team, 1), unknownUser], true))
  const [op] = team.bulkOps.list()
  for (const list of [op?.user_ids_imported, op?.user_ids_failed] as string[][])
    expect(() => list.push('another')).toThrow(TypeError)
})

it('accepts an import without users, which ends at once (4.3)', async () => {
  const team = createMock().team({ clock: 'manual' })
  const { status, body } = await call(team, importRoute, importBody([], true))
  expect([status, body]).toEqual([200, { user_ids_imported: [], user_ids_failed: [] }])
})

it('stops an aborted import and starts the next one (3.2)', async () => {
  const team = createMock().team({ importTimePerConnection: '1s' })
  const users = usersOf(team, 10)
  await call(team, importRoute, importBody(users))
  await call(team, importRoute, { ...importBody(users.slice(0, 2)), provider: 'fitbit' })
  await team.clock.advance('4s')
  const [first] = team.bulkOps.list()
  expect(team.bulkOps.abort(first?.id ?? '')).toMatchObject({ status: 'aborted', processed: 4 })
  await team.clock.advance('2s')
  expect(team.bulkOps.list().map(({ status }) => status)).toEqual(['aborted', 'success'])
  expect(team.connections.list({ provider: 'oura' })).toHaveLength(4)
  expect(() => team.bulkOps.abort(first?.id ?? '')).toThrow(/in progress/)
})

it('restores a team with an import that was aborted before its turn', async () => {
  const team = createMock().team({ importTimePerConnection: '1s', clock: 'manual' })
  const users = usersOf(team, 3)
  await call(team, importRoute, importBody(users))
  await call(team, importRoute, importBody(users))
  await team.clock.advance('1s')
  team.bulkOps.abort(team.bulkOps.list()[1]?.id ?? '')
  const snapshot = team.snapshot()
  team.restore(snapshot)
  expect(team.snapshot()).toEqual(snapshot)
})

/** What a test does while an import runs. */
const changes: [string, (team: Team, user_id: string) => void][] = [
  ['the connection is deleted', (team, id) => team.connections.delete(id, 'oura')],
  ['the user is deleted', (team, id) => team.users.delete(id)],
]

describe.each(changes)('an import during which %s', (_, change) => {
  it.each([false, true])('announces the other connections only (living: %s)', async (living) => {
    const team = createMock().team({ importTimePerConnection: '1s', clock: 'manual' })
    const [gone = '', kept = ''] = [1, 2].map(
      () => team.users.create({ living, connections: [] }).user_id,
    )
    await call(team, importRoute, importBody([gone, kept]))
    await team.clock.advance('1s')
    change(team, gone)
    const snapshot = team.snapshot()
    await team.clock.advance('1s')
    const users = () => new Set(team.events.list().map(({ user_id }) => user_id))
    expect(users()).toEqual(new Set([kept]))
    team.restore(snapshot)
    await team.clock.advance('1s')
    expect(users()).toEqual(new Set([kept]))
  })
})

it.each([false, true])(
  'announces once a connection that is created again while its import runs (living: %s)',
  async (living) => {
    const team = createMock().team({ importTimePerConnection: '1s', clock: 'manual' })
    const { user_id } = team.users.create({ living, connections: [] })
    await call(team, importRoute, importBody([user_id, ...usersOf(team, 1)]))
    await team.clock.advance('1s')
    team.connections.delete(user_id, 'oura')
    team.connections.create({ user_id, provider: 'oura' })
    await team.clock.advance('1s')
    const events = team.events.list('provider.connection.created')
    expect(events.filter((event) => event.user_id === user_id)).toHaveLength(1)
  },
)

it('announces once the connection of a living user who is changed while an import runs', async () => {
  const team = createMock().team({ importTimePerConnection: '1s', clock: 'manual' })
  const { user_id } = team.users.create({ living: true, connections: [] })
  await call(team, importRoute, importBody([user_id, ...usersOf(team, 1)]))
  await team.clock.advance('1s')
  team.users.update(user_id, { persona: 'athlete' })
  await team.clock.advance('1s')
  const events = team.events.list('provider.connection.created')
  expect(events.filter((event) => event.user_id === user_id)).toHaveLength(1)
})

it('requires enabled migration endpoints and a credential for the provider (4.3)', async () => {
  const team = createMock().team({ linkMigration: 'disabled', oauthCredentials: ['fitbit'] })
  for (const route of ['GET /v2/link/bulk_op', importRoute]) {
    const isImport = route === importRoute
    const { status, body } = await call(team, route, isImport ? importBody([userId]) : undefined)
    expect([status, body.detail]).toEqual([403, expect.stringContaining('not enabled')])
  }
  team.configure({ linkMigration: 'enabled' })
  expect((await call(team, importRoute, importBody([userId]))).status).toBe(400)
  const fitbit = { ...importBody([userId]), provider: 'fitbit' }
  expect((await call(team, importRoute, fitbit)).status).toBe(202)
})
