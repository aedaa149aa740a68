import { expect, it, onTestFinished } from 'vitest'
import { createMock, type MockOptions, type Team } from '../../../mock/index.ts'
import { connectMock } from '../../../mock/remote/connect.ts'
import type { RemoteTeam } from '../../../mock/remote/remote-team.ts'
import { serve } from '../../../mock/server/server.ts'
import { ServiceClient } from '../../../src/index.ts'
import { recipe } from '../../support/bodies.ts'

/** Returns a team whose history is recorded, with a remote handle and a client of it. */
async function recorded(options: MockOptions = {}) {
  const mock = createMock(options)
  const server = await serve(mock, { gracePeriod: 0 })
  onTestFinished(() => server.close())
  const team = mock.defaultTeam
  const remote = connectMock(server.url, team.apiKey)
  await remote.history.start()
  const client = new ServiceClient({ apiKey: team.apiKey, baseUrl: server.url, maxRetries: 0 })
  return { mock, team, remote, client, url: server.url }
}

/** The parts of a snapshot that a point has; webhooks are not among them. */
function withoutWebhooks(team: Team) {
  const snapshot = team.snapshot()
  return {
    ...snapshot,
    webhooks: [],
    due: snapshot.due.filter(({ type }) => type !== 'webhook.due'),
  }
}

/** Returns the titles of the points. */
async function titles({ history }: RemoteTeam): Promise<string[]> {
  return (await history.points()).map(({ kind, title }) => `${kind}: ${title}`)
}

it('records a point after each request, due event and call of the control API', async () => {
  const { remote, client } = await recorded()
  const order = await remote.orders.create()
  await client.orders.bookPhlebotomyAppointment(order.id, { booking_key: 'bk_confirm_after_3s' })
  await remote.clock.setMode('manual')
  await remote.clock.advance('1h')
  expect(await titles(remote)).toEqual([
    'start: start',
    'control: orders.create',
    'due: booking.outcome',
    'request: orders.bookPhlebotomyAppointment 200',
    'control: clock.update',
    'control: clock.advance',
  ])
  const [, created, confirmed] = await remote.history.points()
  expect(created).toMatchObject({ number: 2, changes: 2, at: '2025-06-01T09:00:00.000Z' })
  expect(confirmed).toMatchObject({ number: 3, at: '2025-06-01T09:00:03.000Z' })
  expect(await remote.history.get(2)).toMatchObject({
    point: created,
    changes: [
      { collection: 'users', action: 'create' },
      { collection: 'orders', action: 'create', after: { id: order.id } },
    ],
    records: { users: 1, orders: 1, appointments: 0, providers: 0 },
  })
  expect(await remote.history.records(2, 'orders')).toEqual([order])
})

it('returns the state at each point as it was', async () => {
  const { team, remote, client } = await recorded({ clock: 'manual' })
  const expected: object[] = []
  const step = async (act: () => unknown) => {
    await act()
    expected.push(withoutWebhooks(team))
  }
  const { user_id } = await remote.users.create()
  expected.push(withoutWebhooks(team), withoutWebhooks(team))
  await step(() => remote.connections.create({ user_id, provider: 'oura' }))
  await step(() => remote.providers.delete('garmin'))
  await step(() => remote.faults.add({ on: 'link.*', then: { status: 503 } }))
  await step(() => remote.faults.clear())
  await step(() => client.users.createSignInToken(user_id))
  await step(() => remote.connections.delete(user_id, 'oura'))
  await step(() => remote.trigger('daily.data.sleep.created', { user_id }))
  await step(() => remote.users.create({ living: true }))
  await step(() =>
    client.link.bulkImport({
      provider: 'oura',
      connections: [recipe(user_id), recipe(user_id)],
      wait_for_completion: false,
    }),
  )
  const points = await remote.history.points()
  expect(points).toHaveLength(expected.length)
  for (const [index, { number }] of points.entries()) {
    // The first point is the empty team.
    if (index === 0) continue
    expect(await remote.history.snapshot(number), `point ${number}`).toEqual(expected[index])
  }
})

it('returns the state before and after a restore and a reset', async () => {
  const { team, remote } = await recorded()
  const { user_id } = await remote.users.create()
  const snapshot = await remote.snapshot()
  await remote.users.delete(user_id)
  await remote.restore(snapshot)
  await remote.users.update(user_id, { info: null })
  await remote.reset()
  expect(await titles(remote)).toEqual([
    'start: start',
    'control: users.create',
    'control: users.delete',
    'restore: restore',
    'control: users.update',
    'restore: reset',
  ])
  const usersAt = async (point: number) => {
    const { records } = await remote.history.snapshot(point)
    return records['users']?.map(([key]) => key)
  }
  expect(await Promise.all([2, 3, 4, 5, 6].map(usersAt))).toEqual([
    [user_id],
    [],
    [user_id],
    [user_id],
    [],
  ])
  expect(team.users.size).toBe(0)
})

it('forks a point into a new team without webhooks, which continues on its own', async () => {
  const { mock, team, remote, url } = await recorded()
  team.webhooks.add({ handler: () => new Response('', { status: 500 }) })
  const order = await remote.orders.create()
  const [{ number } = { number: 0 }] = (await remote.history.points()).slice(-1)
  await remote.orders.complete(order.id)
  const apiKey = await remote.history.fork(number)
  const fork = mock.teamOf(apiKey)
  expect(fork?.orders.get(order.id)?.status).toBe('received')
  expect(fork?.webhooks.list()).toEqual([])
  expect(fork?.events.count).toBe(1)
  await new ServiceClient({ apiKey, baseUrl: url }).orders.bookPhlebotomyAppointment(order.id, {
    booking_key: 'bk_confirm',
  })
  expect(fork?.orders.get(order.id)?.status).toBe('collecting_sample')
  expect(team.orders.get(order.id)?.status).toBe('completed')
  await expect(remote.history.fork(number, apiKey)).rejects.toThrow(
    'Another team uses this api_key',
  )
})

it('forks a living user, whose data then arrives in both teams', async () => {
  const { mock, team, remote } = await recorded({ clock: 'manual' })
  await remote.users.create({ living: true })
  await remote.clock.advance('1h')
  const [{ number } = { number: 0 }] = (await remote.history.points()).slice(-1)
  const fork = mock.teamOf(await remote.history.fork(number))
  await team.clock.advance('12h')
  await fork?.clock.advance('12h')
  expect(fork?.events.count).toBeGreaterThan(0)
  expect(fork?.snapshot()).toEqual({ ...team.snapshot(), ordinal: 2 })
})

it('returns a point as a line of JavaScript that restores it', async () => {
  const { remote } = await recorded({ seed: 7 })
  const order = await remote.orders.create()
  await remote.orders.complete(order.id)
  const line = await remote.history.reproduction(2)
  const state = JSON.parse(line.slice(line.indexOf('.reproduce(') + '.reproduce('.length, -1))
  const reproduced = createMock({ seed: 7 }).reproduce(state)
  expect(reproduced.orders.get(order.id)).toEqual(order)
})

it('keeps the latest 1,000 points', async () => {
  const { team, remote } = await recorded()
  const first = await remote.users.create()
  for (let index = 0; index < 1100; index += 1) {
    team.users.update(first.user_id, { info: null })
    team.state.recorder?.addPoint({ kind: 'control', title: `update ${index}` })
  }
  const points = await remote.history.points()
  expect(points).toHaveLength(1000)
  expect(points.at(-1)).toMatchObject({ title: 'update 1099', number: 1102 })
  expect((await remote.history.snapshot(103)).records['users']).toEqual([
    [first.user_id, team.users.get(first.user_id)],
  ])
  await expect(remote.history.snapshot(102)).rejects.toThrow('The history has no point 102.')
})

it('records nothing before the start and after the stop', async () => {
  const { team, remote } = await recorded()
  await remote.history.stop()
  await remote.users.create()
  expect(await remote.history.points()).toEqual([])
  expect(team.state.recorder).toBeUndefined()
  await expect(remote.history.snapshot(1)).rejects.toThrow('is not being recorded. Start recording')
})
