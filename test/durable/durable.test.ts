import { inspect } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { durable } from '../../src/durable/index.ts'
import { AbortError, type ClientClock, type OrderInput, ServiceError } from '../../src/index.ts'
import { insuranceBody } from '../support/bodies.ts'
import { failureOf } from '../support/failure.ts'
import { prepare, requests } from './setup.ts'

it('returns the same result for the same id, and sends once', async () => {
  const { team, start, order } = prepare()
  const first = await start().orders.create('basket-17', order)
  const fields = Object.fromEntries(Object.entries(order).toReversed()) as typeof order
  expect(await start().orders.create('basket-17', fields)).toEqual(first)
  expect(await start().orders.create('basket-18', order)).not.toEqual(first)
  expect(requests(team, 'orders.create')).toBe(2)
})

describe('a toJSON that others added to Object.prototype', () => {
  /** Adds it for the time of a test. Node's fetch is not called: the mock is. */
  function pollute() {
    Object.defineProperty(Object.prototype, 'toJSON', {
      configurable: true,
      value: () => {
        throw new Error('called')
      },
    })
    onTestFinished(() => void Reflect.deleteProperty(Object.prototype, 'toJSON'))
  }

  it('is not called by a request, for an input or for an outcome', async () => {
    const { team, start, user_id } = prepare()
    const connection = team.connection()
    const body = JSON.stringify({ ...insuranceBody(), company: { name: 'n', address: null } })
    const fetch = async () => new Response(body, { status: 200 })
    const options = { ...connection, fetch, validation: 'off' } as const
    const writes = start({}, options)
    await writes.insurance.create('warm', user_id, insuranceBody())
    pollute()
    const created = await writes.insurance.create('i', user_id, insuranceBody())
    expect(await writes.insurance.create('i', user_id, insuranceBody())).toEqual(created)
    const other = writes.insurance.create('i', user_id, insuranceBody({ member_id: 'other' }))
    const failure = await other.catch(({ code }) => code)
    Reflect.deleteProperty(Object.prototype, 'toJSON')
    expect(failure).toBe('input_differs')
  })
})

it('refuses another input or operation under the same id', async () => {
  const { team, writes, order, user_id } = prepare()
  const differs = expect.objectContaining({ code: 'input_differs', id: 'one' })
  await writes.orders.create('one', order)
  const other = { ...order, patient_address: { ...order.patient_address, city: 'Tucson' } }
  await expect(writes.orders.create('one', other)).rejects.toThrow(differs)
  await expect(writes.insurance.create('one', user_id, insuranceBody())).rejects.toThrow(differs)
  expect(team.journal.count).toBe(1)
})

describe('the key of inputs', () => {
  const other = (order: OrderInput) => ({ ...order, notes: 'other' }) as OrderInput
  const differs = expect.objectContaining({ code: 'input_differs' })

  it('is the API key of the client, which is not stored', async () => {
    const { team, store, writes, start, order } = prepare()
    const { apiKey } = team
    await writes.orders.create('one', order)
    const stored = await store.read('one')
    expect(stored?.input).toMatch(/^[0-9a-f]{8}:[0-9a-f]{64}$/)
    expect(JSON.stringify(stored)).not.toContain(apiKey)
    await expect(start().orders.create('one', other(order))).rejects.toThrow(differs)
    const withFunction = start({}, { apiKey: async () => apiKey })
    await expect(withFunction.orders.create('one', other(order))).rejects.toThrow(differs)
    const withKey = start({ key: apiKey })
    await expect(withKey.orders.create('one', other(order))).rejects.toThrow(differs)
  })

  it('may change: then inputs are not compared, but operations are', async () => {
    const { team, writes, start, order, user_id } = prepare()
    const first = await writes.orders.create('one', order)
    const keyed = start({ key: 'a secret of the team' })
    expect(await keyed.orders.create('one', order)).toEqual(first)
    expect(await keyed.orders.create('one', other(order))).toEqual(first)
    await expect(keyed.insurance.create('one', user_id, insuranceBody())).rejects.toThrow(differs)
    expect(team.journal.count).toBe(1)
  })

  it('may change while a write is open, which is continued', async () => {
    const { team, writes, start, order } = prepare()
    team.faults.add({ on: 'orders.create', when: { first: 1 }, then: 'lose_response' })
    const lost = writes.orders.create('one', order, { maxRetries: 0 })
    await expect(lost).rejects.toMatchObject({ outcome: 'unknown' })
    const keyed = start({ key: 'a secret of the team' })
    const { order: found } = await keyed.orders.create('one', order)
    expect(team.orders.list().map(({ id }) => id)).toEqual([found.id])
    expect(await keyed.unresolved()).toEqual([])
    await expect(writes.orders.create('one', other(order))).rejects.toThrow(differs)
  })

  it('is compared when processes with different API keys share a key of their own', async () => {
    const { start, order } = prepare()
    const key = 'a secret of the team'
    const first = await start({ key }).orders.create('one', order)
    const rotated = start({ key }, { apiKey: 'the-next-key' })
    expect(await rotated.orders.create('one', order)).toEqual(first)
    await expect(rotated.orders.create('one', other(order))).rejects.toThrow(differs)
  })

  it('sends nothing when the function for the API key fails, and does not print its error', async () => {
    const { team, store, start, order } = prepare()
    const apiKey = () => Promise.reject(new Error('vault is closed'))
    const writes = start({}, { apiKey })
    const error = await writes.orders.create('one', order).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'not_sent' })
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('vault')
    expect(error).toHaveProperty('cause.originalCause.message', 'vault is closed')
    expect(await store.read('one')).toBeUndefined()
    expect(team.journal.count).toBe(0)
  })
})

it('lets an id be used again, also with another input, when nothing happened', async () => {
  const { team, writes, order } = prepare()
  const invalid = { ...order, order_set: { lab_test_ids: [crypto.randomUUID()] } }
  await expect(writes.orders.create('one', invalid)).rejects.toMatchObject({ outcome: 'rejected' })
  await expect(writes.orders.create('one', 1 as never)).rejects.toMatchObject({
    outcome: 'not-sent',
  })
  expect(await writes.unresolved()).toEqual([])
  await writes.orders.create('one', order)
  expect(team.orders.size).toBe(1)
})

it('reports invalid arguments as such, also those that cannot be read', async () => {
  const { writes, order, user_id, team } = prepare()
  const hostile = new Proxy(
    {},
    {
      ownKeys() {
        throw new Error('unreadable')
      },
    },
  )
  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = cyclic
  const values: unknown[] = [null, 5n, hostile, cyclic, { signal: {} }, { signal: 5 }]
  for (const value of values as never[]) {
    const { orders, insurance, link } = writes
    const calls = [
      () => orders.create('one', value),
      () => orders.create('one', order, value),
      () => orders.bookAndWait('one', value, { booking_key: 'key' }),
      () => orders.bookAndWait('one', user_id, { booking_key: 'key' }, value),
      () => insurance.create('one', value, insuranceBody()),
      () => insurance.create('one', user_id, insuranceBody(), value),
      () => link.bulkImportAll('one', value, []),
      () => link.bulkImportAll('one', 'oura', [], value),
    ]
    for (const call of calls) {
      const error = await failureOf(call(), ServiceError)
      expect(error.outcome).toMatch(/^(not-sent|rejected)$/)
    }
    const invalid = { code: 'argument_invalid' }
    await expect(writes.unresolved(value)).rejects.toMatchObject(invalid)
  }
  expect(await writes.unresolved()).toEqual([])
  expect(team.orders.size + team.insurances.size).toBe(0)
})

it('rejects with an AbortError when the signal aborts, whatever the reason', async () => {
  const { start, order, team } = prepare()
  const early = start().orders.create('one', order, { signal: AbortSignal.abort(Number.NaN) })
  expect(await failureOf(early, AbortError)).toMatchObject({ outcome: 'unknown', reason: NaN })
  team.faults.add({ on: 'orders.create', then: { latency: '1h' } })
  const clock = { ...team.connection().clock, sleep: () => new Promise<void>(() => {}) }
  start()
    .orders.create('one', order)
    .catch(() => {})
  const controller = new AbortController()
  const options = { signal: controller.signal }
  const waiting = start({}, { clock: clock as ClientClock }).orders.create('one', order, options)
  setTimeout(() => controller.abort(Number.NaN))
  expect(await failureOf(waiting, AbortError)).toMatchObject({ outcome: 'unknown' })
})

it('refuses invalid options, ids and decisions', async () => {
  const { start, writes, order, store, team } = prepare()
  const invalid = expect.objectContaining({ code: 'argument_invalid' })
  expect(() => start({ store: {} as never })).toThrow(invalid)
  expect(() => start({ key: 'short' })).toThrow(invalid)
  expect(() => start({ holdFor: 10 })).toThrow(invalid)
  expect(() => durable({} as never, { store })).toThrow(invalid)
  for (const id of ['', 'x'.repeat(256), 'a\0b', '\ud800', 7 as never]) {
    await expect(writes.orders.create(id, order)).rejects.toThrow(invalid)
  }
  for (const limit of [0, -1, 1.5, Number.NaN]) {
    await expect(writes.unresolved(limit)).rejects.toThrow(invalid)
  }
  await expect(writes.resolve('one', 'had-no-effect')).rejects.toMatchObject({ code: 'not_open' })
  await writes.orders.create('one', order)
  await expect(writes.resolve('one', 'had-no-effect')).rejects.toMatchObject({ code: 'not_open' })
  team.faults.add({ on: 'orders.create', then: { status: 500 } })
  await writes.orders.create('two', order).catch(() => {})
  await expect(writes.resolve('two', { member_id: '1' } as never)).rejects.toThrow(invalid)
})
