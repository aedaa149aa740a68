import { expect, it } from 'vitest'
import { createMock, type Team } from '../../../mock/index.ts'
import { orderBody } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

const header = 'x-idempotency-key'

function order(team: Team, key?: string, changes: object = {}) {
  const [test] = team.catalogue.labTests.list()
  const body = { ...orderBody(test?.id ?? ''), ...changes }
  return call(team, 'POST /v3/order', body, key === undefined ? {} : { [header]: key })
}

it('returns the first response to a request with the same key, without another order', async () => {
  const team = createMock().team()
  const first = await order(team, 'a')
  const second = await order(team, 'a', { collection_method: 'testkit' })
  expect([second.status, second.body]).toEqual([200, first.body])
  expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  expect(team.orders.size).toBe(1)
  expect(team.events.list('labtest.order.created')).toHaveLength(1)
  await order(team, 'b')
  await order(team)
  await order(team)
  expect(team.orders.size).toBe(4)
})

it('keeps the keys of teams apart', async () => {
  const mock = createMock()
  const [one, other] = [mock.team(), mock.team()]
  await order(one, 'a')
  await order(other, 'a')
  expect([one.orders.size, other.orders.size]).toEqual([1, 1])
})

it('forgets a key after 24 hours of virtual time', async () => {
  const team = createMock().team({ clock: 'manual' })
  await order(team, 'a')
  await team.clock.advance(24 * 3_600_000 - 1)
  await order(team, 'a')
  expect(team.orders.size).toBe(1)
  await team.clock.advance(1)
  await order(team, 'a')
  expect(team.orders.size).toBe(2)
})

it('stores failures too', async () => {
  const team = createMock().team()
  const unknown = { order_set: { lab_test_ids: ['00000000-0000-4000-8000-000000000000'] } }
  const first = await order(team, 'a', unknown)
  expect(first.status).toBe(404)
  const corrected = await order(team, 'a')
  expect([corrected.status, corrected.body]).toEqual([404, first.body])
  expect((await order(team, 'b')).status).toBe(200)
})

it('does not store validation errors', async () => {
  const team = createMock().team()
  expect((await order(team, 'a', { user_id: 'none' })).status).toBe(422)
  expect((await order(team, 'a')).status).toBe(200)
})

it('does not store a response that a fault sent in place of the service', async () => {
  const team = createMock().team()
  team.faults.add({ on: 'orders.create', when: { first: 1 }, then: { status: 503 } })
  expect((await order(team, 'a')).status).toBe(503)
  expect((await order(team, 'a')).status).toBe(200)
  expect(team.orders.size).toBe(1)
})

it('stores a response that is lost', async () => {
  const team = createMock().team()
  team.faults.add({ on: 'orders.create', when: { first: 1 }, then: 'lose_response' })
  await expect(order(team, 'a')).rejects.toThrow('fetch failed')
  expect((await order(team, 'a')).body.order.id).toBe(team.orders.list()[0]?.id)
  expect(team.orders.size).toBe(1)
})

it('responds with 409 while the first request is in progress, and stores no 409', async () => {
  const team = createMock().team({ clock: 'manual' })
  team.faults.add({ on: 'orders.create', when: { first: 1 }, then: { latency: '5s' } })
  const first = order(team, 'a')
  await team.clock.whenWaiting()
  const second = await order(team, 'a')
  expect([second.status, second.body.detail]).toEqual([
    409,
    'A request with this idempotency key is in progress',
  ])
  await team.clock.advance('5s')
  const created = await first
  expect((await order(team, 'a')).body).toEqual(created.body)
  expect(team.orders.size).toBe(1)
})

it('delays the stored response, and the 409, by the latency of a fault', async () => {
  const team = createMock().team()
  await order(team, 'a')
  team.faults.add({ on: 'orders.create', then: { latency: '5s' } })
  const start = team.clock.now().getTime()
  expect((await order(team, 'a')).status).toBe(200)
  expect(team.clock.now().getTime() - start).toBe(5000)
  const both = await Promise.all([order(team, 'b'), order(team, 'b')])
  expect(both.map(({ status }) => status)).toEqual([200, 409])
  expect(team.clock.now().getTime() - start).toBe(10_000)
})

it('releases the key of a request that its caller aborts before the service creates the order', async () => {
  const team = createMock().team({ clock: 'manual' })
  team.faults.add({ on: 'orders.create', when: { first: 1 }, then: { latency: '5s' } })
  const { apiKey, baseUrl, fetch } = team.connection()
  const [test] = team.catalogue.labTests.list()
  const leaving = new AbortController()
  const left = fetch(`${baseUrl}/v3/order`, {
    method: 'POST',
    headers: { 'x-service-api-key': apiKey, 'content-type': 'application/json', [header]: 'a' },
    body: JSON.stringify(orderBody(test?.id ?? '')),
    signal: leaving.signal,
  })
  await team.clock.whenWaiting()
  leaving.abort()
  await expect(left).rejects.toThrow('aborted')
  expect((await order(team, 'a')).status).toBe(200)
  await team.clock.advance('5s')
  expect(team.orders.size).toBe(1)
})

it('ignores keys with idempotencyKeys false, and at other endpoints', async () => {
  const team = createMock().team({ idempotencyKeys: false })
  await order(team, 'a')
  await order(team, 'a')
  expect(team.orders.size).toBe(2)
  const user = team.users.create()
  const route = `POST /v2/user/${user.user_id}/sign_in_token`
  const one = await call(createMock().team(), route, undefined, { [header]: 'a' })
  expect(one.status).toBe(200)
})

it('keeps keys in a snapshot, and forgets them at a reset', async () => {
  const team = createMock().team()
  const first = await order(team, 'a')
  const snapshot = JSON.parse(JSON.stringify(team.snapshot()))
  team.reset()
  await order(team, 'a')
  expect(team.orders.list()[0]?.id).toBeDefined()
  team.restore(snapshot)
  expect((await order(team, 'a')).body).toEqual(first.body)
  expect(team.orders.size).toBe(1)
})

it.each(['', ' after a restore'])('cannot be changed through the journal%s', async (when) => {
  const team = createMock().team()
  const first = await order(team, 'a')
  if (when) team.restore(team.snapshot())
  if (when) await order(team, 'a')
  const body = Object(team.journal.last('orders.create')?.response?.body)
  expect(() => {
    body.order.status = 'changed'
  }).toThrow(TypeError)
  expect((await order(team, 'a')).body).toEqual(first.body)
})
