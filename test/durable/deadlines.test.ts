import { describe, expect, it } from 'vitest'
import type { Team } from '../../mock/index.ts'
import { AbortError, AuthenticationError } from '../../src/index.ts'
import { insuranceBody } from '../support/bodies.ts'
import { prepare, requests } from './setup.ts'

const booking = { booking_key: 'bk_confirm_after_10m', async_confirmation: true }

/** Returns what a call rejects with, and the virtual time that it took in milliseconds. */
async function endOf(team: Team, call: () => Promise<unknown>) {
  const before = Number(team.clock.now())
  const error = await call().then(
    (result) => expect.unreachable(JSON.stringify(result)),
    (error) => error,
  )
  return { error, elapsed: Number(team.clock.now()) - before }
}

describe('the deadline of a durable call', () => {
  it('includes the check for an earlier appointment', async () => {
    const { team, writes } = prepare()
    const { id } = team.orders.create()
    const slow = { on: 'orders.getPhlebotomyAppointment', then: { latency: '20s' } } as const
    team.faults.add({ ...slow, when: { first: 1 } })
    const book = () => writes.orders.bookAndWait('visit', id, booking, { deadline: 2000 })
    expect(await endOf(team, book)).toMatchObject({ error: { code: 'not_sent' }, elapsed: 2000 })
    expect(requests(team, 'orders.bookPhlebotomyAppointment')).toBe(0)
    expect(await writes.unresolved()).toEqual([])
  })

  it('accepts a holdFor longer than the longest timer', async () => {
    const { start, order } = prepare()
    const apiKey = () => new Promise<string>((resolve) => setImmediate(resolve, 'key'))
    const { orders } = start({ holdFor: 30 * 86_400_000 }, { apiKey, clock: undefined })
    await expect(orders.create('one', order)).rejects.toBeInstanceOf(AuthenticationError)
  })

  it('includes the apiKey function, which a signal also interrupts', async () => {
    const { team, store, start, order } = prepare()
    const apiKey = () => new Promise<string>(() => {})
    const { orders } = start({}, { apiKey, clock: undefined })
    const error = { code: 'not_sent', cause: { outcome: 'not-sent' } }
    await expect(orders.create('one', order, { deadline: 20 })).rejects.toMatchObject(error)
    const signal = AbortSignal.timeout(20)
    await expect(orders.create('one', order, { signal })).rejects.toBeInstanceOf(AbortError)
    const limited = start({}, { apiKey, clock: undefined, deadline: 20 })
    const imports = limited.link.bulkImportAll('one', 'oura', [])
    await expect(imports).rejects.toMatchObject(error)
    expect(await store.read('one')).toBeUndefined()
    expect(team.journal.count).toBe(0)
  })

  it('includes the function that returns the received events', async () => {
    const { team, writes } = prepare()
    const { id } = team.orders.create()
    const { clock } = team.connection()
    const received = () => clock.sleep(5000).then(() => [])
    const options = { after: [], received, deadline: 2000 }
    const book = () => writes.orders.bookAndWait('visit', id, booking, options)
    const error = { code: 'timeout', outcome: 'not-sent' }
    expect(await endOf(team, book)).toMatchObject({ error, elapsed: 2000 })
    expect(requests(team, 'orders.bookPhlebotomyAppointment')).toBe(0)
    expect(await writes.unresolved()).toEqual([])
  })

  it.each(['orders', 'insurance'] as const)('includes the store (%s)', async (name) => {
    const { team, store, start, order, user_id } = prepare()
    const { clock } = team.connection()
    const begin: typeof store.begin = async (intent) => {
      await clock.sleep(3000)
      return store.begin(intent)
    }
    const writes = start({ store: { ...store, begin } })
    const options = { deadline: 2000 }
    const call = () =>
      name === 'orders'
        ? writes.orders.create('one', order, options)
        : writes.insurance.create('one', user_id, insuranceBody(), options)
    const { error } = await endOf(team, call)
    expect(error).toMatchObject({ code: 'timeout', outcome: 'not-sent' })
    expect(team.journal.count).toBe(0)
    expect(await store.read('one')).toMatchObject({ state: 'cleared' })
  })

  it.each([0, -1, Number.NaN])(
    'is rejected, but not checked in a busy loop (%s)',
    async (deadline) => {
      const { team, store, start, order } = prepare()
      const { promise: response, resolve } = Promise.withResolvers<Response>()
      const fetch = () => response
      const limits = { timeout: 600_000, deadline: 600_000, maxRetries: 0 }
      const first = start({}, { fetch, ...limits }).orders.create('one', order)
      const isRejected = expect(first).rejects.toMatchObject({ status: 422 })
      await expect.poll(() => store.read('one')).toBeDefined()
      let begins = 0
      const begin: typeof store.begin = async (intent) => {
        begins += 1
        if (begins === 5) resolve(Response.json({}, { status: 422 }))
        return store.begin(intent)
      }
      const before = Number(team.clock.now())
      const second = start({ store: { ...store, begin } }).orders.create('one', order, { deadline })
      await expect(second).rejects.toMatchObject({ code: 'request_invalid' })
      await isRejected
      expect(Number(team.clock.now()) - before).toBeGreaterThan(1000)
    },
  )

  it('includes the wait for another process', async () => {
    const { team, start } = prepare()
    const { id } = team.orders.create()
    // The other process waits forever without moving the clock.
    const clock = { ...team.connection().clock, sleep: () => new Promise<void>(() => {}) }
    void start({}, { clock }).orders.bookAndWait('visit', id, booking)
    await expect.poll(() => requests(team, 'orders.bookPhlebotomyAppointment')).toBe(1)
    const second = () => start().orders.bookAndWait('visit', id, booking, { deadline: 2000 })
    expect(await endOf(team, second)).toMatchObject({ error: { code: 'busy' }, elapsed: 2000 })
  })
})
