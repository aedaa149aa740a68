import { expect, it, onTestFinished, vi } from 'vitest'
import { createMock, type Team, type TeamConnection } from '../../../mock/index.ts'
import { connectMock } from '../../../mock/remote.ts'
import { type MockServer, serve } from '../../../mock/server/server.ts'
import { ServiceClient } from '../../../src/index.ts'
import { nextTurn } from '../../../src/shared/next-turn.ts'

async function served(): Promise<MockServer> {
  const server = await serve(createMock(), { gracePeriod: 0 })
  onTestFinished(() => server.close())
  return server
}

/** Returns how many health checks, one after the other, get their response before a request of the control API does. */
async function healthChecksDuring(
  { url, mock }: MockServer,
  path: string,
  init: RequestInit = {},
): Promise<number> {
  const headers = {
    'x-service-api-key': mock.defaultTeam.apiKey,
    'content-type': 'application/json',
  }
  const sent = fetch(`${url}/__mock__/api${path}`, { headers, ...init })
  const count = await healthChecksUntil(sent, url)
  expect((await sent).status).toBe(200)
  return count
}

/** Returns how many health checks, one after the other, get their response before something else ends. */
async function healthChecksUntil(end: Promise<unknown>, url: string): Promise<number> {
  let isRunning = true
  const ended = end.finally(() => {
    isRunning = false
  })
  let count = 0
  for (; isRunning; count += 1) await (await fetch(`${url}/__mock__/health`)).text()
  await ended
  return count
}

it('responds to other requests while it emits the events of living users', async () => {
  const server = await served()
  const { users, clock } = server.mock.defaultTeam
  for (let user = 0; user < 5; user += 1) users.create({ living: true })
  // Loads the control API.
  await healthChecksDuring(server, '/clock')
  await clock.advance('30d')
  expect(await healthChecksDuring(server, '/events?first=1')).toBeGreaterThan(10)
})

const living = { living: true, connections: ['oura'] }

it('responds to others while the historical data of a new connection is generated', async () => {
  const server = await served()
  // Loads the control API.
  await healthChecksDuring(server, '/clock')
  server.mock.defaultTeam.users.create(living)
  expect(await healthChecksDuring(server, '/events?first=1')).toBeGreaterThan(3)
})

it.each([
  ['a new user', '/users', living, 3],
  ['seeded users', '/seed', { users: Array(6).fill(living) }, 30],
])('responds to others while the data of %s is sent to a webhook', async (_, path, body, least) => {
  const server = await served()
  const { events, webhooks } = server.mock.defaultTeam
  const handler = vi.fn(() => new Response())
  webhooks.add({ handler })
  // Loads the control API.
  await healthChecksDuring(server, '/clock')
  const create = { method: 'POST', body: JSON.stringify(body) }
  expect(await healthChecksDuring(server, path, create)).toBeGreaterThan(least)
  await webhooks.idle()
  expect(handler).toHaveBeenCalledTimes(events.count)
})

it('responds to others while many records are seeded', async () => {
  const server = await served()
  const seed = (count: number) => ({
    method: 'POST',
    body: JSON.stringify({ users: Array(count).fill({}), orders: Array(count).fill({}) }),
  })
  // Loads the code.
  await healthChecksDuring(server, '/seed', seed(1))
  expect(await healthChecksDuring(server, '/seed', seed(1000))).toBeGreaterThan(20)
  expect(server.mock.defaultTeam.orders.size).toBe(1001)
})

it('responds to others while a large fixture is checked', async () => {
  const server = await served()
  const seed = (users: object[]) => ({ method: 'POST', body: JSON.stringify({ users }) })
  // Loads the code.
  await healthChecksDuring(server, '/seed', seed([{}]))
  const id = { user_id: '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55' }
  const { method, body } = seed([...Array(50_000).fill({}), id, id])
  const sent = fetch(`${server.url}/__mock__/api/seed`, {
    ...{ method, body },
    headers: {
      'x-service-api-key': server.mock.defaultTeam.apiKey,
      'content-type': 'application/json',
    },
  })
  expect(await healthChecksUntil(sent, server.url)).toBeGreaterThan(10)
  expect((await sent).status).toBe(400)
  expect(server.mock.defaultTeam.users.size).toBe(1)
})

/** Creates ten living users, and imports a connection for each of them. */
async function importConnections(team: Team, options: Partial<TeamConnection> = {}): Promise<void> {
  const connections = Array.from({ length: 10 }, (_, index) => ({
    user_id: team.users.create({ living: true, connections: [] }).user_id,
    provider_id: `import_${index}`,
    access_token: 'access',
    refresh_token: 'refresh',
    expires_at: 2_147_483_647,
  }))
  const client = new ServiceClient({ ...team.connection(), ...options })
  await client.link.bulkImport({ provider: 'oura', connections, wait_for_completion: true })
}

it('responds to others while the data of imported connections is generated for webhooks', async () => {
  const server = await served()
  const team = server.mock.defaultTeam
  const delivered = Promise.withResolvers<void>()
  const handler = vi.fn(() => {
    delivered.resolve()
    return new Response()
  })
  for (let count = 0; count < 2; count += 1) team.webhooks.add({ handler })
  // Loads the control API.
  await healthChecksDuring(server, '/clock')
  await importConnections(team, { baseUrl: server.url, fetch })
  expect(await healthChecksUntil(delivered.promise, server.url)).toBeGreaterThan(100)
  await team.webhooks.idle()
  expect(handler).toHaveBeenCalledTimes(2 * team.events.count)
})

it('emits the same events for imported connections with and without a webhook', async () => {
  const [team, other] = [createMock().team(), createMock().team()]
  team.webhooks.add({ handler: () => new Response() })
  for (const one of [team, other]) await importConnections(one)
  const { outbox } = team.snapshot()
  await team.webhooks.idle()
  expect(team.snapshot().outbox).toEqual(outbox)
  expect(team.events.list()).toEqual(other.events.list())
})

it('rejects a clock operation while the data of a new user is generated', async () => {
  const { mock, url } = await served()
  const team = mock.defaultTeam
  team.clock.mode = 'manual'
  team.webhooks.add({ handler: () => new Response() })
  const remote = connectMock(url, team.apiKey)
  await remote.clock.now()
  const creating = remote.users.create(living)
  await vi.waitUntil(() => team.users.size > 0, { interval: 0, timeout: 60_000 })
  await expect(remote.clock.advanceTo('2020-01-01T00:00:00Z')).rejects.toThrow('back')
  await creating
})

it.each(['realtime', 'manual'] as const)(
  'restores a team while the data of a new user is generated, in %s',
  async (clock) => {
    const mock = createMock({ clock })
    const server = await serve(mock, { gracePeriod: 0 })
    onTestFinished(() => server.close())
    const team = mock.defaultTeam
    const handler = vi.fn(() => new Response())
    team.webhooks.add({ handler })
    const snapshot = team.snapshot()
    const remote = connectMock(server.url, team.apiKey)
    await remote.clock.now()
    const creating = remote.users.create({
      ...living,
      connections: ['oura', 'withings', 'fitbit', 'garmin'],
    })
    await vi.waitUntil(() => team.users.size > 0, { interval: 0, timeout: 60_000 })
    for (let turn = 0; turn < 60; turn += 1) await nextTurn()
    team.restore(snapshot)
    handler.mockClear()
    team.trigger('labtest.result.critical')
    await team.webhooks.idle()
    expect(handler).toHaveBeenCalledTimes(1)
    await creating
  },
)

it.each([
  ['what a user should have stored is collected', '/truth', {}],
  [
    'a query reads the data that arrived',
    '/aggregate',
    {
      method: 'POST',
      body: JSON.stringify({
        timeframe: { type: 'relative', anchor: '2025-06-30', past: { unit: 'day', value: 30 } },
        queries: [{ select: [{ arg: { heartrate: 'value' }, func: 'mean' }] }],
      }),
    },
  ],
])('responds to others while %s', async (_, path, init) => {
  const server = await served()
  const { users, clock, events } = server.mock.defaultTeam
  const { user_id } = users.create({ living: true, connections: ['oura'] })
  const other = users.create({ living: true, connections: ['oura'] })
  // Loads the code.
  await healthChecksDuring(server, `/users/${other.user_id}${path}`, init)
  await clock.advance('40d')
  // Emits the events of the time until now.
  events.list()
  expect(await healthChecksDuring(server, `/users/${user_id}${path}`, init)).toBeGreaterThan(1)
})

it.each([
  ['events', '/search?text=workouts+created'],
  ['requests', '/journal/summaries?search=markers'],
])('responds to others while a search reads %s', async (_, path) => {
  const server = await served()
  const team = server.mock.defaultTeam
  const { users, clock, events } = team
  const client = new ServiceClient(team.connection())
  users.create({ living: true })
  await clock.advance('20d')
  events.list()
  for (let count = 0; count < 200; count += 1) await client.labTests.listMarkers({ size: 100 })
  await healthChecksDuring(server, '/search')
  expect(await healthChecksDuring(server, path)).toBeGreaterThan(2)
})

it('rejects a body of the control API with too many values before it is parsed', async () => {
  const { url, mock } = await served()
  const response = await fetch(`${url}/__mock__/api/snapshot`, {
    method: 'PUT',
    headers: { 'x-service-api-key': mock.defaultTeam.apiKey },
    body: `[${'0,'.repeat(4_194_304)}0]`,
  })
  expect(response.status).toBe(413)
  expect(await response.text()).toContain('more than 4194304 JSON values')
})
