import { inspect } from 'node:util'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMock, type MockOptions, type Team } from '../../mock/index.ts'
import { type DurableOptions, durable } from '../../src/durable/index.ts'
import {
  AbortError,
  type Appointment,
  type ClientClock,
  type ClientOptions,
  type OrderInput,
  ServiceClient,
  ServiceError,
} from '../../src/index.ts'
import { memoryStore, type StoredWrite } from '../../src/stores/index.ts'
import { insuranceBody, orderBody } from '../support/bodies.ts'
import { Boundaries, dyingConnection } from '../support/dying.ts'
import { failureOf } from '../support/failure.ts'
import { appointment } from '../support/samples.ts'

/** Only a test that hangs reaches it. */
const waiting = { timeout: 60_000 }

/** A team, a store, and durable writes of any number of processes. */
function prepare(options: MockOptions = {}) {
  const team = createMock(options).team()
  const store = memoryStore()
  const start = (options: Partial<DurableOptions> = {}, client: ClientOptions = {}) =>
    durable(new ServiceClient({ ...team.connection(), ...client }), { store, ...options })
  const { user_id } = team.users.create()
  const order = orderBody(team.catalogue.labTests.list()[0]?.id ?? '', { user_id })
  return { team, store, start, writes: start(), order, user_id }
}

/** The number of requests of an operation. */
function requests(
  team: Team,
  operation: 'orders.create' | 'insurance.create' | 'orders.bookPhlebotomyAppointment',
) {
  return team.journal.lines(operation).length
}

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

  it('sends nothing when the function for the API key fails', async () => {
    const { team, store, start, order } = prepare()
    const apiKey = () => Promise.reject(new Error('vault is closed'))
    const writes = start({}, { apiKey })
    await expect(writes.orders.create('one', order)).rejects.toMatchObject({ code: 'not_sent' })
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

it('sends an order again with the stored key', async () => {
  const { team, start, writes, order } = prepare()
  team.faults.add({ on: 'orders.create', when: { first: 1 }, then: 'lose_response' })
  const lost = writes.orders.create('one', order, { maxRetries: 0 })
  await expect(lost).rejects.toMatchObject({ outcome: 'unknown' })
  expect(await writes.unresolved()).toMatchObject([
    { id: 'one', operation: 'orders.create', state: 'interrupted', cause: undefined },
  ])
  const { order: found } = await start().orders.create('one', order)
  expect(team.orders.list().map(({ id }) => id)).toEqual([found.id])
  expect(await writes.unresolved()).toEqual([])
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

it('keeps a lost booking open when the next call has invalid options', async () => {
  const { team, writes } = prepare()
  const { id } = team.orders.create()
  const lost = { on: 'orders.bookPhlebotomyAppointment', then: 'lose_response' } as const
  team.faults.add({ ...lost, when: { first: 1 } })
  const book = (options = {}) =>
    writes.orders.bookAndWait('visit', id, { booking_key: 'bk_never' }, options)
  expect(await book({ deadline: 1000 })).toMatchObject({ result: 'unresolved' })
  for (const options of [{ timeout: -1 }, { pollInterval: -1 }]) {
    await expect(book(options)).rejects.toMatchObject({ code: 'pending' })
  }
})

it('takes no appointment that another writer booked while it waited for its own', async () => {
  const { team, start } = prepare()
  const { id } = team.orders.create()
  const connection = team.connection()
  const isSent = Promise.withResolvers<void>()
  const isBooked = Promise.withResolvers<void>()
  const book = (fetch: typeof connection.fetch) => {
    const client = { ...connection, fetch: (request: Request) => fetch(request), maxRetries: 0 }
    return start({}, client).orders.bookAndWait('visit', id, { booking_key: 'any' })
  }
  const first = book(async (request) => {
    if (!(request instanceof Request) || request.method === 'GET') return connection.fetch(request)
    isSent.resolve()
    await isBooked.promise
    return new Response('{}', { status: 400 })
  })
  await isSent.promise
  const isRead = Promise.withResolvers<void>()
  const second = book(async (request) => {
    if (!(request instanceof Request) || request.method !== 'GET') {
      return new Response('{}', { status: 500 })
    }
    const response = await connection.fetch(request)
    isRead.resolve()
    return response
  })
  await isRead.promise
  team.appointments.create({ order_id: id })
  isBooked.resolve()
  await expect(first).rejects.toMatchObject({ outcome: 'rejected' })
  expect(await second).toMatchObject({ result: 'unresolved' })
})

it('keeps a booking open when the service asks for a longer wait than it may take', async () => {
  const { team, writes } = prepare()
  const { id } = team.orders.create()
  const booking = { booking_key: 'bk_confirm_after_5m', async_confirmation: true }
  const wait = { status: 503, retryAfter: '2h' } as const
  team.faults.add({ on: 'orders.getPhlebotomyAppointment', when: { nth: 2 }, then: wait })
  const run = () => writes.orders.bookAndWait('visit', id, booking)
  expect(await run()).toMatchObject({ result: 'unresolved' })
  expect(await run()).toMatchObject({ result: 'booked' })
})

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
  await expect(ending).rejects.toMatchObject({ outcome: 'rejected' })
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

it('does not send an order again when the service may have forgotten its key', async () => {
  const { team, writes, order } = prepare()
  team.faults.add({ on: 'orders.create', when: { first: 1 }, then: 'lose_response' })
  await expect(writes.orders.create('one', order, { maxRetries: 0 })).rejects.toThrow()
  await team.clock.advance('23h')
  await team.clock.advance('1m')
  await expect(writes.orders.create('one', order)).rejects.toMatchObject({ code: 'unresolved' })
  expect(requests(team, 'orders.create')).toBe(1)
})

it('does not send an order again after the clock was set back, when its age is unknown', async () => {
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

it('follows a booking whose response was lost', async () => {
  const { team, start } = prepare()
  const { id } = team.orders.create()
  team.faults.add({
    on: 'orders.bookPhlebotomyAppointment',
    when: { first: 1 },
    then: 'lose_response',
  })
  const booking = { booking_key: 'bk_confirm_after_5m', async_confirmation: true }
  const visit = await start().orders.bookAndWait('visit', id, booking)
  expect(visit).toMatchObject({ result: 'booked', appointment: { order_id: id } })
  expect(await start().orders.bookAndWait('visit', id, booking)).toEqual(visit)
  expect(requests(team, 'orders.bookPhlebotomyAppointment')).toBe(1)
})

it('does not take an earlier appointment for the new one, also after a crash', async () => {
  const { team, start } = prepare()
  const { id } = team.orders.create()
  const booking = { booking_key: 'bk_fail', async_confirmation: true }
  const writes = start()
  expect(await writes.orders.bookAndWait('first', id, booking)).toMatchObject({
    result: 'cancelled',
  })
  const again = { booking_key: 'bk_confirm_after_5m', async_confirmation: true }
  // The second request of the process is the booking; it dies when the response arrives.
  const boundaries = new Boundaries(4)
  const dying = start({}, dyingConnection(team.connection(), boundaries))
  dying.orders.bookAndWait('second', id, again)
  await boundaries.death
  expect(await start().orders.bookAndWait('second', id, again)).toMatchObject({ result: 'booked' })
})

it('begins again after a process that ended when the order could not be checked', async () => {
  const { team, store, start } = prepare()
  const { id } = team.orders.create()
  const booking = { booking_key: team.bookings.key() }
  team.faults.add({
    on: 'orders.getPhlebotomyAppointment',
    when: { first: 1 },
    then: { status: 500 },
  })
  // The entry is open when it is read and cleared before the intent is stored; then the process ends.
  const read = async () => ({ state: 'pending' }) as StoredWrite
  const racing = { ...store, read, end: () => new Promise<boolean>(() => {}) }
  const ending = { ...dyingConnection(team.connection(), new Boundaries(0)), maxRetries: 0 }
  start({ store: racing }, ending).orders.bookAndWait('visit', id, booking)
  await vi.waitUntil(async () => (await store.read('visit')) !== undefined, waiting)
  const found = await start().orders.bookAndWait('visit', id, booking)
  expect(found).toMatchObject({ result: 'booked' })
  expect(requests(team, 'orders.bookPhlebotomyAppointment')).toBe(1)
})

it('ignores received events of earlier appointments, also after a crash', async () => {
  const { team, start } = prepare()
  const { id } = team.orders.create()
  const { orders } = new ServiceClient(team.connection())
  const events: Appointment[] = []
  for (const booking_key of [team.bookings.key(), team.bookings.key()]) {
    const earlier = await orders.bookPhlebotomyAppointment(id, { booking_key })
    events.push({ ...earlier, ...team.appointments.update(earlier.id, { status: 'cancelled' }) })
  }
  const booking = { booking_key: 'bk_confirm_after_5m', async_confirmation: true }
  const received = () => events
  const boundaries = new Boundaries(4)
  const dying = start({}, dyingConnection(team.connection(), boundaries))
  dying.orders.bookAndWait('visit', id, booking, { received })
  await boundaries.death
  const found = await start().orders.bookAndWait('visit', id, booking, { received })
  expect(found).toMatchObject({ result: 'booked' })
})

it('does not take a late event for the result when a 404 hid the appointment that it is about', async () => {
  const { team, start } = prepare()
  const { id } = team.orders.create()
  const event: Appointment = { ...appointment, order_id: id, status: 'cancelled' }
  team.faults.add({ on: 'orders.getPhlebotomyAppointment', then: { status: 404 } })
  team.faults.add({ on: 'orders.bookPhlebotomyAppointment', then: 'lose_response' })
  const received = () => (requests(team, 'orders.bookPhlebotomyAppointment') > 0 ? [event] : [])
  const booking = { booking_key: 'bk_confirm_after_5m', async_confirmation: true }
  const run = () => start().orders.bookAndWait('visit', id, booking, { received, deadline: 60_000 })
  expect(await run()).toMatchObject({ result: 'unresolved' })
  expect(await run()).toMatchObject({ result: 'unresolved' })
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

it('gives a booking that nothing proves to a person, and stores the decision', async () => {
  const { team, start, writes } = prepare()
  const { id } = team.orders.create()
  team.faults.add({
    on: 'orders.bookPhlebotomyAppointment',
    when: { first: 1 },
    then: { status: 500 },
  })
  const booking = { booking_key: 'bk_confirm', async_confirmation: true }
  const run = () => writes.orders.bookAndWait('visit', id, booking)
  expect(await run()).toMatchObject({
    result: 'unresolved',
    error: { code: 'unresolved', id: 'visit' },
  })
  expect(await run()).toMatchObject({ result: 'unresolved', error: { code: 'unresolved' } })
  expect(await start().unresolved()).toMatchObject([
    { id: 'visit', state: 'unresolved', cause: { name: 'TimeoutError' } },
  ])
  const decision = { result: 'booked' as const, appointment: { id: 'a', status: 'confirmed' } }
  await writes.resolve('visit', decision)
  expect(await run()).toEqual(decision)
  expect(await writes.unresolved()).toEqual([])
  expect(requests(team, 'orders.bookPhlebotomyAppointment')).toBe(1)
})

it('keeps a booking open that was only followed for a short time', async () => {
  const { team, writes } = prepare()
  const { id } = team.orders.create()
  const booking = { booking_key: 'bk_confirm_after_5m', async_confirmation: true }
  const short = await writes.orders.bookAndWait('visit', id, booking, { deadline: 10_000 })
  expect(short.result).toBe('unresolved')
  expect(await writes.unresolved()).toMatchObject([{ state: 'interrupted' }])
  expect((await writes.orders.bookAndWait('visit', id, booking)).result).toBe('booked')
})

it('sends nothing when the order cannot be checked, unless the booking has an outcome', async () => {
  const { team, writes } = prepare()
  const { id } = team.orders.create()
  const booking = { booking_key: 'bk_confirm' }
  const fault = { on: 'orders.getPhlebotomyAppointment', then: { status: 403 } } as const
  const remove = team.faults.add(fault)
  const run = () => writes.orders.bookAndWait('visit', id, booking)
  await expect(run()).rejects.toMatchObject({ code: 'not_sent' })
  remove.remove()
  const visit = await run()
  team.faults.add(fault)
  expect(await run()).toEqual(visit)
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

it('lets one of several processes send, and gives the others its result', async () => {
  const { team, start, user_id } = prepare()
  const processes = Array.from({ length: 5 }, () => start())
  const results = await Promise.all(
    processes.map(({ insurance }) => insurance.create('i', user_id, insuranceBody())),
  )
  expect(new Set(results.map((one) => JSON.stringify(one))).size).toBe(1)
  expect(requests(team, 'insurance.create')).toBe(1)
})

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

it.each([
  ['throw', 'busy', 'pending'],
  ['wait', 'unresolved', 'unresolved'],
] as const)(
  'leaves a write without an outcome to the run that took over (%s)',
  async (whenBusy, code, state) => {
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
    const write = writes.insurance.create('i', user_id, insuranceBody(), { whenBusy })
    await expect(write).rejects.toMatchObject({ code })
    expect((await store.read('i'))?.state).toBe(state)
  },
)

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
