import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createMock, type Snapshot, type Team, type WebhookInput } from '../../../mock/index.ts'
import {
  eventHandler,
  nodeEventHandler,
  type ServiceEvent,
  verifyEvent,
} from '../../../src/events/index.ts'
import { call } from '../../support/call.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

function teamOf(): Team {
  return createMock({ seed: 9 }).team({ clock: 'manual' })
}

const respond = (status: number) => new Response(null, { status })

/** A receiver that responds with these statuses in turn, then always with the last one. */
function scripted(...statuses: number[]) {
  const requests: Request[] = []
  const handler = (request: Request) => {
    requests.push(request)
    return respond(statuses[Math.min(requests.length, statuses.length) - 1] ?? 200)
  }
  return { requests, handler }
}

/** A receiver that verifies events, with the numbers of the handled ones. */
function careful() {
  const handled: unknown[] = []
  const fallback = (event: ServiceEvent) => handled.push(event['nth'])
  return { handled, handler: eventHandler({ secrets: secret, on: {}, fallback }) }
}

function send(team: Team, count: number): void {
  for (let nth = 1; nth <= count; nth += 1) team.trigger('test.event', { nth }, { unknown: true })
}

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

it('retries failed deliveries by the schedule in virtual time, then stops', async () => {
  const team = teamOf()
  const start = team.clock.now().getTime()
  const hook = team.webhooks.add({ handler: scripted(500, 404, 302).handler, id: 'broken' })
  send(team, 1)
  await team.clock.advance('100h')
  const seconds = hook.deliveries().map(({ at }) => (at.getTime() - start) / 1000)
  const waits = seconds.map((at, nth) => at - (seconds[nth - 1] ?? 0))
  expect(waits).toEqual([0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000])
  expect(hook.deliveries().map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(hook.deliveries().map(({ status }) => status)).toEqual([500, 404, ...Array(6).fill(302)])
  expect(hook.deadLetters()).toMatchObject([{ number: 1, body: { nth: 1 } }])
  expect(hook.pending).toBe(0)
})

it('retries an event that the outbox no longer lists', async () => {
  const team = createMock().team({ clock: 'manual', outboxLimit: 1 })
  const { requests, handler } = scripted(500, 200)
  team.webhooks.add({ handler })
  send(team, 1)
  await team.webhooks.idle()
  send(team, 3)
  await team.clock.advance('5s')
  const bodies = await Promise.all(requests.map((request) => request.json()))
  expect(bodies.map(({ nth }) => nth)).toEqual([1, 1, 2, 3, 1])
})

it('keeps the id of a message in all attempts, and signs each attempt', async () => {
  const team = teamOf()
  const { requests, handler } = scripted(500, 500, 200)
  team.webhooks.add({ handler, secret })
  send(team, 1)
  await team.clock.advance('1h')
  expect(new Set(requests.map(({ headers }) => headers.get('webhook-id'))).size).toBe(1)
  expect(requests).toHaveLength(3)
  for (const request of requests) await verifyEvent(await request.text(), request.headers, secret)
})

it('delivers a dead letter again, though its event is no longer kept', async () => {
  const team = createMock().team({ clock: 'manual', outboxLimit: 1 })
  const statuses = [...Array(8).fill(500), 200]
  const { requests, handler } = scripted(...statuses)
  const hook = team.webhooks.add({ handler })
  send(team, 1)
  await team.clock.advance('100h')
  const [letter] = hook.deadLetters()
  send(team, 2)
  await team.webhooks.idle()
  hook.redeliver()
  await team.webhooks.idle()
  expect(hook.deadLetters()).toEqual([])
  const last = requests.at(-1)
  expect(last?.headers.get('webhook-id')).toBe(letter?.id)
  expect(await last?.json()).toEqual({ event_type: 'test.event', nth: 1 })
})

it('delivers any message again by its id', async () => {
  const team = teamOf()
  const { requests, handler } = scripted(200)
  const hook = team.webhooks.add({ handler })
  send(team, 2)
  await team.webhooks.idle()
  hook.redeliver(team.events.list()[0]?.id)
  await team.webhooks.idle()
  const bodies = await Promise.all(requests.map((request) => request.json()))
  expect(bodies.map(({ nth }) => nth)).toEqual([1, 2, 1])
  expect(() => hook.redeliver('msg_0')).toThrow(expect.objectContaining({ code: 'unknown_record' }))
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

/** Starts a server on this machine. Returns its URL. */
async function served(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`
}

it('delivers to a server on this machine', async () => {
  const team = teamOf()
  const handled: unknown[] = []
  const fallback = (event: ServiceEvent) => handled.push(event.event_type)
  const url = await served(nodeEventHandler({ secrets: secret, on: {}, fallback }))
  const hook = team.webhooks.add({ url, secret })
  team.trigger('daily.data.sleep.created')
  await team.webhooks.idle()
  expect(handled).toEqual(['daily.data.sleep.created'])
  expect(hook.deliveries()).toMatchObject([{ outcome: 'delivered', status: 200 }])
})

it('follows no redirect', async () => {
  const team = teamOf()
  const asked: unknown[] = []
  const url = await served((request, response) => {
    asked.push(request.url)
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  const hook = team.webhooks.add({ url })
  send(team, 1)
  await team.webhooks.idle()
  expect(asked).toEqual(['/events'])
  expect(hook.deliveries()).toMatchObject([{ outcome: 'failed' }])
})

it('reports a delivery without a response', async () => {
  const team = teamOf()
  const url = await served((request) => request.socket.destroy())
  const silent = team.webhooks.add({ url })
  const throwing = team.webhooks.add({
    handler: () => {
      throw new Error('broken')
    },
  })
  send(team, 1)
  await team.webhooks.idle()
  expect(silent.deliveries()).toMatchObject([{ error: 'no_response', status: undefined }])
  expect(throwing.deliveries()).toMatchObject([{ error: 'threw' }])
})

it.each<[string, WebhookInput]>([
  ['nothing to deliver to', {}],
  ['a url and a handler', { url: 'http://localhost:1', handler: () => respond(200) }],
  ['no url', { url: 'localhost' }],
  ['another protocol', { url: 'ftp://localhost/' }],
  ['a password in its url', { url: 'http://someone:hunter2@localhost/' }],
  ['another machine', { url: 'https://receiver.example/events' }],
  ['another machine that looks like this one', { url: 'https://127.0.0.1.receiver.example/' }],
  ['a blank secret', { handler: () => respond(200), secret: '' }],
  ['a secret that is none', { handler: () => respond(200), secret: 'whsec_%' }],
  ['too large a share', { handler: () => respond(200), duplicates: 1.1 }],
  ['a share that is none', { handler: () => respond(200), lostResponses: Number.NaN }],
  ['no concurrency', { handler: () => respond(200), concurrency: 0 }],
  ['half an order', { handler: () => respond(200), reorder: 1.5 }],
])('rejects a webhook with %s', (_, input) => {
  const team = teamOf()
  expect(() => team.webhooks.add(input)).toThrow(
    expect.objectContaining({ code: 'invalid_option' }),
  )
  expect(team.webhooks.list()).toEqual([])
})

it('delivers to another machine if it is allowed, or with a given fetch', async () => {
  const team = teamOf()
  const url = 'https://receiver.example/events'
  const urls: string[] = []
  const fetch = (request: Request) => {
    urls.push(request.url)
    return respond(200)
  }
  team.webhooks.add({ url, fetch })
  expect(team.webhooks.add({ url, allowRemote: true }).url).toBe(url)
  team.webhooks.remove('webhook_2')
  send(team, 1)
  await team.webhooks.idle()
  expect(urls).toEqual([url])
})

it('rejects a second webhook with the same id', () => {
  const team = teamOf()
  team.webhooks.add({ id: 'one', handler: scripted(200).handler })
  expect(() => team.webhooks.add({ id: 'one', handler: scripted(200).handler })).toThrow(/'one'/)
  expect(team.webhooks.get('one')?.secret).toMatch(/^whsec_/)
})

it('continues the deliveries of a snapshot', async () => {
  const team = teamOf()
  const { requests, handler } = scripted(500, 500, 200)
  team.webhooks.add({ id: 'one', handler, secret, types: ['*'] })
  send(team, 2)
  await team.clock.advance('1s')
  const snapshot = JSON.parse(JSON.stringify(team.snapshot())) as Snapshot
  await team.clock.advance('1h')
  expect(requests).toHaveLength(4)
  team.restore(snapshot)
  await team.clock.advance('1h')
  expect(requests).toHaveLength(6)

  const other = createMock().team()
  other.restore(snapshot)
  await other.clock.advance('1h')
  const waiting = other.webhooks.get('one')
  expect(waiting).toMatchObject({ pending: 2, secret, types: ['*'] })
  const { handled, handler: late } = careful()
  other.webhooks.add({ id: 'one', handler: late })
  await other.webhooks.idle()
  expect(handled).toEqual([1, 2])
})

it('retries an attempt that was in progress at the time of the snapshot', async () => {
  const team = teamOf()
  const other = createMock().team({ clock: 'manual' })
  const { handled, handler } = careful()
  team.webhooks.add({
    id: 'one',
    secret,
    handler: () => {
      other.restore(team.snapshot())
      return respond(200)
    },
  })
  send(team, 1)
  await team.webhooks.idle()
  other.webhooks.add({ id: 'one', handler })
  await other.webhooks.idle()
  expect(handled).toEqual([1])
})

it('ignores the response to an attempt from before a restore', async () => {
  const team = teamOf()
  const [started, restored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let asked = 0
  team.webhooks.add({
    id: 'one',
    handler: async () => {
      asked += 1
      if (asked > 1) return respond(200)
      started.resolve()
      await restored.promise
      return respond(500)
    },
  })
  send(team, 1)
  await started.promise
  team.restore(team.snapshot())
  restored.resolve()
  await team.clock.advance('1h')
  expect(asked).toBe(2)
  expect(team.webhooks.get('one')?.deliveries()).toMatchObject([{ attempt: 1, status: 200 }])
})

it('does not let a snapshot allow deliveries to another machine', async () => {
  const team = teamOf()
  team.webhooks.add({ id: 'far', url: 'https://receiver.example/', fetch: scripted(200).handler })
  const other = teamOf()
  other.restore(team.snapshot())
  send(other, 1)
  await other.webhooks.idle()
  expect(other.webhooks.get('far')).toMatchObject({ pending: 1 })
  expect(other.webhooks.get('far')?.deliveries()).toEqual([])
})

it('removes webhooks and events when a team is reset', async () => {
  const team = teamOf()
  const { requests, handler } = scripted(500)
  team.webhooks.add({ handler })
  send(team, 1)
  await team.clock.advance('1s')
  team.reset()
  await team.clock.advance('1h')
  expect(requests).toHaveLength(1)
  expect(team.webhooks.list()).toEqual([])
  expect(team.events.count).toBe(0)
})
