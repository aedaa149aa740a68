import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { ServiceClient } from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { orderId } from '../../support/samples.ts'
import { unhandledAfter } from '../../support/unhandled.ts'
import { hidden, service } from '../attacked-client.ts'

describe('a response of a custom fetch that is not a web response', () => {
  const failing = () => {
    throw new TypeError('of a body')
  }
  const bodies: [string, () => unknown][] = [
    ['a Node stream', () => Readable.from(['{}'])],
    ['an object whose cancel throws', () => ({ cancel: failing })],
    ['an object whose cancel returns nothing', () => ({ cancel: () => {} })],
    [
      'a reader whose cancel throws',
      () => ({ getReader: () => ({ read: failing, cancel: failing }) }),
    ],
    ['an object with getters that throw', () => Object.defineProperty({}, 'locked', hidden())],
  ]

  it('is a failed download when its headers are none', async () => {
    const { body } = new Response('%PDF')
    const response = { ok: true, status: 200, headers: { get: () => 5 }, body }
    const client = new ServiceClient({ ...service, fetch: async () => response as never })
    const error = await failureOf(client.orders.downloadRequisition(orderId))
    expect(error).toMatchObject({ code: 'connection_failed', outcome: 'unknown' })
  })

  it.each<[string, (client: ServiceClient) => PromiseLike<unknown>]>([
    ['a download', (client) => client.orders.downloadRequisition(orderId)],
    ['a request', (client) => client.request('POST', '/v9')],
  ])('is not treated as empty when it has no stream: %s', async (_, send) => {
    const response = { status: 200, headers: new Headers(), text: async () => '{"id":1}' }
    const fetch = async () => response as Response
    const error = await failureOf(send(new ServiceClient({ ...service, fetch, maxRetries: 0 })))
    expect(error).toMatchObject({ code: 'connection_failed', outcome: 'unknown' })
  })

  it.each([true, undefined])('is a failure because of its status, even if ok is %s', async (ok) => {
    const response = { ok, status: 404, headers: new Headers(), body: null }
    const client = new ServiceClient({ ...service, fetch: async () => response as never })
    const error = await failureOf(client.request('POST', '/v9'))
    expect(error).toMatchObject({ status: 404, outcome: 'rejected' })
  })

  it('is a success because of its status, even if ok is false', async () => {
    const response = { ok: false, status: 200, headers: new Headers(), body: null }
    const client = new ServiceClient({ ...service, fetch: async () => response as never })
    await expect(client.request('POST', '/v9')).resolves.toBeUndefined()
  })

  it('leaves no unhandled rejection when it is a thenable that is async and rejects', async () => {
    const fetch = () => ({ then: async () => failing() }) as never
    const client = new ServiceClient({ ...service, fetch, maxRetries: 0 })
    const unhandled = await unhandledAfter(async () => {
      const error = await failureOf(client.request('POST', '/v9'))
      expect(error).toMatchObject({ code: 'connection_failed', outcome: 'unknown' })
    })
    expect(unhandled).toEqual([])
  })

  it.each(bodies)('leaves no unhandled rejection: %s', async (_, body) => {
    const fetch = async () => {
      const headers = new Headers()
      return { ok: true, status: 200, headers, body: body() } as unknown as Response
    }
    const client = new ServiceClient({ ...service, fetch, maxRetries: 0 })
    const unhandled = await unhandledAfter(async () => {
      const error = await failureOf(client.request('POST', '/v9'))
      expect(error).toMatchObject({ code: 'connection_failed', outcome: 'unknown' })
    })
    expect(unhandled).toEqual([])
  })

  it.each<unknown>([1n, Symbol('200'), {}, { toString: 1 }, '429', Number.NaN, undefined])(
    'is an unknown outcome when its status is %o',
    async (status) => {
      const response = { ok: false, status, headers: new Headers(), body: null }
      const client = new ServiceClient({ ...service, fetch: async () => response as never })
      const error = await failureOf(client.request('POST', '/v9'))
      expect(error).toMatchObject({ code: 'connection_failed', outcome: 'unknown' })
      expect(error.attempts).toHaveLength(1)
    },
  )

  it('leaves no unhandled rejection when the getter of its body throws', async () => {
    const response = { ok: true, status: 200, headers: new Headers() }
    const fetch = async () => Object.defineProperty(response, 'body', hidden()) as never
    const client = new ServiceClient({ ...service, fetch, maxRetries: 0 })
    const unhandled = await unhandledAfter(
      async () => void (await failureOf(client.link.listProviders())),
    )
    expect(unhandled).toEqual([])
  })
})
