import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { DurableError } from '../../src/durable/index.ts'
import type { ClientClock } from '../../src/index.ts'
import { insuranceBody } from '../support/bodies.ts'
import { failureOf } from '../support/failure.ts'
import { prepare, requests } from './setup.ts'

it('leaves no unhandled rejection when functions of the store throw', async () => {
  const { team, store, start, order } = prepare()
  const fail = () => {
    throw new Error('closed')
  }
  team.faults.add({ on: 'orders.create', then: { latency: '10s' } })
  const saving = start({ store: { ...store, save: fail }, holdFor: 1000 })
  await saving.orders.create('one', order)
  team.faults.clear()
  team.faults.add({ on: 'orders.create', then: { status: 422 } })
  const ending = start({ store: { ...store, end: fail } }).orders.create('two', order)
  await expect(ending).rejects.toMatchObject({
    code: 'store_failed',
    cause: { outcome: 'rejected' },
  })
})

describe('a clock that fails after a write was sent', () => {
  /** Writes whose clock can fail, and the functions of its timers. */
  function failing() {
    const { team, start, user_id } = prepare()
    const connection = team.connection()
    const state = { fails: false }
    const timers: (() => void)[] = []
    const work = <T>(result: T): T => {
      if (state.fails) throw new Error('clock')
      return result
    }
    const clock: ClientClock = {
      now: () => work(0),
      sleep: async () => {},
      startTimer: (_, onEnd) => {
        timers.push(work(onEnd))
        return () => {}
      },
    }
    const writes = (fetch: (request: Request) => Promise<Response>) => start({}, { clock, fetch })
    return { team, state, timers, writes, user_id, fetch: connection.fetch }
  }

  it('leaves no unhandled rejection when the hold cannot be extended', async () => {
    const { team, state, timers, writes, user_id, fetch } = failing()
    const extendHold = async (request: Request) => {
      const response = await fetch(request)
      state.fails = true
      timers[0]?.()
      await new Promise(setImmediate)
      state.fails = false
      return response
    }
    await writes(extendHold).insurance.create('one', user_id, insuranceBody())
    expect(timers).not.toEqual([])
    expect(requests(team, 'insurance.create')).toBe(1)
  })

  it('leaves the write to a person', async () => {
    const { state, writes, user_id, fetch } = failing()
    const breakClock = async (request: Request) => {
      const response = await fetch(request)
      state.fails = true
      return response
    }
    const creating = writes(breakClock).insurance.create('one', user_id, insuranceBody())
    await expect(creating).rejects.toMatchObject({ code: 'unresolved' })
    state.fails = false
    expect(await writes(fetch).unresolved()).toMatchObject([{ id: 'one', state: 'unresolved' }])
  })
})

it('says that the store failed, in every function', async () => {
  const { start, order } = prepare()
  const fail = async () => {
    throw new Error('no connection')
  }
  const failed = { code: 'store_failed', cause: { message: 'Error' } }
  const { orders, unresolved, resolve } = start({
    store: { begin: fail, save: fail, end: fail, read: fail, open: fail },
  })
  await expect(orders.create('one', order)).rejects.toMatchObject(failed)
  await expect(unresolved()).rejects.toMatchObject(failed)
  await expect(resolve('one', 'had-no-effect')).rejects.toMatchObject(failed)
})

it('sends the write in the next call if the store kept the intent but its response was lost', async () => {
  const { store, start, user_id } = prepare()
  let isLost = true
  const begin = async (intent: Parameters<typeof store.begin>[0]) => {
    const stored = await store.begin(intent)
    if (!isLost) return stored
    isLost = false
    throw new Error('connection lost')
  }
  const { insurance } = start({ store: { ...store, begin } })
  const create = () => insurance.create('one', user_id, insuranceBody())
  await expect(create()).rejects.toMatchObject({ code: 'store_failed' })
  expect(await create()).toMatchObject({ member_id: 'M-1' })
})

it("stores no error messages with the service's explanation, and lists errors of open writes", async () => {
  const { team, store, start, order, user_id } = prepare()
  const fault = { status: 500, body: { detail: 'Lopez is pregnant' } }
  for (const on of ['insurance.create', 'orders.create', 'link.bulkImport'] as const) {
    team.faults.add({ on, then: fault })
  }
  const recipe = { user_id, access_token: 'a', refresh_token: 'r', provider_id: 'p', expires_at: 1 }
  const writes = start({}, { maxRetries: 0 })
  const error = await failureOf(
    writes.insurance.create('i', user_id, insuranceBody()),
    DurableError,
  )
  expect(error).toMatchObject({ cause: { message: expect.stringContaining('pregnant') } })
  await expect(writes.orders.create('o', order)).rejects.toThrow('pregnant')
  await writes.link.bulkImportAll('c', 'oura', [recipe])
  expect(JSON.stringify(await store.open(9))).not.toContain('pregnant')
  const status = { status: 500, code: 'internal_server_error', outcome: 'unknown' }
  expect(await writes.unresolved()).toMatchObject([
    { id: 'i', state: 'unresolved', cause: status },
    { id: 'o', state: 'interrupted', cause: status },
    { id: 'c', state: 'unresolved', cause: [{ range: [0, 0], error: status }] },
  ])
})

it('stores no input, and prints no id, before there is an outcome', async () => {
  const { team, store, writes, order } = prepare()
  team.faults.add({ on: 'orders.create', then: { status: 500 } })
  const error = await writes.orders.create('one', order).catch((reason) => reason)
  expect(error).toMatchObject({ status: 500 })
  expect(JSON.stringify(await store.open(10))).not.toMatch(/Stone|Phoenix|1980/)
  const differs = await writes.orders.create('one', { ...order, user_id: 'x' }).catch((e) => e)
  expect(`${JSON.stringify(differs)} ${differs.stack}`).not.toContain('"one"')
})

it('tries to store an outcome several times, and returns it with the error if it cannot', async () => {
  const { team, store, start, user_id } = prepare()
  let failures = 2
  const failing = {
    ...store,
    end: async (...args: Parameters<typeof store.end>) => {
      failures -= 1
      if (failures >= 0) throw new Error('no connection')
      return store.end(...args)
    },
  }
  const writes = start({ store: failing })
  const create = (id: string) => writes.insurance.create(id, user_id, insuranceBody())
  expect(await create('one')).toMatchObject({ member_id: 'M-1' })
  failures = 10
  await expect(create('two')).rejects.toMatchObject({
    code: 'store_failed',
    result: { member_id: 'M-1' },
    cause: { message: 'Error' },
  })
  expect(team.insurances.size).toBe(2)
})

it('prints nothing of an outcome when a store fails', async () => {
  const { store, start, user_id } = prepare()
  const end = async ({ outcome }: Parameters<typeof store.end>[0]) => {
    const fields = { params: [outcome], detail: outcome, code: '53100' }
    throw Object.assign(new Error(`no room for ${outcome}`), fields)
  }
  const { insurance } = start({ store: { ...store, end } })
  const error = await insurance.create('one', user_id, insuranceBody()).catch((reason) => reason)
  expect(error).toMatchObject({ code: 'store_failed', cause: { code: '53100' } })
  expect(inspect(error, { depth: 9 })).not.toContain('M-1')
})
