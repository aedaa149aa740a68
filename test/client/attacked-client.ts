import { type ClientOptions, ServiceClient } from '../../src/index.ts'
import { orderId } from '../support/samples.ts'
import { json, stubFetch } from '../support/stub-fetch.ts'

export const service = { apiKey: 'key', baseUrl: 'https://service.test' }

export const timeframe = { type: 'relative', anchor: '2025-06-01', past: { unit: 'week' } } as const

export function hidden(): PropertyDescriptor {
  const get = () => {
    throw new TypeError('of a getter')
  }
  return { get, enumerable: true }
}

export const order = { order: { id: orderId } }

export function clientWith(body: unknown, options: ClientOptions = {}) {
  const { fetch, requests } = stubFetch(() => json(body))
  return { client: new ServiceClient({ ...service, fetch, ...options }), requests }
}

export function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = { in: value }
  return value
}
