import { expect, it, vi } from 'vitest'
import { type Appointment, ServiceClient } from '../../src/index.ts'
import type { StoredWrite } from '../../src/stores/index.ts'
import { Boundaries, dyingConnection } from '../support/programs/dying.ts'
import { appointment } from '../support/samples.ts'
import { prepare, requests, waiting } from './setup.ts'

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

it('does not mistake an earlier appointment for the new one, even after a crash', async () => {
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

it('ignores received events of earlier appointments, even after a crash', async () => {
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

it('trusts a received appointment whose times have no string form', async () => {
  const { team, start } = prepare()
  const { id } = team.orders.create()
  team.faults.add({ on: 'orders.getPhlebotomyAppointment', then: { status: 404 } })
  team.faults.add({ on: 'orders.bookPhlebotomyAppointment', then: 'lose_response' })
  const events = [{ created_at: { toString: 1 } }]
  const received: object[] = []
  const options = { after: [], received: () => received as Appointment[], deadline: 60_000 }
  const run = () => start().orders.bookAndWait('visit', id, { booking_key: 'bk_never' }, options)
  expect(await run()).toMatchObject({ result: 'unresolved' })
  received.push({ ...appointment, order_id: id, status: 'confirmed', events })
  expect(await run()).toMatchObject({ result: 'booked' })
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

it.each([
  ['by default', {}],
  ['with a deadline', { deadline: 10_000 }],
])(
  'does not take what another call booked a day later for its own booking (%s)',
  async (_, options) => {
    const { team, writes } = prepare()
    const { id } = team.orders.create()
    const fault = { on: 'orders.bookPhlebotomyAppointment', then: 'cut_before_response' } as const
    team.faults.add({ ...fault, when: { first: 1 } })
    const book = (name: string, options = {}) =>
      writes.orders.bookAndWait(name, id, { booking_key: 'bk_confirm' }, options)
    expect((await book('visit', options)).result).toBe('unresolved')
    await team.clock.advance('1d')
    expect((await book('other')).result).toBe('booked')
    expect((await book('visit')).result).toBe('unresolved')
    expect(await writes.unresolved()).toMatchObject([{ id: 'visit', state: 'unresolved' }])
  },
)

it('is booked when the clock of the service is hours ahead', async () => {
  const { team, start } = prepare()
  const { id } = team.orders.create()
  const { clock } = team.connection()
  const behind = { ...clock, now: () => clock.now() - 3 * 3_600_000 }
  const book = () =>
    start({}, { clock: behind }).orders.bookAndWait('visit', id, { booking_key: 'bk_confirm' })
  expect((await book()).result).toBe('booked')
})

it('takes its own booking, which was sent late within the deadline of the client', async () => {
  const { team, start } = prepare()
  const { id } = team.orders.create()
  const on = 'orders.bookPhlebotomyAppointment'
  team.faults.add({ on, when: { first: 1 }, then: { status: 429, retryAfter: '2h' } })
  // The third request of the process is the second one of the booking; it dies when the response arrives.
  const boundaries = new Boundaries(6)
  const connection = dyingConnection(team.connection(), boundaries)
  const booking = { booking_key: 'bk_confirm' }
  void start({}, { ...connection, deadline: 4 * 3_600_000 }).orders.bookAndWait(
    'visit',
    id,
    booking,
  )
  await boundaries.death
  expect((await start().orders.bookAndWait('visit', id, booking)).result).toBe('booked')
  expect(requests(team, on)).toBe(2)
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

it.each(['sent', 'followed'] as const)(
  'keeps a booking open when the call that %s it could not read the order',
  async (verb) => {
    const { team, start } = prepare()
    const { id } = team.orders.create()
    const connection = team.connection()
    const on = 'orders.bookPhlebotomyAppointment'
    team.faults.add({ on, when: { first: 1 }, then: 'lose_response' })
    let isRevoked = false
    const fetch = (request: Request) => {
      isRevoked ||= verb === 'sent' && request.method === 'POST'
      return connection.fetch(request)
    }
    const apiKey = () => (isRevoked ? 'revoked' : connection.apiKey)
    const booking = { booking_key: 'bk_confirm_after_5m', async_confirmation: true }
    const run = (options = {}) =>
      start({}, { apiKey, fetch }).orders.bookAndWait('visit', id, booking, options)
    if (verb === 'followed') {
      expect((await run({ deadline: 10_000 })).result).toBe('unresolved')
      await team.clock.advance('1d')
      isRevoked = true
    }
    expect((await run({ deadline: 3_600_000 })).result).toBe('unresolved')
    expect(await start().unresolved()).toMatchObject([{ state: 'interrupted' }])
    isRevoked = false
    expect((await run()).result).toBe('booked')
    expect(requests(team, on)).toBe(1)
  },
)

it('keeps a booking open when the clock fails before the last check', async () => {
  const { team, start } = prepare()
  const { id } = team.orders.create()
  const on = 'orders.bookPhlebotomyAppointment'
  team.faults.add({ on, when: { first: 1 }, then: 'cut_before_response' })
  const { clock } = team.connection()
  const sleep = () => Promise.reject(new Error('The clock failed.'))
  const failing = { ...clock, sleep } as typeof clock
  const run = (options = {}, given = clock) =>
    start({}, { clock: given }).orders.bookAndWait('visit', id, { booking_key: 'bk' }, options)
  await run({ deadline: 10_000 })
  await team.clock.advance('1d')
  expect((await run({}, failing)).result).toBe('unresolved')
  expect(await start().unresolved()).toMatchObject([{ state: 'interrupted' }])
  expect((await run()).result).toBe('unresolved')
  expect(await start().unresolved()).toMatchObject([{ state: 'unresolved' }])
})

it('sends nothing when the order cannot be checked, unless the booking has an outcome', async () => {
  const { team, writes } = prepare()
  const { id } = team.orders.create()
  const booking = { booking_key: 'bk_confirm' }
  const fault = { on: 'orders.getPhlebotomyAppointment', then: { status: 403 } } as const
  const remove = team.faults.add(fault)
  const run = () => writes.orders.bookAndWait('visit', id, booking)
  await expect(run()).rejects.toMatchObject({ code: 'not_sent', id: 'visit' })
  remove.remove()
  const visit = await run()
  team.faults.add(fault)
  expect(await run()).toEqual(visit)
})
