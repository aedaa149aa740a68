import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { connectMock } from '../../../mock/remote.ts'
import { serve } from '../../../mock/server.ts'
import {
  ApiError,
  type ClientOptions,
  ConnectionError,
  RequestValidationError,
  ServiceClient,
} from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { orderId, orderInput } from '../../support/samples.ts'
import { json } from '../../support/stub-fetch.ts'

function clientOf(fetch: () => Response | Promise<Response>, options: ClientOptions = {}) {
  return new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    fetch: async () => fetch(),
    maxRetries: 0,
    ...options,
  })
}

/** The part of the message that explains an error response. */
async function explanationOf(response: Response, exposeDetail = true): Promise<string> {
  const client = clientOf(() => response, { exposeDetail })
  const { message } = await failureOf(client.link.listProviders(), ApiError)
  return message
    .replace(/^.* failed with status \d+: /, '')
    .replace(/ \(GET .*\)$/, '')
    .replace(advice, '')
}

/** What messages of the status 400 and 422 advise. */
const advice = ' Correct the request before you retry.'

describe("exposeDetail adds the service's explanation to the message", () => {
  it.each<[string, Response, string]>([
    ['a string', json({ detail: 'Unknown provider' }, 400), 'Unknown provider.'],
    ['a sentence', json({ detail: 'Unknown provider.' }, 400), 'Unknown provider.'],
    ['an object', json({ detail: { code: 7 } }, 400), '{"code":7}.'],
    ['text', new Response('Not today', { status: 400 }), 'Not today.'],
    ['several lines', json({ detail: ' one\r\n two\u0000\u202ethree ' }, 400), 'one two three.'],
    ['no body', new Response('', { status: 400 }), 'the service rejected the request.'],
    ['no detail', json({ error: 'x' }, 400), 'the service rejected the request.'],
    [
      'HTML',
      new Response('<html>Bad</html>', { status: 400 }),
      'the service rejected the request.',
    ],
  ])('%s', async (_, response, expected) => {
    expect(await explanationOf(response)).toBe(expected)
  })

  it('path, message and type of each detail of a 422', async () => {
    const detail = [
      { loc: ['body', 'names', 0, 'first'], msg: 'Field required', type: 'missing' },
      { loc: 'body', msg: 5 },
      null,
    ]
    const found = await explanationOf(json({ detail }, 422))
    expect(found).toBe(
      'body.names[0].first: Field required (missing); request: invalid; request: invalid.',
    )
  })

  it.each([false, true])('a bounded part of a very long path (%s)', async (exposeDetail) => {
    const entry = { loc: ['body', ...Array.from({ length: 10_000 }, () => 'a')], type: 'missing' }
    const response = json({ detail: Array.from({ length: 20 }, () => entry) }, 422)
    const client = clientOf(() => response, { exposeDetail })
    const { message } = await failureOf(client.orders.create(orderInput), ApiError)
    expect(message).toContain('(missing)')
    expect(message.length).toBeLessThan(3000)
  })

  it('at most 20 details and 1,000 characters', async () => {
    const detail = Array.from({ length: 22 }, () => ({ loc: ['a'], msg: 'b', type: 'c' }))
    expect(await explanationOf(json({ detail }, 422))).toMatch(/; and 2 more\.$/)
    const long = await explanationOf(json({ detail: 'x'.repeat(5000) }, 400))
    expect(long).toBe(`${'x'.repeat(1000)}…`)
  })

  it('only if it is set, and otherwise says how to get it', async () => {
    const hidden = await explanationOf(json({ detail: 'Unknown provider' }, 400), false)
    expect(hidden).toBe(
      "the service rejected the request. Read error.detail for the service's explanation, or set exposeDetail: true to include it here.",
    )
    const text = await explanationOf(new Response('Not today', { status: 400 }), false)
    expect(text).toContain('Read error.body')
    expect(await explanationOf(json({}, 400), false)).toBe('the service rejected the request.')
  })

  it.each(['yes', 1, null])('and rejects %j', (value) => {
    expect(() => clientOf(() => json({}), { exposeDetail: value as never })).toThrow(
      'exposeDetail: expected true or false',
    )
  })
})

describe('connections of the mock expose the explanation', () => {
  const booking = { booking_key: 'bk_unknown' }

  it('in process', async () => {
    const team = createMock().team()
    const client = new ServiceClient(team.connection())
    const call = client.orders.bookPhlebotomyAppointment(team.orders.create().id, booking)
    expect((await failureOf(call)).message).toContain('Invalid or expired booking key')
  })

  it('from another process', async () => {
    const server = await serve(createMock(), { port: 0 })
    try {
      const client = new ServiceClient(connectMock(server.url, 'a-suite').connection())
      const error = await failureOf(client.orders.getPhlebotomyAppointment(orderId), ApiError)
      expect(error.message).toContain(`failed with status 404: ${error.detail}`)
    } finally {
      await server.close()
    }
  })
})

describe('what your own function threw is reachable and not printed', () => {
  class VaultError extends Error {}
  const thrown = Object.assign(new VaultError('the vault says sk_live_1'), { code: 'ECONNRESET' })
  const fail = () => {
    throw thrown
  }
  const cases: [string, ServiceClient, new (...facts: never[]) => Error, string][] = [
    ['fetch', clientOf(fail), ConnectionError, 'failed (VaultError, ECONNRESET)'],
    [
      'apiKey',
      clientOf(() => json([]), { apiKey: fail }),
      RequestValidationError,
      'it threw VaultError (ECONNRESET). See error.originalCause',
    ],
  ]

  it.each(cases)('%s', async (_, client, kind, named) => {
    const error = await failureOf(client.link.listProviders())
    expect(error).toBeInstanceOf(kind)
    expect(error.originalCause).toBe(thrown)
    expect(error.cause).toMatchObject({ message: 'VaultError ECONNRESET', code: 'ECONNRESET' })
    expect(error.message).toContain(named)
    const hidden = inspect(error, { showHidden: true, customInspect: false })
    expect(inspect(error) + hidden + JSON.stringify(error) + error.stack).not.toContain('sk_live')
  })

  it('an error of fetch without a known code', async () => {
    const client = clientOf(() => {
      throw new RangeError('https://service.test/secret')
    })
    const { message } = await failureOf(client.link.listProviders())
    expect(message).toBe(
      'link.listProviders failed: the connection to the service failed (RangeError). The request only reads data, so it is safe to retry. See error.originalCause. (GET /v2/providers, 1 attempt)',
    )
  })
})

it('lists how each attempt ended, in whole milliseconds', async () => {
  const responses = [
    new Response('', { status: 503, headers: { 'retry-after': '0.0015' } }),
    new Response('', { status: 502, headers: { 'retry-after': '0' } }),
  ]
  const client = clientOf(() => responses.shift() ?? json({}, 500), { maxRetries: 2 })
  const { message, attempts } = await failureOf(client.link.listProviders())
  expect(message).toContain('(GET /v2/providers, 3 attempts: 503, 502, 500)')
  for (const { duration, delay } of attempts) {
    expect([Number.isInteger(duration), Number.isInteger(delay)]).toEqual([true, true])
  }
})

it('names the last attempts of many', async () => {
  const busy = () => new Response('', { status: 503, headers: { 'retry-after': '0' } })
  const { message } = await failureOf(clientOf(busy, { maxRetries: 11 }).link.listProviders())
  expect(message).toContain(`12 attempts: … ${Array(10).fill('503').join(', ')})`)
})
