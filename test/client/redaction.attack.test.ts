import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import {
  type DriftEvent,
  RequestValidationError,
  ServiceClient,
  type ServiceError,
} from '../../src/index.ts'
import { failureOf } from '../support/failure.ts'
import { provider, userId, userInfo } from '../support/samples.ts'
import { json } from '../support/stub-fetch.ts'
import { clientWith, service, timeframe } from './attacked-client.ts'

describe('possible data is never printed', () => {
  const secret = 'jane@secret.example'

  function observed() {
    const lines: unknown[] = []
    const observe = (...line: unknown[]) => void lines.push(line)
    const hooks = { request: observe, response: observe, retry: observe, drift: observe }
    return { lines, options: { hooks, logger: { debug: observe, warn: observe } } }
  }

  it.each(['x-request-id', 'traceresponse'])('of the response header %s', async (name) => {
    for (const status of [200, 400, 503]) {
      const { lines, options } = observed()
      const fetch = async () => json([], status, { [name]: secret, 'retry-after': '0' })
      const client = new ServiceClient({ ...service, fetch, maxRetries: 1, ...options })
      const error = await Promise.resolve(client.link.listProviders()).catch((reason) => reason)
      expect(inspect([lines, error, JSON.stringify(error)], { depth: 9 })).not.toContain('jane')
    }
  })

  it.each(['req_1_7', '1-5759e988-bd862e3fe1be46a994272793', '00-0af7651916cd43dd-b7ad-01'])(
    'but the request id %s is',
    async (id) => {
      const fetch = async () => json({}, 400, { 'x-request-id': id })
      const client = new ServiceClient({ ...service, fetch })
      expect((await failureOf(client.link.listProviders())).requestId).toBe(id)
    },
  )

  it.each([
    ['/x/{jane}/jane@secret.example', '/x/{jane}/*'],
    ['/v9/user/{user_id}/lab_tests/order-sets', '/v9/user/{user_id}/lab_tests/order-sets'],
    ['/v9/6ba7b810-9dad-11d1-80b4-00c04fd430c8/{id}', '/v9/*/{id}'],
    ['/v9/ffeeddcc-9dad-11d1-80b4-00c04fd430c8/{id}', '/v9/*/{id}'],
    ['/v9/Jane/{id}/4155550100/', '/v9/*/{id}/*/'],
    ['/v9/jane%40secret.example/{id}/req_1_7', '/v9/*/{id}/*'],
    ['/v9/jane.{id}', '/v9/*'],
    ['/v9/{4155550100}/{id}', '/v9/*/{id}'],
  ])('of the path %s', async (path, shown) => {
    const { lines, options } = observed()
    const fetch = async () => json({}, 400)
    const client = new ServiceClient({ ...service, fetch, ...options })
    const params = { jane: 'x', user_id: 'x', id: 'x', '4155550100': 'x' }
    const error = await failureOf(client.request('GET', path, { params }))
    expect(error.route).toBe(`GET ${shown}`)
    if (path !== shown) expect(inspect([lines, error], { depth: 9 })).not.toContain(path)
  })
})

describe('no field name that the specification does not know is printed', () => {
  const name = 'jane.doe@example.com'

  function printed(error: ServiceError): string {
    return [error.message, error.stack, JSON.stringify(error)].join('\n')
  }

  it.each([name, 'JaneDoe', '__proto__', 'constructor'])('as drift: %s', async (key) => {
    const events: DriftEvent[] = []
    const lines: unknown[] = []
    const logger = { warn: (...line: unknown[]) => void lines.push(line) }
    const hooks = { drift: (event: DriftEvent) => void events.push(event) }
    const item = JSON.parse(JSON.stringify({ ...provider, KEY: 1 }).replace('KEY', key))
    const { client } = clientWith([item], { hooks, logger })
    await client.link.listProviders()
    expect(events).toMatchObject([{ kind: 'field', path: 'response[].*' }])
    expect(JSON.stringify([events, lines])).not.toContain(key)
  })

  it.each<[string, unknown]>([
    ['a table', { results: [{ table: { [name]: 5 } }] }],
    ['an object', { [name]: [] }],
  ])('in the issues of a response: %s', async (_, body) => {
    const { client } = clientWith(body)
    const error = await failureOf(client.aggregate.query(userId, { timeframe, queries: [] }))
    expect(error.code).toBe('response_invalid')
    expect(printed(error)).not.toContain(name)
  })

  it('in the issues of a request', async () => {
    const { client } = clientWith({})
    const call = client.aggregate.query(userId, {
      timeframe,
      queries: [{ select: [{ arg: { [name]: 5 as never }, func: 'mean' }] }],
    })
    const error = await failureOf(call, RequestValidationError)
    expect(error.issues).toMatchObject([{ path: 'body.queries[0].select[0].arg.*' }])
    expect(printed(error)).not.toContain(name)
  })

  it('in the issues of a 422, where a number is not an array index', async () => {
    const detail = [
      { loc: ['body', name], type: 'missing' },
      { loc: ['body', 'address', 4155550100], type: 'missing' },
    ]
    const fetch = async () => json({ detail }, 422)
    const client = new ServiceClient({ ...service, fetch })
    const error = await failureOf(client.users.updateInfo('u', userInfo))
    expect(error.message).toContain('body.* (missing); body.address.* (missing)')
    expect(printed(error)).not.toMatch(/jane\.doe|4155550100/)
  })
})
