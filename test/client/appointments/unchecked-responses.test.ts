import { describe, expect, it } from 'vitest'
import { durable } from '../../../src/durable/index.ts'
import { ServiceClient } from '../../../src/index.ts'
import { memoryStore } from '../../../src/stores/index.ts'
import { failureOf } from '../../support/failure.ts'
import { appointment, orderId } from '../../support/samples.ts'

const present = { ...appointment, order_id: orderId }
const ofOtherOrder = { ...present, order_id: '6e0bd0a8-9d43-4d47-8e0c-7d2b0f5d5aff' }
const booking = { booking_key: 'key', async_confirmation: true }

interface Responses {
  /** The order's appointment before the booking. */
  earlier?: unknown
  /** The response to the booking. */
  booked?: unknown
  /** The order's appointment after the booking. */
  later?: unknown
}

/** A client that does not check responses, and the methods that its service received. */
function setup({ earlier, booked, later = present }: Responses) {
  const received: string[] = []
  const fetch = async ({ method }: Request) => {
    received.push(method)
    return Response.json(method === 'POST' ? booked : received.includes('POST') ? later : earlier)
  }
  let now = 0
  const clock = {
    now: () => now,
    sleep: async (milliseconds: number) => {
      now += milliseconds
    },
  }
  const options = { apiKey: 'key-for-the-tests', baseUrl: 'https://service.test', fetch, clock }
  return { client: new ServiceClient({ ...options, validation: 'off' }), received }
}

it.each([
  ['null', null],
  ['an id that is no string', { ...present, id: 5 }],
  ['another order', ofOtherOrder],
])('sends no booking when the check for an earlier appointment shows %s', async (_, earlier) => {
  const { client, received } = setup({ earlier })
  const failure = await failureOf(client.orders.bookAndWait(orderId, booking))
  expect(failure).toMatchObject({ outcome: 'not-sent' })
  const writes = durable(client, { store: memoryStore() })
  const second = writes.orders.bookAndWait('visit', orderId, booking)
  await expect(second).rejects.toMatchObject({ code: 'not_sent' })
  expect(received).toEqual(['GET', 'GET'])
})

it.each([
  ['an id that is no string', { ...present, id: 5 }],
  ['another order', ofOtherOrder],
])('follows a booking whose response shows %s', async (_, booked) => {
  const { client, received } = setup({ booked })
  const { result, appointment } = await client.orders.bookAndWait(orderId, booking, { after: [] })
  expect([result, appointment?.id]).toEqual(['booked', present.id])
  expect(received).toEqual(['POST', 'GET'])
})

describe.each(['pending', 'confirmed'])(
  'a booking response that repeats an earlier appointment with the status %s',
  (status) => {
    const earlier = { ...present, id: ofOtherOrder.order_id, status: 'cancelled' }
    const booked = { ...earlier, id: earlier.id.toUpperCase(), status }

    it('does not end the wait for the new appointment', async () => {
      const { client, received } = setup({ earlier, booked })
      const { result, appointment } = await client.orders.bookAndWait(orderId, booking)
      expect([result, appointment?.id]).toEqual(['booked', present.id])
      expect(received).toEqual(['GET', 'POST', 'GET'])
    })

    it('proves no booking while no other appointment is shown', async () => {
      const { client, received } = setup({ booked, later: booked })
      const after = earlier.id
      const found = await client.orders.bookAndWait(orderId, booking, { after })
      expect(found).toMatchObject({ result: 'unresolved', error: { outcome: 'unknown' } })
      expect(received.filter((method) => method === 'POST')).toHaveLength(1)
    })
  },
)
