import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { mean, query, ResponseValidationError, ServiceClient } from '../../src/index.ts'
import { failureOf } from '../support/failure.ts'
import { appointment, marker, orderId, provider, userId, userInfo } from '../support/samples.ts'
import { service, timeframe } from './attacked-client.ts'

async function walk(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0
  for await (const _ of items) count += 1
  return count
}

describe('deep nesting', () => {
  const nested = (levels: number) => `${'{"in":'.repeat(levels)}1${'}'.repeat(levels)}`
  const deep = nested(20_000)
  const accepted = nested(240)

  it.each<[string, string, (client: ServiceClient) => PromiseLike<unknown>]>([
    [
      'an object',
      `{"more":${accepted},${JSON.stringify(userInfo).slice(1)}`,
      (client) => client.users.updateInfo('u', userInfo),
    ],
    [
      'an open map',
      JSON.stringify({ ...appointment, event_data: 'DEEP' }).replace('"DEEP"', accepted),
      (client) => client.orders.getPhlebotomyAppointment(orderId),
    ],
    [
      'a table',
      `{"results":[{"table":{"index":[${accepted}]}}]}`,
      (client) =>
        client.aggregate.query(userId, { timeframe, queries: [query(mean('sleep', 'score'))] }),
    ],
    ['an unchecked response', accepted, (client) => client.request('GET', '/v9')],
    [
      'an item of a page',
      JSON.stringify({ markers: [{ ...marker, more: 'DEEP' }], total: 1 }).replace(
        '"DEEP"',
        accepted,
      ),
      (client) => walk(client.labTests.listMarkers({ size: 50 })),
    ],
  ])('of an unknown field in %s of a response passes', async (_, text, send) => {
    for (const validation of ['strict', 'report', 'off'] as const) {
      const fetch = async () => new Response(text)
      const hooks = { drift: () => {} }
      const client = new ServiceClient({ ...service, fetch, hooks, validation })
      await expect(send(client)).resolves.toBeDefined()
    }
  })

  it('of a response that is invalid elsewhere is a typed error', async () => {
    const text = JSON.stringify([{ ...provider, more: 'DEEP', slug: 5 }]).replace(
      '"DEEP"',
      accepted,
    )
    const client = new ServiceClient({ ...service, fetch: async () => new Response(text) })
    const error = await failureOf(client.link.listProviders(), ResponseValidationError)
    expect(error.issues).toMatchObject([{ path: 'response[0].slug' }])
    expect(inspect(error)).toContain('response[0].slug')
  })

  it.each([200, 404, 422, 500])('of a response with status %i is a typed error', async (status) => {
    const fetch = async () => new Response(`{"detail":${deep}}`, { status })
    const client = new ServiceClient({ ...service, fetch, maxRetries: 0 })
    expect((await failureOf(client.link.listProviders())).code).toBeDefined()
    const list = new ServiceClient({
      ...service,
      fetch: async () => new Response(`{"detail":[{"loc":${deep},"type":${deep}}]}`, { status }),
      maxRetries: 0,
    })
    expect((await failureOf(list.users.createSignInToken(userId))).code).toBeDefined()
  })
})
