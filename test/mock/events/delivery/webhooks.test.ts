import { expect, it } from 'vitest'
import { createMock } from '../../../../mock/index.ts'
import { eventHandler, verifyEvent } from '../../../../src/events/index.ts'
import { call } from '../../../support/call.ts'
import { careful, respond, scripted, secret, send, teamOf } from './webhook-team.ts'

it('delivers every event at once, in order, under both names of the headers', async () => {
  const team = teamOf()
  const { requests, handler } = scripted(200)
  team.webhooks.add({ handler, secret })
  send(team, 3)
  await team.webhooks.idle()
  const bodies = await Promise.all(requests.map((request) => request.clone().text()))
  expect(bodies.map((body) => JSON.parse(body).nth)).toEqual([1, 2, 3])
  for (const [at, { method, headers }] of requests.entries()) {
    const plain = [...headers].filter(([name]) => !name.startsWith('webhook-'))
    const { id, timestamp } = await verifyEvent(String(bodies[at]), headers, secret)
    const bySvix = await verifyEvent(String(bodies[at]), new Headers(plain), secret)
    expect(bySvix).toEqual({ id, timestamp })
    expect(id).toBe(team.events.list()[at]?.id)
    expect(method).toBe('POST')
    expect(headers.get('content-type')).toBe('application/json')
  }
})

it('delivers the events of a call of the client to a handler', async () => {
  const team = createMock().team()
  const seen: string[] = []
  const { secret } = team.webhooks.add({
    handler: (request) => receive(request),
    types: ['provider.*', 'historical.data.*.created'],
  })
  const receive = eventHandler({
    secrets: secret,
    on: { 'provider.connection.created': ({ data }) => seen.push(`${data.provider?.slug} is new`) },
    fallback: ({ event_type }) => seen.push(event_type),
  })
  const { user_id } = team.users.create()
  team.connections.create({ user_id, provider: 'my_fitness_pal_v2' })
  await team.webhooks.idle()
  expect(seen).toEqual([
    'my_fitness_pal_v2 is new',
    'historical.data.profile.created',
    'historical.data.body.created',
    'historical.data.meal.created',
    'historical.data.weight.created',
    'historical.data.carbohydrates.created',
    'historical.data.caffeine.created',
    'historical.data.water.created',
  ])
})

it('delivers the events between adding and removing a webhook', async () => {
  const team = teamOf()
  send(team, 1)
  const { requests, handler } = scripted(500)
  const { id } = team.webhooks.add({ handler })
  send(team, 1)
  await team.webhooks.idle()
  expect(team.webhooks.remove(id)).toBe(true)
  expect(team.clock.pending()).toEqual([])
  send(team, 1)
  await team.clock.advance('100h')
  expect(requests).toHaveLength(1)
  expect(team.webhooks.list()).toEqual([])
})

it('keeps the types of a webhook when the list that the test passed changes', async () => {
  const team = teamOf()
  const { requests, handler } = scripted(200)
  const types = ['labtest.order.*']
  const webhook = team.webhooks.add({ handler, types })
  types[0] = 'test.*'
  expect(webhook.types).toEqual(['labtest.order.*'])
  team.restore(team.snapshot())
  send(team, 1)
  team.orders.create()
  await team.webhooks.idle()
  expect(requests).toHaveLength(1)
})

it('moves time only after a slow receiver has responded', async () => {
  const team = teamOf()
  const moments: number[] = []
  const handler = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    moments.push(team.clock.now().getTime())
    return respond(500)
  }
  team.webhooks.add({ handler })
  const start = team.clock.now().getTime()
  send(team, 1)
  await team.clock.advance('6s')
  expect(moments.map((moment) => moment - start)).toEqual([0, 5000])
})

it.each(['auto', 'manual'] as const)(
  'lets time pass for a receiver that makes a call which waits for it (%s)',
  async (clock) => {
    const team = createMock().team({ clock })
    const { id } = team.orders.create()
    const statuses: number[] = []
    const handler = async () => {
      const route = `POST /v3/order/${id}/phlebotomy/appointment/book`
      const { status } = await call(team, route, { booking_key: 'bk_confirm_after_3s' })
      statuses.push(status)
      return respond(200)
    }
    team.webhooks.add({ handler, types: ['provider.*'] })
    team.trigger('provider.device.created')
    await team.clock.advance('10s')
    await team.webhooks.idle()
    expect(statuses).toEqual([200])
  },
)

it('delivers later events during a jump of time, even while a request waits', async () => {
  const team = createMock().team()
  const { requests, handler } = scripted(503, 200)
  team.webhooks.add({ handler, types: ['provider.*'] })
  team.trigger('provider.device.created')
  const { id } = team.orders.create()
  const route = `POST /v3/order/${id}/phlebotomy/appointment/book`
  await call(team, route, { booking_key: 'bk_confirm_after_30s' })
  expect(requests).toHaveLength(2)
})

it('handles a duplicated message once', async () => {
  const team = teamOf()
  const { handled, handler } = careful()
  const hook = team.webhooks.add({ secret, handler, duplicates: 1, concurrency: 2 })
  send(team, 20)
  await team.webhooks.idle()
  expect(hook.deliveries()).toHaveLength(40)
  expect(hook.deliveries().every(({ outcome }) => outcome === 'delivered')).toBe(true)
  expect(handled).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
})

it('retries a duplicate message as often as any other', async () => {
  const team = teamOf()
  const hook = team.webhooks.add({ handler: scripted(500).handler, duplicates: 1 })
  send(team, 1)
  await team.clock.advance('100h')
  expect(hook.deliveries().filter(({ isDuplicate }) => isDuplicate)).toHaveLength(1)
  expect(hook.deliveries()).toHaveLength(9)
  expect(hook.deadLetters()).toHaveLength(1)
})

it('reorders messages within the given number', async () => {
  const team = teamOf()
  const { handled, handler } = careful()
  team.webhooks.add({ secret, handler, reorder: 10 })
  send(team, 50)
  await team.webhooks.idle()
  expect(handled).not.toEqual(handled.toSorted((one, other) => Number(one) - Number(other)))
  expect(handled).toHaveLength(50)
  for (const [at, nth] of handled.entries()) {
    expect(Math.floor(at / 10)).toBe(Math.floor((Number(nth) - 1) / 10))
  }
})

it('delivers after the given delay', async () => {
  const team = teamOf()
  const { handled, handler } = careful()
  team.webhooks.add({ secret, handler, delay: '1m' })
  send(team, 1)
  await team.clock.advance('30s')
  team.trigger('test.event', { nth: 2 }, { unknown: true })
  await team.clock.advance('29s')
  expect(handled).toEqual([])
  await team.clock.advance('1s')
  expect(handled).toEqual([1])
  await team.clock.advance('30s')
  expect(handled).toEqual([1, 2])
})

it.each([
  { mode: { wrongSignatures: 1 }, status: 401, error: undefined },
  { mode: { oldTimestamps: 1 }, status: 401, error: undefined },
  { mode: { lostResponses: 1 }, status: undefined, error: 'timeout' },
] as const)('fails every attempt with $mode', async ({ mode, status, error }) => {
  const team = teamOf()
  const { handled, handler } = careful()
  const hook = team.webhooks.add({ secret, handler, ...mode })
  send(team, 1)
  await team.clock.advance('100h')
  expect(hook.deliveries()).toHaveLength(8)
  expect(hook.deliveries().at(-1)).toMatchObject({ outcome: 'failed', status, error })
  expect(hook.deadLetters()).toHaveLength(1)
  // The receiver handled the message before its response was lost.
  expect(handled).toEqual(error ? [1] : [])
})

it('rejects a second webhook with the same id', () => {
  const team = teamOf()
  team.webhooks.add({ id: 'one', handler: scripted(200).handler })
  expect(() => team.webhooks.add({ id: 'one', handler: scripted(200).handler })).toThrow(/'one'/)
  expect(team.webhooks.get('one')?.secret).toMatch(/^whsec_/)
})
