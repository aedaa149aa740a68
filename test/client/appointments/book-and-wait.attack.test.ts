import { type AddressInfo, connect, createServer } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { serve } from '../../../mock/server/server.ts'
import type { Team } from '../../../mock/team.ts'
import { eventHandler } from '../../../src/events/index.ts'
import {
  AbortError,
  type Appointment,
  BadRequestError,
  type BookingInput,
  ConnectionError,
  InternalServerError,
  RequestValidationError,
  ServiceClient,
  ServiceError,
  TimeoutError,
} from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { closedPort } from '../../support/programs/scripted-server.ts'

const book = 'orders.bookPhlebotomyAppointment'
const check = 'orders.getPhlebotomyAppointment'
const background: BookingInput = { booking_key: 'bk_never', async_confirmation: true }
const after5m = { ...background, booking_key: 'bk_confirm_after_5m' }

function setup(options: Parameters<typeof createMock>[0] = {}) {
  const team = createMock(options).team()
  const client = new ServiceClient(team.connection())
  const order = team.orders.create()
  return { team, client, order, orders: client.orders }
}

/** Returns how often the mock received an operation. */
function received(team: Team, operation: typeof book | typeof check): number {
  return team.journal.lines(operation).length
}

/** A proxy in front of a server. `cut` resets every connection through it. */
async function proxyTo(url: string) {
  const sockets = new Set<ReturnType<typeof connect>>()
  const server = createServer((near) => {
    const far = connect(Number(new URL(url).port), '127.0.0.1')
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}))
    near.pipe(far).pipe(near)
  })
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
    sockets.clear()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    cut()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cut }
}

it('finds a booking that is confirmed ten minutes after its connection broke', async () => {
  const mock = createMock({ clock: 'manual', synchronousBookingTimeout: '1h' })
  const server = await serve(mock, { gracePeriod: 0 })
  onTestFinished(() => server.close())
  const { url, cut } = await proxyTo(server.url)
  const team = mock.defaultTeam
  const { id } = team.orders.create()
  const clock = {
    now: () => team.clock.now().getTime(),
    sleep: async (milliseconds: number) => void (await team.clock.advance(milliseconds)),
  }
  const client = new ServiceClient({ apiKey: team.apiKey, baseUrl: url, maxRetries: 0, clock })

  const booking = client.orders.bookAndWait(id, { booking_key: 'bk_confirm_after_10m' })
  await team.clock.whenWaiting()
  cut()

  expect(await booking).toMatchObject({ result: 'booked', appointment: { status: 'confirmed' } })
  expect(team.journal.lines(check)).toContain(`${check} 404`)
  expect(received(team, book)).toBe(1)
  expect(team.appointments.list({ order_id: id })).toHaveLength(1)
})

it('returns a confirmed booking without another check', async () => {
  const { team, order, orders } = setup()
  const { result, appointment } = await orders.bookAndWait(order.id, { booking_key: 'bk_confirm' })
  expect([result, appointment?.status]).toEqual(['booked', 'confirmed'])
  expect(received(team, check)).toBe(1)
})

it('finds a booking whose pending response was lost and that is confirmed later', async () => {
  const { team, order, orders } = setup()
  team.faults.add({ on: book, then: 'lose_response' })
  const booking = { ...background, booking_key: 'bk_confirm_after_14m' }
  expect(await orders.bookAndWait(order.id, booking)).toMatchObject({ result: 'booked' })
  expect(received(team, book)).toBe(1)
})

it('is unresolved if nothing was booked, and says what to do', async () => {
  const { team, order, orders } = setup({ now: '2025-06-01T09:00:00Z' })
  team.faults.add({ on: book, then: 'cut_before_response' })
  const { result, error } = await orders.bookAndWait(order.id, { booking_key: 'bk_confirm' })
  expect(result).toBe('unresolved')
  expect(error).toBeInstanceOf(TimeoutError)
  expect(error).toMatchObject({ outcome: 'unknown', cause: expect.any(ConnectionError) })
  expect(error?.message).toMatch(
    /^orders.bookAndWait failed: no proof that the visit is booked or cancelled within the deadline \(960000 ms\); the booking failed with a ConnectionError; the last check failed with status 404\. The visit may still be booked\. Do not book again automatically; have a person check\./,
  )
  expect(error?.stack).toContain('book-and-wait.attack.test.ts')
  // The last check starts five seconds before the deadline.
  expect(team.clock.now().toISOString()).toBe('2025-06-01T09:15:55.000Z')
  expect(received(team, book)).toBe(1)
  expect(team.appointments.size).toBe(0)
})

it('is unresolved if a synchronous booking failed, which leaves no trace', async () => {
  const { team, order, orders } = setup()
  const { result, error } = await orders.bookAndWait(order.id, { booking_key: 'bk_fail' })
  expect(result).toBe('unresolved')
  expect(error?.cause).toBeInstanceOf(InternalServerError)
  expect(error?.requestId).toEqual(expect.any(String))
  expect(error?.attempts).toHaveLength(1)
  expect(received(team, book)).toBe(1)
})

it.each([
  ['arrived', undefined],
  ['was lost', 'lose_response' as const],
])(
  'finds a booking cancelled that failed in the background after its response %s',
  async (_, then) => {
    const { team, order, orders } = setup()
    if (then) team.faults.add({ on: book, then })
    const found = await orders.bookAndWait(order.id, background)
    expect(found).toMatchObject({ result: 'cancelled', appointment: { status: 'cancelled' } })
    expect(received(team, book)).toBe(1)
  },
)

it('checks until the booking must have ended', async () => {
  const { order, orders } = setup()
  const patient = { ...background, async_confirmation_timeout_millisecond: 3_600_000 }
  const late = { ...patient, booking_key: 'bk_confirm_after_59m' }
  expect(await orders.bookAndWait(order.id, late)).toMatchObject({ result: 'booked' })
})

it('ends at the deadline of the caller', async () => {
  const { team, order, orders } = setup()
  const start = team.clock.now().getTime()
  const { result, error } = await orders.bookAndWait(order.id, after5m, { deadline: 60_000 })
  expect(result).toBe('unresolved')
  expect(error?.message).toContain('(last status: pending) within the deadline (60000 ms)')
  expect(team.clock.now().getTime() - start).toBeLessThanOrEqual(60_000)
})

it('sends no booking after the deadline of the caller', async () => {
  const { team, order, orders } = setup()
  const slow = async () => {
    await team.clock.advance('8s')
    return []
  }
  const options = { deadline: 2_000, after: [], received: slow }
  const call = orders.bookAndWait(order.id, after5m, options)
  const error = await failureOf(call, TimeoutError)
  expect(error).toMatchObject({ outcome: 'not-sent', attempts: [] })
  expect(error.message).toContain('within the deadline (2000 ms)')
  expect(received(team, book)).toBe(0)
})

it('does not mistake an earlier, cancelled appointment for the booking', async () => {
  const { team, order, orders } = setup()
  team.appointments.create({ order_id: order.id, status: 'cancelled' })
  team.faults.add({ on: book, then: 'cut_before_response' })
  const { result } = await orders.bookAndWait(order.id, { booking_key: 'bk_confirm' })
  expect(result).toBe('unresolved')
})

it('does not read the order before the booking when the caller knows the appointments before', async () => {
  const { team, order, orders } = setup()
  const { id } = team.appointments.create({ order_id: order.id, status: 'cancelled' })
  team.faults.add({ on: book, then: 'lose_response' })
  const found = await orders.bookAndWait(order.id, after5m, { after: [id.toUpperCase()] })
  expect(found).toMatchObject({ result: 'booked' })
  expect(team.journal.lines()[0]).toContain(book)
})

it('continues while checks fail', async () => {
  const { team, order, orders } = setup()
  team.faults.add({ on: book, then: 'lose_response' })
  team.faults.add({ on: check, when: { nth: 2 }, then: { status: 401 } })
  team.faults.add({ on: check, when: { nth: 3 }, then: 'html' })
  expect(await orders.bookAndWait(order.id, after5m)).toMatchObject({ result: 'booked' })
})

it('decides by events only if the service has no path for the appointment', async () => {
  const { team, order, orders } = setup()
  const seen: Partial<Appointment>[] = []
  const keep = ({ data }: { data: Partial<Appointment> }) => void seen.push(data)
  const on = { 'labtest.appointment.created': keep, 'labtest.appointment.updated': keep }
  const secrets = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  team.webhooks.add({ handler: eventHandler({ secrets, on, fallback() {} }), secret: secrets })
  team.faults.add({ on: book, then: 'lose_response' })
  team.faults.add({ on: check, then: { status: 404 } })
  // Signatures are checked in real time, during which checks may already pass virtual time.
  const options = { after: [], received: async () => seen, deadline: 48 * 3_600_000 }
  const found = await orders.bookAndWait(order.id, after5m, options)
  expect(found).toMatchObject({ result: 'booked', appointment: { order_id: order.id } })
})

it.each([{}, { maxRetries: 0 }])(
  'decides by events while the service allows no check (%j)',
  async (options) => {
    const { team, order, orders } = setup()
    const updated: Partial<Appointment>[] = []
    team.faults.add({ on: book, then: 'lose_response' })
    team.faults.add({ on: check, when: { first: 1 }, then: { status: 429, retryAfter: '1d' } })
    const confirmed = async () => {
      if (team.clock.now().getTime() > start + 300_000) updated.push(...team.appointments.list())
      return updated
    }
    const start = team.clock.now().getTime()
    const wait = { ...options, after: [], received: confirmed }
    const found = await orders.bookAndWait(order.id, after5m, wait)
    expect(found).toMatchObject({ result: 'booked', appointment: { order_id: order.id } })
    expect(received(team, check)).toBe(1)
  },
)

it('checks again, once the service allows it, when no event decides', async () => {
  const { team, order, orders } = setup()
  team.faults.add({ on: book, then: 'lose_response' })
  team.faults.add({ on: check, when: { first: 1 }, then: { status: 429, retryAfter: '7m' } })
  const options = { after: [], received: () => [], maxRetries: 0 }
  const found = await orders.bookAndWait(order.id, after5m, options)
  expect(found).toMatchObject({ result: 'booked' })
  expect(received(team, check)).toBe(2)
})

it.each<[string, () => readonly Partial<Appointment>[]]>([
  ['another order', () => [{ id: 'a', order_id: 'b', status: 'confirmed' }]],
  ['no id', () => [{ status: 'confirmed' }]],
  ['no list', () => 'confirmed' as never],
])('ignores received events with %s', async (_, received) => {
  const { order, orders } = setup()
  const found = await orders.bookAndWait(order.id, background, { received })
  expect(found).toMatchObject({ result: 'cancelled' })
})

it('continues when the received events cannot be read', async () => {
  const { order, orders } = setup()
  const received = () => Promise.reject(new Error('database'))
  const found = await orders.bookAndWait(order.id, after5m, { received })
  expect(found).toMatchObject({ result: 'booked' })
})

describe('events of an earlier, cancelled appointment', () => {
  /** An order with two cancelled appointments, and the events of the first. */
  async function setupEarlier() {
    const { order, orders, team } = setup()
    const events: Appointment[] = []
    for (const booking_key of ['bk_confirm', 'bk_confirm']) {
      const earlier = await orders.bookPhlebotomyAppointment(order.id, { booking_key })
      events.push({ ...earlier, ...team.appointments.update(earlier.id, { status: 'cancelled' }) })
    }
    return { order, orders, team, events: events.slice(0, 1) }
  }

  it('are not the result of the booking', async () => {
    const { order, orders, events } = await setupEarlier()
    const found = await orders.bookAndWait(order.id, after5m, { received: () => events })
    expect(found).toMatchObject({ result: 'booked' })
  })

  it.each([
    ['before', 0],
    ['after', 3],
  ])('are not the result when they arrive %s a booking without any response', async (_, sent) => {
    const { order, orders, events, team } = await setupEarlier()
    const [{ id: last } = { id: '' }] = team.appointments.list().toReversed()
    team.faults.add({ on: book, when: { first: 1 }, then: 'lose_response' })
    team.faults.add({ on: check, then: { status: 503 } })
    const received = () => (team.journal.lines(book).length >= sent ? events : [])
    const options = { received, after: [last], maxRetries: 0 }
    const found = await orders.bookAndWait(order.id, after5m, options)
    expect(found).toMatchObject({ result: 'unresolved' })
  })

  it.each([true, false])('may arrive after the booking (lost response: %s)', async (isLost) => {
    const { order, orders, events, team } = await setupEarlier()
    if (isLost) team.faults.add({ on: book, when: { first: 1 }, then: 'lose_response' })
    const received = () => (team.journal.lines(book).length > 2 ? events : [])
    const found = await orders.bookAndWait(order.id, after5m, { received })
    expect(found).toMatchObject({ result: 'booked' })
  })
})

it('does not take a late event for the result when a 404 hid the appointment that it is about', async () => {
  const { team, order, orders } = setup()
  const earlier = await orders.bookPhlebotomyAppointment(order.id, { booking_key: 'bk_confirm' })
  const event = team.appointments.update(earlier.id, { status: 'cancelled' })
  team.faults.add({ on: check, then: { status: 404 } })
  team.faults.add({ on: book, then: 'lose_response' })
  const received = () => (team.journal.lines(book).length > 1 ? [event] : [])
  const found = await orders.bookAndWait(order.id, after5m, { received })
  expect(found).toMatchObject({ result: 'unresolved' })
})

it('does not take a late event for the result when the events could not be read before', async () => {
  const { team, order, orders } = setup()
  team.faults.add({ on: 'orders.*', then: 'lose_response' })
  const event = { id: 'earlier', order_id: order.id, status: 'cancelled' }
  const received = vi.fn(() => [event]).mockImplementationOnce(() => Promise.reject() as never)
  const options = { after: [], received, maxRetries: 0 }
  const found = await orders.bookAndWait(order.id, after5m, options)
  expect(found).toMatchObject({ result: 'unresolved' })
})

it.each([
  ['confirmed', 'cancelled'],
  ['cancelled', 'confirmed'],
])('is unresolved when events only say %s and %s', async (...statuses) => {
  const { team, order, orders } = setup()
  team.faults.add({ on: check, then: { status: 404 } })
  team.faults.add({ on: book, then: 'lose_response' })
  const events = statuses.map((status) => ({ id: 'visit', order_id: order.id, status }))
  const received = () => (team.journal.lines(book).length > 0 ? events : [])
  const found = await orders.bookAndWait(order.id, after5m, { after: [], received })
  expect(found).toMatchObject({ result: 'unresolved' })
})

it('lets a response decide when events contradict each other', async () => {
  const { team, order, orders } = setup()
  const received = () =>
    team.appointments
      .list()
      .flatMap((one) => [one, { ...one, status: 'completed' }, { ...one, status: 'cancelled' }])
  const found = await orders.bookAndWait(order.id, after5m, { received })
  expect(found).toMatchObject({ result: 'booked', appointment: { status: 'confirmed' } })
})

describe('received events that never arrive', () => {
  const received = () => new Promise<never>(() => {})

  it('do not stop the booking', async () => {
    const { team, order } = setup()
    const connection = team.connection()
    const startTimer = (milliseconds: number, onEnd: () => void) => {
      if (milliseconds === 10_000) queueMicrotask(onEnd)
      return () => {}
    }
    const { now, sleep } = connection.clock
    const { orders } = new ServiceClient({ ...connection, clock: { now, sleep, startTimer } })
    const found = await orders.bookAndWait(order.id, after5m, { received })
    expect(found).toMatchObject({ result: 'booked' })
  })

  it('do not stop an abort', async () => {
    const { team, order, orders } = setup()
    const abort = new AbortController()
    const booking = failureOf(
      orders.bookAndWait(order.id, after5m, { received, signal: abort.signal }),
    )
    abort.abort()
    expect(await booking).toBeInstanceOf(AbortError)
    expect(team.journal.lines(book)).toEqual([])
  })
})

it('follows a booking of a process that ended', async () => {
  const { team, order, orders } = setup()
  await orders.bookPhlebotomyAppointment(order.id, after5m)
  const found = await orders.bookAndWait(order.id, after5m, { alreadySent: true, after: [] })
  expect(found).toMatchObject({ result: 'booked' })
  expect(received(team, book)).toBe(1)
})

it('follows such a booking although the key function fails at a check', async () => {
  const { team, order, orders } = setup()
  await orders.bookPhlebotomyAppointment(order.id, after5m)
  const apiKey = vi
    .fn(() => team.apiKey)
    .mockImplementationOnce(() => {
      throw new Error('no secrets for now')
    })
  const client = new ServiceClient({ ...team.connection(), apiKey })
  const options = { alreadySent: true, after: [] }
  const found = await client.orders.bookAndWait(order.id, after5m, options)
  expect(found).toMatchObject({ result: 'booked' })
})

it.each([
  [{ alreadySent: true }, 'after: expected the ids of the earlier appointments'],
  [{ after: [5] }, 'after: expected the id of an appointment or a list of ids'],
  [{ afterr: [] }, "Unknown option 'afterr'. Did you mean after?"],
  [{ received: [] }, 'received: expected a function'],
])('rejects the options %j before it sends anything', async (options, message) => {
  const { team, order, orders } = setup()
  const booking = orders.bookAndWait(order.id, background, options as never)
  expect((await failureOf(booking, RequestValidationError)).message).toContain(message)
  expect(team.journal.lines()).toEqual([])
})

it.each([
  [
    'the input is invalid',
    { booking_key: 'k', appointment_notes: 'a'.repeat(1001) },
    RequestValidationError,
  ],
  ['the service rejects it', { booking_key: 'unknown' }, BadRequestError],
])('rejects at once when %s, because this call booked nothing', async (_, booking, Kind) => {
  const { team, order, orders } = setup()
  await expect(orders.bookAndWait(order.id, booking)).rejects.toBeInstanceOf(Kind)
  expect(team.journal.lines(check)).toHaveLength(1)
})

it.each(['html', { status: 503 }, 'cut_before_response', { latency: '1h' }] as const)(
  'sends no booking if it cannot read the order first: %j',
  async (then) => {
    const { team, order, orders } = setup()
    team.faults.add({ on: check, then })
    const error = await failureOf(orders.bookAndWait(order.id, background))
    expect(error).toMatchObject({ operation: 'orders.bookAndWait', outcome: 'not-sent' })
    expect(error.message).toContain('The booking was not sent.')
    expect(error.cause).toBeInstanceOf(ServiceError)
    expect(received(team, book)).toBe(0)
  },
)

it('sends no booking if the service cannot be reached', async () => {
  const client = new ServiceClient({ apiKey: 'key', baseUrl: await closedPort(), maxRetries: 0 })
  const { order } = setup()
  const error = await failureOf(client.orders.bookAndWait(order.id, background))
  expect(error).toMatchObject({ outcome: 'not-sent' })
})

it('rejects when the caller aborts, with an outcome that says whether the booking was sent', async () => {
  const { team, order, orders } = setup()
  const early = failureOf(orders.bookAndWait(order.id, after5m, { signal: AbortSignal.abort() }))
  expect(await early).toMatchObject({ outcome: 'not-sent' })
  const controller = new AbortController()
  const received = () => {
    if (team.journal.lines(book).length > 0) controller.abort(new Error('shutdown'))
    return []
  }
  const { signal } = controller
  const late = await failureOf(
    orders.bookAndWait(order.id, after5m, { received, signal }),
    AbortError,
  )
  expect(late).toMatchObject({ outcome: 'unknown', reason: new Error('shutdown') })
  expect(late.message).toContain('orders.bookAndWait was aborted. The visit may still be booked')
  expect(received).toBeDefined()
  expect(team.journal.lines(book)).toHaveLength(1)
})
