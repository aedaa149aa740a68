import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, expectTypeOf, it, onTestFinished } from 'vitest'
import { createMock, type Team } from '../../../mock/index.ts'
import { connectMock } from '../../../mock/remote/connect.ts'
import type { RemoteTeam } from '../../../mock/remote/remote-team.ts'
import { type ServeOptions, serve } from '../../../mock/server/server.ts'
import { ServiceClient } from '../../../src/index.ts'
import { recipe, userId } from '../../support/bodies.ts'

/** Returns a team, and a remote handle of it. */
async function connected(options: ServeOptions = {}): Promise<{ team: Team; remote: RemoteTeam }> {
  const mock = createMock()
  const server = await serve(mock, { gracePeriod: 0, ...options })
  onTestFinished(() => server.close())
  const team = mock.defaultTeam
  return { team, remote: connectMock(`${server.url}/`, team.apiKey, options) }
}

it('has the members of a team, except overrides, which are functions', () => {
  expectTypeOf<keyof RemoteTeam>().toEqualTypeOf<
    | Exclude<
        keyof Team,
        | 'override'
        | 'changes'
        | 'intercept'
        | 'reproductionOf'
        | 'state'
        | 'isUsed'
        | 'isBusy'
        | 'runRequest'
        | 'ordinal'
      >
    // Only a mock server has them, for the inspector.
    | 'history'
    | 'search'
    | 'aggregate'
  >()
  for (const name of [
    'bookings',
    'bulkOps',
    'catalogue',
    'events',
    'faults',
    'journal',
    'webhooks',
  ] as const) {
    expectTypeOf<keyof RemoteTeam[typeof name]>().toEqualTypeOf<keyof Team[typeof name]>()
  }
})

it('connects a client', async () => {
  const { team, remote } = await connected()
  const client = new ServiceClient(remote.connection())
  const { id } = await remote.orders.create()
  await remote.bookings.next({ outcome: 'fail', after: '2s' })
  const booking_key = await remote.bookings.key({ expiresIn: '1h' })
  const call = client.orders.bookPhlebotomyAppointment(id, { booking_key })
  await expect(call).rejects.toThrow('500')
  expect(await remote.journal.lines()).toEqual(['orders.bookPhlebotomyAppointment 500'])
  expect(await remote.journal.last('orders.*')).toEqual(team.journal.last('orders.*'))
  expect(await remote.journal.count()).toBe(1)
  expect(await remote.journal.har()).toEqual(await team.journal.har())
  await remote.journal.clear()
  expect(await remote.journal.requests()).toEqual([])
})

it('reads and writes records', async () => {
  const { team, remote } = await connected()
  const user = await remote.users.create({ info: { first_name: 'Ada' } })
  const { user_id } = user
  expect(team.users.get(user_id)).toEqual(user)
  expect(await remote.users.get(user_id)).toEqual(user)
  expect(await remote.users.has('none')).toBe(false)
  expect(await remote.users.update(user_id, { info: null })).toMatchObject({ info: null })
  expect(await remote.users.list({ info: null })).toHaveLength(1)
  await remote.connections.create({ user_id, provider: 'oura' })
  expect(await remote.connections.get(user_id, 'oura')).toMatchObject({ provider: 'oura' })
  expect(await remote.connections.size()).toBe(1)
  expect(await remote.connections.delete(user_id, 'oura')).toBe(true)
  expect(await remote.connections.delete(user_id, 'oura')).toBe(false)
  const [lab] = await remote.catalogue.labs.list({
    slug: team.catalogue.labs.list()[1]?.slug ?? '',
  })
  expect(lab).toEqual(team.catalogue.labs.list()[1])
  expect(await remote.catalogue.labs.get(lab?.id ?? 0)).toEqual(lab)
})

it('encodes keys with slashes and spaces', async () => {
  const { remote } = await connected()
  await remote.users.create({ user_id: 'a/b c' })
  await remote.connections.create({ user_id: 'a/b c', provider: 'x?y=z' })
  expect(await remote.connections.get('a/b c', 'x?y=z')).toBeDefined()
  expect(await remote.connections.list({ user_id: 'a/b c' })).toHaveLength(1)
})

it('changes the status of orders and appointments', async () => {
  const { remote } = await connected()
  const { id, order_id } = await remote.appointments.create()
  const moved = await remote.appointments.transition(id, 'cancelled', { external_id: 'x' })
  expect(moved).toMatchObject({ status: 'cancelled', external_id: 'x' })
  await expect(remote.appointments.transition(id, 'pending')).rejects.toMatchObject({
    name: 'MockError',
    code: 'illegal_transition',
  })
  expect(await remote.orders.complete(order_id)).toMatchObject({ status: 'completed' })
})

it('advances the clock', async () => {
  const { team, remote } = await connected()
  await remote.clock.setMode('manual')
  expect(await remote.clock.mode()).toBe('manual')
  const { id } = team.orders.create()
  const call = new ServiceClient(remote.connection()).orders.bookPhlebotomyAppointment(id, {
    booking_key: 'bk_confirm_after_3s',
  })
  const booked = call.withResponse()
  await remote.clock.whenWaiting()
  expect(await remote.clock.pending()).toEqual(team.clock.pending())
  const next = await remote.clock.runToNext()
  expect(next).toMatchObject({ at: new Date('2025-06-01T09:00:03Z'), type: 'booking.outcome' })
  expect((await booked).data.status).toBe('confirmed')
  await remote.clock.advance('1d')
  await remote.clock.advanceTo(new Date('2025-06-05T00:00:00Z'))
  expect(await remote.clock.now()).toEqual(new Date('2025-06-05T00:00:00Z'))
  expect(await remote.clock.runToNext()).toBeUndefined()
  await expect(remote.clock.advanceTo('2025-06-01')).rejects.toMatchObject({ code: 'invalid_time' })
})

it('adds and removes faults, and fails for unused ones', async () => {
  const { remote } = await connected()
  const client = new ServiceClient({ ...remote.connection(), maxRetries: 0 })
  const lost = await remote.faults.add({ on: 'link.listProviders', then: 'lose_response' })
  await remote.faults.add({ on: 'users.*', then: { status: 503, retryAfter: '1s' } })
  await expect(client.link.listProviders()).rejects.toThrow()
  expect(await lost.useCount()).toBe(1)
  expect(await remote.faults.unused()).toMatchObject([{ on: 'users.*' }])
  await expect(remote.faults.assertAllUsed()).rejects.toMatchObject({
    code: 'unused_faults',
    stack: expect.stringContaining('remote.test.ts'),
  })
  expect((await remote.faults.list()).map(({ id }) => id)).toEqual([1, 2])
  await lost.remove()
  expect(await client.link.listProviders()).not.toHaveLength(0)
  await remote.faults.clear()
  await remote.faults.assertAllUsed()
})

it('reads and aborts bulk imports', async () => {
  const { team, remote } = await connected()
  await remote.configure({ importTimePerConnection: '1s' })
  expect((await remote.settings()).importTimePerConnection).toBe('1s')
  await remote.users.create({ user_id: userId })
  const client = new ServiceClient(remote.connection())
  await client.link.bulkImport({ provider: 'oura', connections: [recipe(userId)] })
  const [op] = await remote.bulkOps.list()
  expect(op).toEqual(team.bulkOps.list()[0])
  const id = op?.id ?? ''
  expect(await remote.bulkOps.abort(id)).toMatchObject({ status: 'aborted' })
  expect(await remote.bulkOps.get(id)).toMatchObject({ status: 'aborted' })
  expect(await remote.bulkOps.get('none')).toBeUndefined()
})

it('takes and restores a snapshot, and resets the team', async () => {
  const { team, remote } = await connected()
  await remote.users.create()
  const snapshot = await remote.snapshot()
  expect(snapshot).toEqual(team.snapshot())
  await remote.reset()
  expect(await remote.users.size()).toBe(0)
  await remote.restore(snapshot)
  expect(await remote.users.size()).toBe(1)
  expect(await remote.reproduction()).toBe(team.reproduction())
})

it('returns the rows that a consumer must have', async () => {
  const { team, remote } = await connected()
  const { user_id } = await remote.users.create({ connections: ['withings'], living: true })
  await remote.clock.advance('10d')
  const rows = await remote.truth(user_id)
  expect(rows.length).toBeGreaterThan(10)
  expect(rows).toEqual(team.truth(user_id))
  expect(await remote.truth(user_id, 'weight')).toEqual(team.truth(user_id, 'weight'))
  await expect(remote.truth('nobody')).rejects.toMatchObject({ code: 'unknown_record' })
  await expect(remote.truth(user_id, 'workout')).rejects.toMatchObject({
    code: 'invalid_option',
    message: 'Unknown resource "workout". Did you mean workouts?',
  })
})

it('signs a user in', async () => {
  const { remote } = await connected()
  const client = new ServiceClient(remote.connection())
  const { sign_in_token } = await client.users.createSignInToken(userId)
  expect(await remote.signIn(sign_in_token)).toMatchObject({ user_id: userId })
  await expect(remote.signIn('forged')).rejects.toMatchObject({ code: 'invalid_state' })
})

it('reads the times of events in the journal as dates', async () => {
  const { team, remote } = await connected()
  await remote.users.create({ user_id: userId })
  const client = new ServiceClient(remote.connection())
  await client.link.bulkImport({
    provider: 'oura',
    connections: [recipe(userId)],
  })
  await remote.clock.advance('1h')
  const [entry] = await remote.journal.requests('link.bulkImport')
  const events = team.journal.requests('link.bulkImport')[0]?.events ?? []
  expect(events.length).toBeGreaterThan(0)
  expect(entry?.events.map(({ at }) => at)).toEqual(events.map(({ at }) => at))
})

it('reads bytes of the journal as bytes', async () => {
  const { team, remote } = await connected()
  const { id } = team.orders.create()
  await (await new ServiceClient(remote.connection()).orders.downloadRequisition(id)).bytes()
  const body = (await remote.journal.last())?.response?.body
  expect(body).toBeInstanceOf(Uint8Array)
  expect(body).toEqual(team.journal.last()?.response?.body)
})

it('sends the token, and rejects with access_denied if it is wrong', async () => {
  const { remote } = await connected({ token: 'secret' })
  expect(await remote.users.list()).toEqual([])
  const { baseUrl, apiKey } = remote.connection()
  await expect(connectMock(baseUrl, apiKey).users.list()).rejects.toMatchObject({
    code: 'access_denied',
    message: expect.stringContaining('x-mock-token'),
  })
})

it('names the invalid field of an input', async () => {
  const { remote } = await connected()
  // @ts-expect-error: a connection needs a provider.
  await expect(remote.connections.create({ user_id: userId })).rejects.toMatchObject({
    code: 'invalid_option',
    message: 'body.provider: Field required',
  })
})

it('rejects with unreachable when no server responds', async () => {
  const server = await serve(createMock())
  await server.close()
  await expect(connectMock(server.url, 'key').users.list()).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('npx health-lab-sdk mock'),
  })
})

it('rejects with unreachable when another server responds', async () => {
  const other = createServer((_, response) => response.end('<h1>Welcome</h1>'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  await expect(connectMock(url, 'key').users.list()).rejects.toMatchObject({
    code: 'unreachable',
    message: `The server at ${url} is not a mock. Check the URL.`,
  })
})

const foreign: [string, (team: RemoteTeam) => Promise<unknown>][] = [
  ['trigger', (team) => team.trigger('daily.data.sleep.created')],
  ['settings', (team) => team.settings()],
  ['snapshot', (team) => team.snapshot()],
  ['reproduction', (team) => team.reproduction()],
  ['journal.har', (team) => team.journal.har()],
  ['journal.requests', (team) => team.journal.requests()],
  ['journal.lines', (team) => team.journal.lines()],
  ['events.list', (team) => team.events.list()],
  ['clock.now', (team) => team.clock.now()],
  ['clock.runToNext', (team) => team.clock.runToNext()],
  ['faults.list', (team) => team.faults.list()],
  ['webhooks.list', (team) => team.webhooks.list()],
  ['bulkOps.get', (team) => team.bulkOps.get('id')],
  ['users.list', (team) => team.users.list()],
]

it.each(foreign)('rejects an empty object as the response to %s', async (_, read) => {
  const other = createServer((_, response) => {
    response.writeHead(200, { 'x-request-id': 'req_0' }).end('{}')
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  await expect(read(connectMock(url, 'key'))).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringMatching(/does not match this version of the control API: expected body/),
  })
})

it('triggers events and delivers them', async () => {
  const { team, remote } = await connected()
  const handled: string[] = []
  const receiver = createServer((request, response) => {
    handled.push(String(request.headers['webhook-id']))
    response.statusCode = handled.length === 1 ? 500 : 200
    response.end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void receiver.close())
  const { port } = receiver.address() as AddressInfo
  const webhook = await remote.webhooks.add({
    url: `http://127.0.0.1:${port}/`,
    types: ['daily.*'],
  })
  await remote.users.create({ user_id: userId })
  const event = await remote.trigger('daily.data.sleep.created', { user_id: userId })
  await remote.trigger('labtest.order.created', { user_id: userId })
  await remote.webhooks.idle()
  expect(await webhook.pending()).toBe(1)
  await remote.clock.advance('5s')
  await remote.webhooks.idle()
  expect(handled).toEqual([event.id, event.id])
  expect(await webhook.deliveries()).toEqual(team.webhooks.get(webhook.id)?.deliveries())
  expect(await webhook.deadLetters()).toEqual([])
  await webhook.redeliver(event.id)
  await remote.webhooks.idle()
  expect(handled).toHaveLength(3)
  const found = await remote.events.list('daily.*')
  expect(found).toEqual([event])
  expect(found[0]?.at).toEqual(team.events.last('daily.*')?.at)
  expect(await remote.events.last()).toMatchObject({ event_type: 'labtest.order.created' })
  expect(await remote.events.count()).toBe(2)
  expect((await remote.webhooks.list()).map(({ id }) => id)).toEqual([webhook.id])
  expect(await remote.webhooks.get('none')).toBeUndefined()
  expect(await remote.webhooks.remove(webhook.id)).toBe(true)
  expect(await remote.webhooks.remove(webhook.id)).toBe(false)
  await remote.events.clear()
  expect(await remote.events.list()).toEqual([])
  await expect(webhook.deliveries()).rejects.toMatchObject({ code: 'unknown_record' })
  await expect(remote.webhooks.add({ url: 'https://elsewhere.test/' })).rejects.toMatchObject({
    code: 'invalid_option',
  })
})
