import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import {
  appointmentEvents,
  bookOnce,
  type FollowOptions,
  followBooking,
} from '../../examples/support/book-once.ts'
import { createMock } from '../../mock/index.ts'
import { serve } from '../../mock/server/server.ts'
import type { Team } from '../../mock/team.ts'
import { eventHandler } from '../../src/events/index.ts'
import {
  BadRequestError,
  type BookingInput,
  ConnectionError,
  RequestValidationError,
  ServiceClient,
  ServiceError,
} from '../../src/index.ts'
import { closedPort } from '../support/scripted-server.ts'

// The recipe of docs/guides/unknown-outcomes.md, from the file that the page shows and the quickstart runs.

const book = 'orders.bookPhlebotomyAppointment'
const check = 'orders.getPhlebotomyAppointment'
const background: BookingInput = { booking_key: 'bk_never', async_confirmation: true }

function setup(options: Parameters<typeof createMock>[0] = {}) {
  const team = createMock(options).team()
  const client = new ServiceClient(team.connection())
  const order = team.orders.create()
  return { team, client, order, options: onClockOf(team) }
}

/** Makes the recipe wait in virtual time. */
function onClockOf(team: Team): Pick<FollowOptions, 'sleep'> {
  return { sleep: (milliseconds) => team.clock.advance(milliseconds) }
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
  const client = new ServiceClient({ apiKey: team.apiKey, baseUrl: url, maxRetries: 0 })

  const booking = bookOnce(client, id, { booking_key: 'bk_confirm_after_10m' }, onClockOf(team))
  await team.clock.whenWaiting()
  cut()

  expect(await booking).toMatchObject({ result: 'booked', appointment: { status: 'confirmed' } })
  expect(team.journal.lines(check)).toContain(`${check} 404`)
  expect(received(team, book)).toBe(1)
  expect(team.appointments.list({ order_id: id })).toHaveLength(1)
})

it('finds a booking whose pending response was lost and that is confirmed later', async () => {
  const { team, client, order, options } = setup()
  team.faults.add({ on: book, then: 'lose_response' })
  const booking = { ...background, booking_key: 'bk_confirm_after_14m' }
  expect(await bookOnce(client, order.id, booking, options)).toMatchObject({ result: 'booked' })
  expect(received(team, book)).toBe(1)
})

it('hands over to a person if nothing was booked', async () => {
  const { team, client, order, options } = setup()
  team.faults.add({ on: book, then: 'cut_before_response' })
  const begin = team.clock.now().getTime()
  const found = await bookOnce(client, order.id, { booking_key: 'bk_confirm' }, options)
  expect(found).toEqual({ result: 'ask-a-person', error: expect.any(ConnectionError) })
  expect(team.clock.now().getTime() - begin).toBe(16 * 60_000)
  expect(received(team, book)).toBe(1)
  expect(team.appointments.size).toBe(0)
})

it('hands over to a person if a synchronous booking failed, which leaves no trace', async () => {
  const { team, client, order, options } = setup()
  const found = await bookOnce(client, order.id, { booking_key: 'bk_fail' }, options)
  expect(found).toMatchObject({
    result: 'ask-a-person',
    error: { outcome: 'unknown', status: 500 },
  })
  expect(received(team, book)).toBe(1)
})

it.each([
  ['arrived', undefined],
  ['was lost', 'lose_response' as const],
])(
  'finds a booking cancelled that failed in the background after its response %s',
  async (_, then) => {
    const { team, client, order, options } = setup()
    if (then) team.faults.add({ on: book, then })
    const found = await bookOnce(client, order.id, background, options)
    expect(found).toMatchObject({ result: 'cancelled', appointment: { status: 'cancelled' } })
    expect(received(team, book)).toBe(1)
  },
)

it('checks until the booking must have ended', async () => {
  const { client, order, options } = setup()
  const patient = { ...background, async_confirmation_timeout_millisecond: 3_600_000 }
  const late = { ...patient, booking_key: 'bk_confirm_after_59m' }
  expect(await bookOnce(client, order.id, late, options)).toMatchObject({ result: 'booked' })
})

it('does not take an earlier, cancelled appointment for the booking', async () => {
  const { team, client, order, options } = setup()
  team.appointments.create({ order_id: order.id, status: 'cancelled' })
  team.faults.add({ on: book, then: 'cut_before_response' })
  const found = await bookOnce(client, order.id, { booking_key: 'bk_confirm' }, options)
  expect(found).toMatchObject({ result: 'ask-a-person' })
})

it('continues while checks fail', async () => {
  const { team, client, order, options } = setup()
  team.faults.add({ on: book, then: 'lose_response' })
  team.faults.add({ on: check, when: { nth: 2 }, then: { status: 401 } })
  team.faults.add({ on: check, when: { nth: 3 }, then: 'html' })
  const booking = { ...background, booking_key: 'bk_confirm_after_5m' }
  expect(await bookOnce(client, order.id, booking, options)).toMatchObject({ result: 'booked' })
})

it('decides by events only if the service has no path for the appointment', async () => {
  const { team, client, order, options } = setup()
  const { on, received } = appointmentEvents()
  const secrets = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  team.webhooks.add({ handler: eventHandler({ secrets, on, fallback() {} }), secret: secrets })
  team.faults.add({ on: book, then: 'lose_response' })
  team.faults.add({ on: check, then: { status: 404 } })
  const booking = { ...background, booking_key: 'bk_confirm_after_5m' }
  const found = await bookOnce(client, order.id, booking, { ...options, received })
  expect(found).toMatchObject({ result: 'booked', appointment: { order_id: order.id } })
})

it('continues when the received events cannot be read', async () => {
  const { client, order, options } = setup()
  const received = () => Promise.reject(new Error('database'))
  const booking = { ...background, booking_key: 'bk_confirm_after_5m' }
  const found = await bookOnce(client, order.id, booking, { ...options, received })
  expect(found).toMatchObject({ result: 'booked' })
})

it('follows a booking of a process that ended', async () => {
  const { team, client, order, options } = setup()
  await client.orders.bookPhlebotomyAppointment(order.id, {
    ...background,
    booking_key: 'bk_confirm_after_5m',
  })
  expect(await followBooking(client, order.id, options)).toMatchObject({ result: 'booked' })
  expect(received(team, book)).toBe(1)
})

it.each([
  [
    'the input is invalid',
    { booking_key: 'k', appointment_notes: 'a'.repeat(1001) },
    RequestValidationError,
  ],
  ['the service rejects it', { booking_key: 'unknown' }, BadRequestError],
])('rejects at once when %s, because this call booked nothing', async (_, booking, Kind) => {
  const { team, client, order, options } = setup()
  await expect(bookOnce(client, order.id, booking, options)).rejects.toBeInstanceOf(Kind)
  expect(team.journal.lines(check)).toHaveLength(1)
})

it('sends no booking if it cannot read the order first', async () => {
  const client = new ServiceClient({ apiKey: 'key', baseUrl: await closedPort(), maxRetries: 0 })
  const { order } = setup()
  const booking = bookOnce(client, order.id, { booking_key: 'bk_confirm' })
  await expect(booking).rejects.toBeInstanceOf(ServiceError)
})
