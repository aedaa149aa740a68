import { inspect } from 'node:util'
import { expect, it, vi } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import {
  AbortError,
  type AppointmentWaitOptions,
  AuthenticationError,
  type BookingTimes,
  type ClientOptions,
  InternalServerError,
  RequestValidationError,
  ResponseValidationError,
  ServiceClient,
  TimeoutError,
} from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { appointment, labTestId, orderId } from '../../support/samples.ts'
import { json } from '../../support/stub-fetch.ts'

/** A team with an order whose booking is in progress. */
async function bookedOrder(booking_key: string) {
  const team = createMock({ now: '2025-06-01T09:00:00Z' }).team()
  const order = team.orders.create()
  const client = new ServiceClient(team.connection())
  await client.orders.bookPhlebotomyAppointment(order.id, { booking_key, async_confirmation: true })
  return { team, order, client }
}

it('returns the appointment when it is confirmed, in virtual time', async () => {
  const { team, order, client } = await bookedOrder('bk_confirm_after_5m')
  const { status } = await client.orders.waitForAppointment(order.id)
  expect(status).toBe('confirmed')
  expect(team.clock.now().toISOString() >= '2025-06-01T09:05:00').toBe(true)
  expect(team.clock.now().toISOString() < '2025-06-01T09:06:00').toBe(true)
})

it('returns the appointment that the service cancels', async () => {
  const { order, client } = await bookedOrder('bk_never')
  expect(await client.orders.waitForAppointment(order.id)).toMatchObject({ status: 'cancelled' })
})

/** A client of a service with these responses, one after the other; the last one repeats. It records its waits. */
function clientOf(responses: (() => Response | Promise<Response>)[], options: ClientOptions = {}) {
  let now = Date.parse('2025-06-01T09:00:00Z')
  const waits: number[] = []
  let requests = 0
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    maxRetries: 0,
    fetch: async () => {
      requests += 1
      const respond = responses[Math.min(requests, responses.length) - 1]
      return respond ? respond() : json({})
    },
    clock: {
      now: () => now,
      sleep: async (milliseconds) => {
        waits.push(milliseconds)
        now += milliseconds
      },
    },
    ...options,
  })
  return { client, waits, requests: () => requests }
}

const withStatus =
  (status: string, id = appointment.id) =>
  () =>
    json({ ...appointment, status, id })

it.each<[string, () => Response | Promise<Response>]>([
  ['a 404', () => json({}, 404)],
  ['a 429', () => json({}, 429)],
  ['a server error', () => json({}, 500)],
  ['a failed connection', () => Promise.reject(new Error('reset'))],
  ['another status', withStatus('pending')],
  ['an unknown status', withStatus('waitlisted')],
])('checks again after %s', async (_, respond) => {
  const { client, waits } = clientOf([respond, withStatus('confirmed')])
  const found = await client.orders.waitForAppointment(orderId)
  expect(found.status).toBe('confirmed')
  expect(waits).toEqual([1000])
})

it('doubles the time between two checks up to a maximum', async () => {
  const { client, waits } = clientOf([
    ...Array(5).fill(withStatus('pending')),
    withStatus('confirmed'),
  ])
  await client.orders.waitForAppointment(orderId, { pollInterval: 500, maxPollInterval: 3000 })
  expect(waits).toEqual([500, 1000, 2000, 3000, 3000])
})

it('waits as long as the service asks', async () => {
  const limited = () => json({}, 429, { 'retry-after': '45' })
  const { client, waits } = clientOf([limited, withStatus('confirmed')])
  await client.orders.waitForAppointment(orderId)
  expect(waits).toEqual([45_000])
})

it('says so when the service asks to wait beyond the deadline', async () => {
  const limited = () => json({}, 429, { 'retry-after': '3600' })
  const { client, waits } = clientOf([limited])
  const reason =
    'no appointment within the deadline (60000 ms); the last check failed with status 429; the service does not allow another check in time'
  await expect(client.orders.waitForAppointment(orderId, { deadline: 60_000 })).rejects.toThrow(
    reason,
  )
  expect(waits).toEqual([])
})

it.each<[string, AppointmentWaitOptions, string[]]>([
  ['one status', { status: 'reserved' }, ['pending', 'confirmed', 'reserved']],
  ['one of several', { status: ['reserved', 'pending'] }, ['confirmed', 'pending']],
  ['a status that is new', { status: 'waitlisted' }, ['confirmed', 'waitlisted']],
])('waits for %s', async (_, options, statuses) => {
  const { client } = clientOf(statuses.map((status) => withStatus(status)))
  const found = await client.orders.waitForAppointment(orderId, options)
  expect(found.status).toBe(statuses.at(-1))
})

it('ignores an earlier appointment', async () => {
  const { client } = clientOf([withStatus('cancelled'), withStatus('confirmed', orderId)])
  const found = await client.orders.waitForAppointment(orderId, { after: appointment.id })
  expect(found.id).toBe(orderId)
})

it.each<[string, () => Response, string]>([
  ['no appointment', () => json({}, 404), 'no appointment'],
  ['another status', withStatus('pending'), 'the expected status (last status: pending)'],
  ['a status that may be data', withStatus('Jane Doe'), 'no appointment with the expected status'],
])('fails at the deadline with %s', async (_, respond, reason) => {
  const { client, waits } = clientOf([respond])
  const waiting = client.orders.waitForAppointment(orderId, { deadline: 60_000 })
  const error = await failureOf(waiting)
  expect(error).toBeInstanceOf(TimeoutError)
  expect(error.message).toContain('orders.waitForAppointment failed: no appointment')
  expect(error.message).toContain(`${reason} within the deadline (60000 ms)`)
  expect(error.message).toContain('The visit may still be booked. Do not book again')
  expect(error.message).not.toContain('Jane')
  expect(error.stack).toContain('wait-for-appointment.test.ts')
  // The last check starts five seconds before the deadline.
  expect(waits.reduce((sum, wait) => sum + wait)).toBe(55_000)
})

it('ignores several earlier appointments', async () => {
  const { client } = clientOf([
    withStatus('completed'),
    withStatus('cancelled', labTestId),
    withStatus('confirmed', orderId),
  ])
  const after = [appointment.id, labTestId]
  expect(await client.orders.waitForAppointment(orderId, { after })).toMatchObject({ id: orderId })
})

it('warns about an appointment that was finished before the wait, unless after is given', async () => {
  const warn = vi.fn()
  const { client } = clientOf([withStatus('cancelled')], { logger: { warn } })
  await client.orders.waitForAppointment(orderId, { after: [] })
  expect(warn).not.toHaveBeenCalled()
  await client.orders.waitForAppointment(orderId)
  expect(warn.mock.calls).toEqual([
    [
      'orders.waitForAppointment: the appointment was cancelled at the first check. If it is an earlier one, pass its id as the after option',
      expect.objectContaining({ operation: 'orders.waitForAppointment' }),
    ],
  ])
})

it.each<[string, BookingTimes, number]>([
  ['an asynchronous booking', { async_confirmation: true }, 960_000],
  ['a synchronous booking', { async_confirmation_timeout_millisecond: 3_600_000 }, 960_000],
  [
    'a timeout of its own',
    { async_confirmation: true, async_confirmation_timeout_millisecond: 3_600_000 },
    3_660_000,
  ],
])('waits a minute longer than %s may take', async (_, booking, limit) => {
  const { client, waits } = clientOf([withStatus('pending')])
  const error = await failureOf(
    client.orders.waitForAppointment(orderId, { booking }),
    TimeoutError,
  )
  expect(error.message).toContain(`deadline (${limit} ms)`)
  expect(waits.reduce((sum, wait) => sum + wait)).toBe(limit - 5_000)
})

it.each([
  [appointment.id.toUpperCase(), appointment.id],
  [appointment.id, appointment.id.toUpperCase()],
])('ignores an earlier appointment whose id has another case: %s', async (id, after) => {
  const { client } = clientOf([withStatus('cancelled', id), withStatus('confirmed', orderId)])
  const found = await client.orders.waitForAppointment(orderId, { after })
  expect(found.id).toBe(orderId)
})

it.each([404, 408, 429, 500, 599])('checks again after status %i', async (status) => {
  const { client } = clientOf([() => json({ detail: 'later' }, status), withStatus('confirmed')])
  expect(await client.orders.waitForAppointment(orderId)).toMatchObject({ status: 'confirmed' })
})

it('never returns the appointment of another order', async () => {
  const other = json({ ...appointment, order_id: appointment.id, status: 'confirmed' })
  const { client } = clientOf([() => other.clone()])
  const error = await failureOf(client.orders.waitForAppointment(orderId), ResponseValidationError)
  expect(error.issues).toEqual([
    { path: 'response.order_id', expected: 'the order_id of the request' },
  ])
})

it('names the failure of the last check', async () => {
  const { client } = clientOf([() => json({ detail: 'for Jane Doe' }, 503)])
  const error = await failureOf(client.orders.waitForAppointment(orderId))
  expect(error.message).toContain('; the last check failed with status 503. ')
  expect(error.cause).toBeInstanceOf(InternalServerError)
  expect(inspect(error)).not.toContain('Jane')
})

it('fails at once with an error that another check cannot repair', async () => {
  const { client, requests } = clientOf([() => json({}, 401)])
  const error = await failureOf(client.orders.waitForAppointment(orderId))
  expect(error).toBeInstanceOf(AuthenticationError)
  expect(requests()).toBe(1)
})

it('ends with the signal', async () => {
  const controller = new AbortController()
  const { client } = clientOf([withStatus('pending')], {
    clock: {
      now: () => 0,
      sleep: () => {
        controller.abort(new Error('left'))
        return new Promise(() => {})
      },
    },
  })
  const { signal } = controller
  const error = await failureOf(client.orders.waitForAppointment(orderId, { signal }), AbortError)
  expect(error.reason).toEqual(new Error('left'))
})

it.each<[object, string]>([
  [{ timout: 5 }, "Unknown option 'timout'. Did you mean timeout?"],
  [{ status: [] }, 'status: expected a status or a list of at least one status'],
  [{ pollInterval: 0 }, 'pollInterval: expected an integer from 1'],
  [{ after: 5 }, 'after: expected the id of an appointment or a list of ids'],
  [{ booking: 5 }, 'booking: expected a booking'],
])('rejects the options %j', async (options, message) => {
  const { client, requests } = clientOf([withStatus('confirmed')])
  const error = await failureOf(client.orders.waitForAppointment(orderId, options))
  expect(error).toBeInstanceOf(RequestValidationError)
  expect(error.message).toContain(message)
  expect(requests()).toBe(0)
})
