import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createMock } from '../../../mock/index.ts'

/** Starts a receiver, and returns its URL. */
async function receiver(status: number, body: string): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'x-receiver': 'own' })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // A server that listens on a port has an address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

it('keeps the request and the response of a delivery', async () => {
  const team = createMock({ clock: 'manual' }).team()
  const webhook = team.webhooks.add({ url: await receiver(500, '{"error":"database is down"}') })
  const { body, id } = team.trigger('daily.data.sleep.created')
  await team.webhooks.idle()
  const [delivery] = webhook.deliveries()
  expect(webhook.exchanges()).toEqual([
    {
      ...delivery,
      duration: expect.any(Number),
      request: { headers: expect.objectContaining({ 'webhook-id': id }), body },
      response: {
        status: 500,
        headers: expect.objectContaining({ 'x-receiver': 'own' }),
        body: '{"error":"database is down"}',
      },
    },
  ])
})

it('keeps the first 4,096 characters of a response, and none of a handler', async () => {
  const team = createMock({ clock: 'manual' }).team()
  const long = team.webhooks.add({ url: await receiver(200, 'x'.repeat(100_000)) })
  const handler = team.webhooks.add({ handler: () => new Response('not read') })
  team.trigger('daily.data.sleep.created')
  await team.webhooks.idle()
  expect(long.exchanges()[0]?.response?.body).toBe('x'.repeat(4096))
  expect(handler.exchanges()[0]?.response).toMatchObject({ status: 200, body: '' })
})

it('has no response without a receiver', async () => {
  const team = createMock({ clock: 'manual' }).team()
  const webhook = team.webhooks.add({ url: 'http://127.0.0.1:9/' })
  team.trigger('daily.data.sleep.created')
  await team.webhooks.idle()
  expect(webhook.exchanges()).toMatchObject([{ error: 'no_response', response: undefined }])
})

it('keeps the latest 100 exchanges', async () => {
  const team = createMock({ clock: 'manual' }).team()
  const webhook = team.webhooks.add({ handler: () => new Response() })
  for (let count = 0; count < 120; count += 1) team.trigger('daily.data.sleep.created')
  await team.webhooks.idle()
  expect(webhook.deliveries()).toHaveLength(120)
  expect(webhook.exchanges().map(({ number }) => number)).toEqual(
    Array.from({ length: 100 }, (_, index) => index + 21),
  )
})

it('lists the planned attempts, the next one first', async () => {
  const team = createMock({ clock: 'manual', now: '2025-06-01T09:00:00Z' }).team()
  const webhook = team.webhooks.add({ handler: () => new Response('', { status: 500 }) })
  const first = team.trigger('daily.data.sleep.created')
  await team.clock.advance('5s')
  const second = team.trigger('daily.data.activity.created')
  await team.webhooks.idle()
  expect(webhook.planned()).toEqual([
    planned(second, 2, '2025-06-01T09:00:10.000Z'),
    planned(first, 3, '2025-06-01T09:05:05.000Z'),
  ])
})

function planned(
  { number, id, event_type }: { number: number; id: string; event_type: string },
  attempt: number,
  at: string,
) {
  return { number, id, event_type, attempt, isDuplicate: false, at: new Date(at) }
}
