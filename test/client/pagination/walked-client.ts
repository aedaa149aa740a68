import {
  type ClientOptions,
  mean,
  past,
  type QueriesRequest,
  query,
  ServiceClient,
} from '../../../src/index.ts'
import { type StubRequest, stubFetch } from '../../support/stub-fetch.ts'

export type Responder = (request: StubRequest, nth: number) => Response | Promise<Response>

export function clientOf(respond: Responder, options: ClientOptions = {}) {
  const { fetch, requests } = stubFetch(respond)
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    maxRetries: 0,
    fetch,
    ...options,
  })
  return { client, requests }
}

export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at)
}

export const request = {
  timeframe: past(1, 'week', '2025-06-01'),
  queries: [query(mean('sleep', 'score'))],
} satisfies QueriesRequest<readonly ReturnType<typeof query>[]>

export const oneResult = { results: [{ table: { index: [null], mean: [80] } }] }
