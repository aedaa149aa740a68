import { expect, it, onTestFinished, vi } from 'vitest'
import type { Team } from '../../mock/index.ts'
import { ServiceClient } from '../../src/index.ts'
import { prepare, requests } from './setup.ts'

it('sends an order again with the stored key', async () => {
  const { team, start, writes, order } = prepare()
  team.faults.add({ on: 'orders.create', when: { first: 1 }, then: 'lose_response' })
  const lost = writes.orders.create('one', order, { maxRetries: 0 })
  await expect(lost).rejects.toMatchObject({ outcome: 'unknown' })
  expect(await writes.unresolved()).toMatchObject([
    { id: 'one', operation: 'orders.create', state: 'interrupted', cause: { outcome: 'unknown' } },
  ])
  const { order: found } = await start().orders.create('one', order)
  expect(team.orders.list().map(({ id }) => id)).toEqual([found.id])
  expect(await writes.unresolved()).toEqual([])
})

it.each([
  ['', undefined],
  ['null', null],
])('returns the same for the body "%s" each time, without validation', async (body, result) => {
  const { start, order } = prepare()
  const fetch = async () => new Response(body)
  const create = () => start({}, { fetch, validation: 'off' }).orders.create('one', order)
  expect([await create(), await create()]).toEqual([result, result])
})

it('does not send an order again when the service may have forgotten its key', async () => {
  const { team, writes, order } = prepare()
  team.faults.add({ on: 'orders.create', when: { first: 1 }, then: 'lose_response' })
  await expect(writes.orders.create('one', order, { maxRetries: 0 })).rejects.toThrow()
  await team.clock.advance('23h')
  await team.clock.advance('1m')
  await expect(writes.orders.create('one', order)).rejects.toMatchObject({ code: 'unresolved' })
  expect(requests(team, 'orders.create')).toBe(1)
})

it('does not resend an order whose age is unknown because the clock was set back', async () => {
  const { team, start, writes, order } = prepare()
  const { clock } = team.connection()
  const ahead = { ...clock, now: () => clock.now() + 2 * 86_400_000 }
  team.faults.add({ on: 'orders.create', when: { first: 1 }, then: 'lose_response' })
  const first = start({}, { clock: ahead }).orders.create('one', order, { maxRetries: 0 })
  await expect(first).rejects.toThrow()
  await team.clock.advance('25h')
  await expect(writes.orders.create('one', order)).rejects.toMatchObject({ code: 'unresolved' })
  expect(team.orders.size).toBe(1)
})

it('sends no order if its process was suspended for a day after it stored the intent', async () => {
  const { team, store, start, writes, order } = prepare()
  const isStored = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  const begin: typeof store.begin = async (intent) => {
    const write = await store.begin(intent)
    isStored.resolve()
    await resumed.promise
    return write
  }
  const suspended = start({ store: { ...store, begin } }).orders.create('one', order)
  await isStored.promise
  await team.clock.advance('2m')
  const created = await writes.orders.create('one', order)
  await team.clock.advance('25h')
  resumed.resolve()
  expect(await suspended).toEqual(created)
  expect(team.orders.size).toBe(1)
})

it('sends no further attempt after its machine was suspended for a day', async () => {
  const { start, order } = prepare()
  // Only the date moves: timers and deadlines do not include the time of the suspension.
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  let sent = 0
  const fetch = async () => {
    sent += 1
    vi.setSystemTime(Date.now() + 86_400_000)
    throw new Error('socket hang up')
  }
  const { orders } = start({}, { clock: undefined, fetch })
  await expect(orders.create('one', order)).rejects.toMatchObject({ code: 'unresolved' })
  expect(sent).toBe(1)
})

it.each([
  () => {
    throw Object.assign(new TypeError('no vault'), { code: 'ECONNRESET' })
  },
  () => 'two\nlines',
])('reports a failed API key as the client does', async (apiKey) => {
  const { team, start, order } = prepare()
  const messageOf = (call: Promise<unknown>) => call.catch((error: Error) => error.message)
  const client = new ServiceClient({ ...team.connection(), apiKey })
  const { orders } = start({ key: 'k'.repeat(32) }, { apiKey })
  const message = await messageOf(client.orders.create(order))
  expect(message).toContain('apiKey')
  expect(await messageOf(orders.create('one', order))).toBe(message)
})

const long = { deadline: 2_000_000_000 }

it.each([
  [long, {}],
  [{}, long],
])(
  'ends a call before the service forgets its key, with %j for it and %j for the client',
  async (call, client) => {
    const { team, start, order } = prepare()
    const writes = start({}, client)
    team.faults.add({ on: 'orders.create', when: { nth: 1 }, then: 'lose_response' })
    team.faults.add({
      on: 'orders.create',
      when: { nth: 2 },
      then: { status: 503, retryAfter: '25h' },
    })
    const create = () => writes.orders.create('one', order, call)
    await expect(create()).rejects.toMatchObject({ outcome: 'unknown' })
    expect(requests(team, 'orders.create')).toBe(2)
    await create()
    expect(team.orders.size).toBe(1)
  },
)

it('uses a new key after a person found that an order had no effect', async () => {
  const { team, writes, order } = prepare()
  team.faults.add({ on: 'orders.create', when: { first: 1 }, then: { status: 500 } })
  const failing = () => writes.orders.create('one', order, { maxRetries: 0 })
  await expect(failing()).rejects.toMatchObject({ status: 500 })
  await writes.resolve('one', 'had-no-effect')
  const { order: created } = await failing()
  expect(team.orders.list().map(({ id }) => id)).toEqual([created.id])
  const sent = team.journal.requests('orders.create')
  const keys = sent.map(({ request }) => request.headers['x-idempotency-key'])
  expect(new Set(keys).size).toBe(2)
})

it.each<[string, (team: Team) => unknown, object?]>([
  ['is not sent', (team) => team.faults.add({ then: 'refuse_connection' })],
  ['is rejected', (team) => team.faults.add({ then: { status: 401 } })],
  ['has an invalid option', () => {}, { timeout: -1 }],
])('keeps a lost order open when the next call %s', async (_, prevent, options) => {
  const { team, writes, order } = prepare()
  team.faults.add({ on: 'orders.create', when: { first: 1 }, then: 'lose_response' })
  const create = (options = {}) => writes.orders.create('one', order, { maxRetries: 0, ...options })
  await expect(create()).rejects.toMatchObject({ outcome: 'unknown' })
  prevent(team)
  await expect(create(options)).rejects.toMatchObject({ code: 'pending', id: 'one' })
  team.faults.clear()
  await create()
  expect(team.orders.size).toBe(1)
})
