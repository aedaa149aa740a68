import { afterEach, expect, it, vi } from 'vitest'
import { type ClientOptions, RequestValidationError, ServiceClient } from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { orderInput } from '../../support/samples.ts'
import { json, stubFetch } from '../../support/stub-fetch.ts'

afterEach(() => vi.unstubAllEnvs())

/** A client of a service that responds with 503 and a service that counts the requests. */
function failingClient(options: ClientOptions = {}) {
  const { fetch, requests } = stubFetch(() => json({}, 503, { 'retry-after': '0' }))
  const baseUrl = 'https://service.test'
  const client = new ServiceClient({ apiKey: 'key', baseUrl, fetch, ...options })
  return { client, requests }
}

it('changes the given options of the copy, and none of the original', async () => {
  const { client, requests } = failingClient({ maxRetries: 1, headers: { 'x-app': 'one' } })
  const copy = client.withOptions({ maxRetries: 0, headers: { 'x-app': 'two' } })
  await failureOf(copy.link.listProviders())
  expect(requests.map(({ headers }) => headers.get('x-app'))).toEqual(['two'])
  await failureOf(client.link.listProviders())
  expect(requests.map(({ headers }) => headers.get('x-app'))).toEqual(['two', 'one', 'one'])
})

it('gives an option that is undefined its default', async () => {
  const { client, requests } = failingClient({ maxRetries: 0 })
  await failureOf(client.withOptions({ maxRetries: undefined }).link.listProviders())
  expect(requests).toHaveLength(3)
})

it('copies the options when it is called', async () => {
  const { client, requests } = failingClient()
  const options = { maxRetries: 0 }
  const copy = client.withOptions(options)
  options.maxRetries = 5
  await failureOf(copy.link.listProviders())
  expect(requests).toHaveLength(1)
})

it('keeps the key and the URL that the original read from the environment', async () => {
  vi.stubEnv('SERVICE_API_KEY', 'first')
  vi.stubEnv('SERVICE_BASE_URL', 'https://first.test')
  const { fetch, requests } = stubFetch(() => json([]))
  const client = new ServiceClient({ fetch })
  vi.stubEnv('SERVICE_API_KEY', 'second')
  vi.stubEnv('SERVICE_BASE_URL', 'https://second.test')
  await client.withOptions({ timeout: 1000 }).link.listProviders()
  expect(requests[0]?.url.origin).toBe('https://first.test')
  expect(requests[0]?.headers.get('x-service-api-key')).toBe('first')
})

it.each<[string, ClientOptions, number]>([
  ['counts the calls of both towards one limit', { timeout: 1000 }, 1],
  ['gives the copy its own limit when it is changed', { maxConcurrency: 1 }, 2],
  ['removes the limit of the copy', { maxConcurrency: undefined }, 2],
])('%s', async (_, changes, expected) => {
  let running = 0
  let most = 0
  const fetch = async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise(setImmediate)
    running -= 1
    return json([])
  }
  const { client } = failingClient({ fetch, maxConcurrency: 1 })
  const copy = client.withOptions(changes)
  await Promise.all([client.link.listProviders(), copy.link.listProviders()])
  expect(most).toBe(expected)
})

it('reports a deprecated field once for a client and its copies, and again to new hooks', async () => {
  const reported: string[] = []
  const reportTo = (name: string) => ({ deprecation: () => void reported.push(name) })
  const { client } = failingClient({ hooks: reportTo('original'), maxRetries: 0 })
  const { order_set: _, ...order } = orderInput
  const clients = [
    client,
    client.withOptions({ timeout: 1000 }),
    client.withOptions({ hooks: reportTo('copy') }),
  ]
  for (const { orders } of clients) {
    await failureOf(orders.create({ ...order, lab_test_id: orderInput.user_id }))
  }
  expect(reported).toEqual(['original', 'copy'])
})

it('rejects unknown and invalid options, with the name that was probably meant', () => {
  const { client } = failingClient()
  const change = (options: object) => () => client.withOptions(options as ClientOptions)
  expect(change({ timout: 5 })).toThrow(RequestValidationError)
  expect(change({ timout: 5 })).toThrow("Unknown option 'timout'. Did you mean timeout?")
  expect(change({ timeout: 0 })).toThrow('timeout: expected an integer from 1')
  expect(change(null as never)).toThrow('options: expected an object of options')
})
