import { expect, it, vi } from 'vitest'
import { insuranceBody } from '../support/bodies.ts'
import { prepare, requests, waiting } from './setup.ts'

it('leaves insurance with an unknown outcome to a person', async () => {
  const { team, start, user_id } = prepare()
  team.faults.add({ on: 'insurance.create', when: { first: 1 }, then: 'lose_response' })
  const create = () => start().insurance.create('i', user_id, insuranceBody())
  const unresolved = { code: 'unresolved', message: expect.stringContaining('resolve()') }
  await expect(create()).rejects.toMatchObject(unresolved)
  await expect(create()).rejects.toMatchObject(unresolved)
  expect(requests(team, 'insurance.create')).toBe(1)
  await start().resolve('i', 'had-no-effect')
  expect(await create()).toMatchObject({ member_id: 'M-1' })
})

it('says that insurance with an invalid response took effect, also in a later process', async () => {
  const { team, start, user_id } = prepare()
  team.override('insurance.create', ({ body }) => ({ body: { ...body, member_id: null } }))
  const create = () => start().insurance.create('i', user_id, insuranceBody())
  const message = /^insurance\.create took effect, but its response is invalid\. .*resolve\(\)/
  const unresolved = { code: 'unresolved', message: expect.stringMatching(message) }
  await expect(create()).rejects.toMatchObject(unresolved)
  await expect(create()).rejects.toMatchObject(unresolved)
  expect(requests(team, 'insurance.create')).toBe(1)
  expect(await start().unresolved()).toMatchObject([{ cause: { outcome: 'succeeded' } }])
})

it('lets one of several processes send, and gives the others its result', async () => {
  const { team, start, user_id } = prepare()
  const processes = Array.from({ length: 5 }, () => start())
  const results = await Promise.all(
    processes.map(({ insurance }) => insurance.create('i', user_id, insuranceBody())),
  )
  expect(new Set(results.map((one) => JSON.stringify(one))).size).toBe(1)
  expect(requests(team, 'insurance.create')).toBe(1)
})

it('keeps the outcome of a run that another one took for dead', async () => {
  const { team, store, start, user_id } = prepare()
  const connection = team.connection()
  let respond = () => {}
  const held = new Promise<void>((resolve) => {
    respond = resolve
  })
  const slow = start(
    {},
    {
      fetch: async (request) => {
        const response = await connection.fetch(request)
        await held
        return response
      },
      clock: {
        now: connection.clock.now,
        sleep: connection.clock.sleep,
        startTimer: () => () => {},
      },
    },
  )
  const late = slow.insurance.create('i', user_id, insuranceBody())
  // Inputs are hashed by threads, so that the second run could begin before the first.
  await vi.waitUntil(async () => (await store.read('i')) !== undefined, waiting)
  await expect(start().insurance.create('i', user_id, insuranceBody())).rejects.toMatchObject({
    code: 'unresolved',
  })
  respond()
  const created = await late
  expect(await start().insurance.create('i', user_id, insuranceBody())).toEqual(created)
  expect(requests(team, 'insurance.create')).toBe(1)
})

it('says so when a write took effect that a person had given up', async () => {
  const { team, store, start, user_id } = prepare()
  const connection = team.connection()
  let respond = () => {}
  const held = new Promise<void>((resolve) => {
    respond = resolve
  })
  const slow = start(
    {},
    {
      fetch: async (request) => {
        await held
        return connection.fetch(request)
      },
      clock: {
        now: connection.clock.now,
        sleep: connection.clock.sleep,
        startTimer: () => () => {},
      },
    },
  )
  const late = slow.insurance.create('i', user_id, insuranceBody())
  // Inputs are hashed by threads, so that the second run could begin before the first.
  await vi.waitUntil(async () => (await store.read('i')) !== undefined, waiting)
  await expect(start().insurance.create('i', user_id, insuranceBody())).rejects.toThrow()
  await start().resolve('i', 'had-no-effect')
  await start().insurance.create('i', user_id, insuranceBody())
  respond()
  await expect(late).rejects.toMatchObject({ code: 'took_effect', result: { member_id: 'M-1' } })
})

it.each(['throw', 'wait'] as const)(
  'leaves a write without an outcome to the run that took over (%s)',
  async (whenBusy) => {
    const { team, store, start, user_id } = prepare()
    team.faults.add({ on: 'insurance.create', then: 'lose_response' })
    /** Another process takes over before the first end is stored, and then ends itself. */
    const end = vi.fn(store.end).mockImplementationOnce(async (end) => {
      const { operation = '', input = '', heldUntil = 0 } = (await store.read('i')) ?? {}
      const intent = { id: 'i', operation, input, token: 'other', progress: '' }
      await store.begin({ ...intent, now: heldUntil, heldUntil: heldUntil + 1000 })
      return store.end(end)
    })
    const writes = start({ store: { ...store, end } })
    const create = () => writes.insurance.create('i', user_id, insuranceBody(), { whenBusy })
    await expect(create()).rejects.toMatchObject({ code: 'busy' })
    expect((await store.read('i'))?.state).toBe('pending')
    await team.clock.advance('2m')
    await expect(create()).rejects.toMatchObject({ code: 'unresolved' })
  },
)

it('reports busy, if wanted, for as long as the other process works', async () => {
  const { team, start } = prepare({ clock: 'manual' })
  const { id } = team.orders.create()
  const booking = { booking_key: 'bk_confirm_after_10m', async_confirmation: true }
  const running = start().orders.bookAndWait('visit', id, booking)
  const busy: unknown[] = []
  for (let minute = 0; minute < 9; minute += 1) {
    await team.clock.advance('1m')
    const other = start().orders.bookAndWait('visit', id, booking, { whenBusy: 'throw' })
    busy.push(await other.catch(({ code }) => code))
  }
  expect(busy).toEqual(Array(9).fill('busy'))
  await expect(start().resolve('visit', 'had-no-effect')).rejects.toMatchObject({ code: 'busy' })
  await team.clock.advance('20m')
  expect((await running).result).toBe('booked')
})
