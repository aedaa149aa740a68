import { expect, expectTypeOf, it } from 'vitest'
import { createMock } from '../../mock/index.ts'
import {
  type ClientOptions,
  NotFoundError,
  past,
  query,
  ServiceClient,
  sum,
} from '../../src/index.ts'
import { failureOf } from '../support/failure.ts'
import { orderId, recipe, userId } from '../support/samples.ts'
import { json } from '../support/stub-fetch.ts'

/** A client of a service that responds with a function's responses. */
function clientOf(fetch: NonNullable<ClientOptions['fetch']>): ServiceClient {
  return new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test', fetch })
}

const request = {
  timeframe: past(1, 'week', '2025-06-01'),
  queries: [query(sum('activity', 'steps'))],
} as const

it.each<[string, (client: ServiceClient) => { asResponse(): Promise<Response> }]>([
  ['a call', (client) => client.link.listProviders()],
  ['a list call', (client) => client.labTests.listMarkers()],
  [
    'a bulk import',
    (client) => client.link.bulkImport({ provider: 'oura', connections: [recipe] }),
  ],
  ['summaries', (client) => client.summaries.list(userId, 'sleep', { start_date: '2025-05-01' })],
  ['a download', (client) => client.orders.downloadRequisition(orderId)],
  ['Parquet', (client) => client.aggregate.queryParquet(userId, request)],
  ['an untyped request', (client) => client.request('GET', '/v2/later')],
])('returns the response of %s, unread and unchecked', async (_, start) => {
  const response = new Response('not JSON', { status: 200, headers: { 'x-later': 'yes' } })
  const client = clientOf(async () => response)
  const received = await start(client).asResponse()
  expect(received).toBe(response)
  expect(received.bodyUsed).toBe(false)
  expect(await received.text()).toBe('not JSON')
})

it('retries and fails as every call does', async () => {
  const responses = [json({}, 503), json([], 200), json({ detail: 'none' }, 404)]
  const client = clientOf(async () => responses.shift() ?? json({}))
  const response = await client.link.listProviders().asResponse()
  expect(await response.json()).toEqual([])
  const error = await failureOf(client.link.listProviders().asResponse())
  expect(error).toBeInstanceOf(NotFoundError)
})

it('rejects the result of a call whose response was taken', async () => {
  const client = clientOf(async () => json([]))
  const call = client.link.listProviders()
  const response = call.asResponse()
  await expect(call).rejects.toThrow('asResponse() returned the response')
  expect(await (await response).json()).toEqual([])
})

it('rejects when the response was already read', async () => {
  const client = new ServiceClient(createMock().team().connection())
  const call = client.link.listProviders()
  await call
  await expect(call.asResponse()).rejects.toThrow('The response was already read')
})

it('rejects while the response is being read, and does not change the result', async () => {
  const { promise: pulled, resolve } = Promise.withResolvers<ReadableStreamDefaultController>()
  // Without a queue, the stream is pulled when it is read.
  const body = new ReadableStream({ pull: resolve }, { highWaterMark: 0 })
  const client = clientOf(async () => new Response(body))
  const call = client.link.listProviders()
  const controller = await pulled
  const late = expect(call.asResponse()).rejects.toThrow('The response was already read')
  controller.enqueue(new TextEncoder().encode('[]'))
  controller.close()
  await late
  await expect(call).resolves.toEqual([])
})

it('has the type of the platform', () => {
  const client = clientOf(async () => json([]))
  expectTypeOf(client.link.listProviders().asResponse).returns.resolves.toEqualTypeOf<Response>()
})
