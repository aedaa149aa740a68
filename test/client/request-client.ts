import { type ClientOptions, ServiceClient } from '../../src/index.ts'
import { orderId } from '../support/samples.ts'
import { json, stubFetch } from '../support/stub-fetch.ts'

export const baseUrl = 'https://service.test/prefix/'

export function clientWith(respond: unknown, options: ClientOptions = {}) {
  const stub = stubFetch(() => (respond instanceof Response ? respond : json(respond)))
  const client = new ServiceClient({ apiKey: 'sk_test', baseUrl, fetch: stub.fetch, ...options })
  return { client, requests: stub.requests }
}

export const order = { order: { id: orderId } }

export const timeframe = {
  type: 'relative',
  anchor: '2025-06-01',
  past: { unit: 'week', value: 4 },
} as const

export type Send = (client: ServiceClient) => PromiseLike<unknown>
