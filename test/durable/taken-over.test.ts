import { describe, expect, it } from 'vitest'
import type { ClientClock, ClientOptions } from '../../src/index.ts'
import type { WriteStore } from '../../src/stores/index.ts'
import { insuranceBody, recipe } from '../support/bodies.ts'
import { prepare } from './setup.ts'

async function fail(): Promise<never> {
  throw new Error('no connection')
}

describe('a rejected run whose claim another run took over', () => {
  /** A process that cannot extend its claim, and whose request is answered late. */
  function startSlow(
    { store, start }: ReturnType<typeof prepare>,
    broken: Partial<WriteStore> = {},
    options: ClientOptions = {},
  ) {
    const { promise: response, resolve } = Promise.withResolvers<Response>()
    const { promise: sent, resolve: onSent } = Promise.withResolvers<void>()
    const fetch = () => {
      onSent()
      return response
    }
    const save: WriteStore['save'] = (id, hold) => (hold.progress ? store.save(id, hold) : fail())
    const limits = { maxRetries: 0, timeout: 600_000, deadline: 600_000 }
    const slow = start({ store: { ...store, save, ...broken } }, { fetch, ...limits, ...options })
    return { slow, sent, respond: (status: number) => resolve(Response.json({}, { status })) }
  }

  it('returns the order of the other run', async () => {
    const setup = prepare()
    const { team, start, order } = setup
    const { slow, sent, respond } = startSlow(setup)
    const first = slow.orders.create('basket', order)
    await sent
    await team.clock.advance('61s')
    const second = await start().orders.create('basket', order)
    respond(429)
    expect(await first).toEqual(second)
    expect(team.orders.list()).toHaveLength(1)
  })

  it('says that only its own request had no effect if the store fails', async () => {
    const setup = prepare()
    const { team, start, store, order } = setup
    const { slow, sent, respond } = startSlow(setup, { end: fail })
    const first = slow.orders.create('basket', order)
    await sent
    await team.clock.advance('61s')
    await start().orders.create('basket', order)
    respond(429)
    const message = expect.stringMatching(/^This call's request had no effect/)
    await expect(first).rejects.toMatchObject({ code: 'store_failed', message })
    expect(await store.read('basket')).toMatchObject({ state: 'done' })
  })

  it('is the proof that insurance was not created, because no other run sends it', async () => {
    const setup = prepare()
    const { team, start, user_id } = setup
    const { slow, sent, respond } = startSlow(setup)
    const first = slow.insurance.create('i', user_id, insuranceBody())
    await sent
    await team.clock.advance('61s')
    const second = start().insurance.create('i', user_id, insuranceBody())
    await expect(second).rejects.toMatchObject({ code: 'unresolved' })
    respond(422)
    await expect(first).rejects.toMatchObject({ outcome: 'rejected', status: 422 })
  })

  it('does not read the source of an import again', async () => {
    const setup = prepare()
    const { team, start } = setup
    const recipes = Array.from({ length: 4 }, () => recipe(team.users.create().user_id))
    const { promise: isRead, resolve: onRead } = Promise.withResolvers<void>()
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>()
    async function* slowly() {
      onRead()
      await mayGoOn
      yield* recipes
    }
    const first = startSlow(setup).slow.link.bulkImportAll('import', 'oura', slowly())
    const isRejected = expect(first).rejects.toMatchObject({ code: 'busy' })
    await isRead
    await team.clock.advance('61s')
    const abort = new AbortController()
    async function* aborts() {
      abort.abort()
      yield* recipes
    }
    const { signal } = abort
    await expect(
      start().link.bulkImportAll('import', 'oura', aborts(), { signal }),
    ).rejects.toBeInstanceOf(Error)
    goOn()
    await isRejected
    const report = await start().link.bulkImportAll('import', 'oura', recipes.values())
    expect(report).toMatchObject({ sent: 4, accepted: 4 })
  })

  it.each(['now', 'sleep'] as const)('keeps its error when %s of the clock fails', async (name) => {
    const setup = prepare()
    const { team, store, start, order } = setup
    const { clock } = team.connection()
    let isBroken = false
    const broken: Partial<ClientClock> = {
      [name]: (...args: never[]) => {
        if (isBroken) throw new Error('clock')
        return (clock[name] as (...args: never[]) => unknown)(...args)
      },
    }
    const end: WriteStore['end'] = async (write) => {
      isBroken = true
      return store.end(write)
    }
    const { slow, sent, respond } = startSlow(setup, { end }, { clock: { ...clock, ...broken } })
    const first = slow.orders.create('basket', order)
    await sent
    await team.clock.advance('61s')
    const { promise: isTaken, resolve: take } = Promise.withResolvers<void>()
    const fetch = () => {
      take()
      return new Promise<never>(() => {})
    }
    const second = start({}, { fetch }).orders.create('basket', order)
    second.catch(() => {}) // it ends without a response, after this test
    await isTaken
    respond(429)
    await expect(first).rejects.toMatchObject({ code: 'busy', cause: { status: 429 } })
  })

  it('returns the report of the other import', async () => {
    const setup = prepare()
    const { team, start } = setup
    const recipes = Array.from({ length: 4 }, () => recipe(team.users.create().user_id))
    const options = { batchSize: 2, concurrency: 1 }
    const { slow, sent, respond } = startSlow(setup)
    const first = slow.link.bulkImportAll('import', 'oura', recipes, options)
    await sent
    await team.clock.advance('61s')
    const second = await start().link.bulkImportAll('import', 'oura', recipes, options)
    respond(403)
    expect(await first).toEqual(second)
    expect(second).toMatchObject({ accepted: 2, unknown: 2 })
  })
})

describe('a rejected write', () => {
  it.each([422, 429])(
    'lets the id be used again after a failure of the store (%s)',
    async (status) => {
      const { team, store, start, user_id } = prepare()
      team.faults.add({ on: 'insurance.create', when: { first: 1 }, then: { status } })
      let ends = 0
      const end: WriteStore['end'] = (write) => {
        ends += 1
        return ends === 1 ? fail() : store.end(write)
      }
      const writes = start({ store: { ...store, end } }, { maxRetries: 0 })
      const create = (member_id: string) =>
        writes.insurance.create('i', user_id, insuranceBody({ member_id }))
      await expect(create('M-1')).rejects.toMatchObject({ outcome: 'rejected', status })
      expect(await create('M-2')).toMatchObject({ member_id: 'M-2' })
    },
  )

  it('rejects with its error if the store saved the end but did not say so', async () => {
    const { team, store, start, order } = prepare()
    team.faults.add({ on: 'orders.create', when: { first: 1 }, then: { status: 422 } })
    let ends = 0
    const end: WriteStore['end'] = async (write) => {
      const isStored = await store.end(write)
      ends += 1
      return ends === 1 ? fail() : isStored
    }
    const { orders } = start({ store: { ...store, end } })
    await expect(orders.create('basket', order)).rejects.toMatchObject({ outcome: 'rejected' })
    expect(await store.read('basket')).toMatchObject({ state: 'cleared' })
  })
})
