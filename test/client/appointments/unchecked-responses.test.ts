import { expect, it } from 'vitest'
import { durable } from '../../../src/durable/index.ts'
import { ServiceClient } from '../../../src/index.ts'
import { memoryStore } from '../../../src/stores/index.ts'
import { failureOf } from '../../support/failure.ts'
import { appointment, orderId } from '../../support/samples.ts'

const present = { ...appointment, order_id: orderId }
const ofOtherOrder = { ...present, order_id: '6e0bd0a8-9d43-4d47-8e0c-7d2b0f5d5aff' }
const booking = { booking_key: 'key', async_confirmation: true }

/** A client that does not check responses, and the methods that its service received. */
function setup({ earlier, booked }: { earlier: unknown; booked?: unknown }) {
  const received: string[] = []
  const fetch = async ({ method }: Request) => {
    received.push(method)
    return Response.json(method === 'POST' ? booked : received.includes('POST') ? present : earlier)
  }
  const options = { apiKey: 'key-for-the-tests', baseUrl: 'https://service.test', fetch }
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
  const { client, received } = setup({ earlier: undefined, booked })
  const { result, appointment } = await client.orders.bookAndWait(orderId, booking, { after: [] })
  expect([result, appointment?.id]).toEqual(['booked', present.id])
  expect(received).toEqual(['POST', 'GET'])
})
