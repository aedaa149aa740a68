import { eventHandler, signEvent } from '../../src/events/index.ts'
import { ServiceClient } from '../../src/index.ts'
import { toJson } from '../../src/shared/own-fields.ts'
import type { Respond } from './calls.ts'

/** Does the work. Resolves to a function that describes the results and is called without the added fields. */
export type Run = () => Promise<() => unknown>
/** Prepares work that consists of several requests. */
type Work = (respond: (request: Request) => Response) => Promise<Run>

const users = [1, 2, 3].map((last) => `3fa85f64-5717-4562-b3fc-2c963f66afa${last}`)
const timeframe = { type: 'relative', anchor: '2025-06-01', past: { unit: 'day', value: 7 } }
const select = [{ arg: { sleep: 'score' }, func: 'mean' }]
const recipes = users.map((user_id) => {
  const tokens = { access_token: 'a', refresh_token: 'r', expires_at: 2_147_483_647 }
  return { user_id, provider_id: 'p', ...tokens }
})

/** `work` adds the data that it receives to a list. */
function ofClient(work: (client: ServiceClient, received: unknown[]) => Promise<unknown>): Work {
  return async (respond) => {
    const requests: string[] = []
    const fetch = async (request: Request) => {
      const { method, url } = request
      requests.push([method, url, await request.text()].join(' '))
      return respond(request)
    }
    const clock = { now: () => 0, sleep: async () => {} }
    const client = new ServiceClient({
      apiKey: 'key',
      baseUrl: 'https://service.test',
      fetch,
      clock,
    })
    return async () => {
      const received: unknown[] = []
      await work(client, received).catch((error) => received.push(error))
      return () => ({
        requests: requests.sort(),
        received: received.map((one) => JSON.stringify(describe(one))).sort(),
      })
    }
  }
}

/** For errors, returns only the class and the outcome. */
function describe(received: unknown): unknown {
  if (received instanceof Error) {
    const { name, code, outcome } = received as Error & { code?: unknown; outcome?: unknown }
    return { name, code, outcome }
  }
  if (Array.isArray(received)) return received.map(describe)
  if (typeof received !== 'object' || received === null) return received
  return Object.entries(received).map(([name, value]) => [name, describe(value)])
}

const secrets = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const event = { event_type: 'daily.data.sleep.created', user_id: users[0], data: { data: [] } }

/** Delivers a signed event twice, and an event with a wrong signature once. */
async function prepareDeliveries(): Promise<Run> {
  const seen: unknown[] = []
  const on = { 'daily.data.sleep.created': (received: unknown) => void seen.push(received) }
  const signed = await signEvent(event, secrets, { id: 'msg_1' })
  const wrong = { ...signed, headers: { ...signed.headers, 'webhook-signature': 'v1,AAAA' } }
  const deliveries = [signed, signed, wrong].map(
    (one) => new Request('https://receiver.test', { method: 'POST', ...one }),
  )
  return async () => {
    const receive = eventHandler({ secrets, on, fallback: (other) => void seen.push(other) })
    const responses: string[] = []
    for (const delivery of deliveries) {
      const response = await receive(delivery)
      responses.push(`${response.status} ${await response.text()}`)
    }
    return () => ({ responses, seen })
  }
}

export const works: Record<string, { work: Work; success: (request: Request) => string }> = {
  queryEach: {
    work: ofClient(async (client, received) => {
      const request = { timeframe, queries: [{ select }] }
      for await (const result of client.aggregate.queryEach(users, request)) received.push(result)
    }),
    success: () => '{"results":[{"table":{"index":["2025-05-26T00:00:00"],"mean":[81]}}]}',
  },
  import: {
    work: ofClient(async (client, received) => {
      const onBatch = (checkpoint: unknown) => void received.push(checkpoint)
      const options = { batchSize: 2, waitForCompletion: true, onBatch }
      received.push(await client.link.bulkImportAll('oura', recipes, options))
    }),
    success: () => toJson({ user_ids_imported: users, user_ids_failed: [] }),
  },
  walk: {
    work: ofClient(async (client, received) => {
      for await (const marker of client.labTests.listMarkers({ size: 1 })) received.push(marker)
    }),
    success: ({ url }) => {
      const page = Number(new URL(url).searchParams.get('page') ?? 1)
      const markers = [{ id: page, name: `marker ${page}`, slug: 'm', expected_results: [] }]
      return toJson({ markers, total: 3, page, size: 1, pages: 3 })
    },
  },
  deliveries: { work: prepareDeliveries, success: () => '' },
}

/** Prepares work that receives the given response, or successful responses. */
export function prepareWork(
  name: string,
  respond: Respond | undefined,
  succeed: (body: string) => Response,
): Promise<Run> {
  const found = works[name]
  if (!found) throw new Error(`Unknown work ${name}.`)
  return found.work((request) => respond?.() ?? succeed(found.success(request)))
}
