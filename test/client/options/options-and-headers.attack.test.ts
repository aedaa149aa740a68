import { describe, expect, it, onTestFinished } from 'vitest'
import type * as api from '../../../src/index.ts'
import { type ClientOptions, RequestValidationError, ServiceClient } from '../../../src/index.ts'
import { instrument } from '../../../src/otel.ts'
import { failureOf } from '../../support/failure.ts'
import { respondWith, scriptedServer } from '../../support/programs/scripted-server.ts'
import { orderId, orderInput, recipe, userId } from '../../support/samples.ts'
import { clientWith, service, timeframe } from '../attacked-client.ts'

describe('only own fields are read', () => {
  it('sends no header, parameter or field from a polluted prototype', async () => {
    const prototype = Object.prototype as unknown as Record<string, unknown>
    prototype['x-polluted'] = 'yes'
    onTestFinished(() => void delete prototype['x-polluted'])
    const { client, requests } = clientWith([], { headers: { 'x-team': 'a' } })
    await client.link.listProviders({}, { headers: { 'x-other': 'b' } })
    await client.request('POST', '/v9', { body: {}, query: { a: 1 } })
    for (const { headers, url, body } of requests) {
      expect(headers.get('x-polluted')).toBeNull()
      expect(url.href).not.toContain('polluted')
      expect(Object.keys(Object(body))).toEqual([])
    }
  })

  it.each(['constructor', '__proto__', 'toString'])('so that {%s} is missing', async (name) => {
    const { client } = clientWith({})
    const call = client.request('GET', `/v9/{${name}}`, { params: { other: 'x' } })
    const error = await failureOf(call, RequestValidationError)
    expect(error.issues).toMatchObject([{ path: name }])
  })
})

describe('headers', () => {
  class Pairs {
    *[Symbol.iterator](): Generator<[string, string]> {
      yield ['X-Team', 'a']
    }
  }
  it.each<[string, api.ExtraHeaders]>([
    ['an object', { 'X-Team': 'a' }],
    ['Headers', new Headers({ 'X-Team': 'a' })],
    ['a list of pairs', [['X-Team', 'a']]],
    ['a Map', new Map([['X-Team', 'a']])],
    ['an iterable', new Pairs()],
  ])('can be %s, of the client and of a call', async (_, headers) => {
    const { client, requests } = clientWith([], { headers })
    await client.link.listProviders()
    const other = clientWith([])
    await other.client.link.listProviders({}, { headers })
    await other.client.request('GET', '/v9', { headers })
    for (const { headers: sent } of [...requests, ...other.requests]) {
      expect(sent.get('x-team')).toBe('a')
    }
  })

  it('of the same name are sent together', async () => {
    const headers = [
      ['x-tag', 'a'],
      ['X-Tag', 'b'],
    ] as const
    const { client, requests } = clientWith([])
    await client.link.listProviders({}, { headers })
    expect(requests[0]?.headers.get('x-tag')).toBe('a, b')
  })

  it.each<[string, unknown, string]>([
    ['a number', 5, 'headers: expected'],
    ['a string', 'x-team: a', 'headers: expected'],
    ['null', null, 'headers: expected'],
    ['pairs of three', [['x-team', 'a', 'b']], 'headers: expected'],
    ['pairs without a value', [['x-team']], 'headers.x-team: expected'],
    ['the key as pair', [['X-Service-Api-Key', 'k']], 'headers.X-Service-Api-Key: expected'],
    ['the key in Headers', new Headers({ 'x-service-api-key': 'k' }), 'headers.x-service-api-key'],
    ['a line break', new Map([['x-team', 'a\r\nb']]), 'headers.x-team: expected'],
    ['a key as the name', [['sk_test_1', undefined]], 'headers.*: expected'],
    ['an address as the name', { 'jane.doe': 5 }, 'headers.*: expected'],
  ])('are rejected when they are %s', async (_, headers, told) => {
    const options = { ...service, headers: headers as api.ExtraHeaders }
    expect(() => new ServiceClient(options)).toThrow(RequestValidationError)
    expect(() => new ServiceClient(options)).toThrow(told)
    const { client, requests } = clientWith([])
    const call = client.link.listProviders({}, { headers: options.headers })
    expect((await failureOf(call, RequestValidationError)).message).toContain(told)
    expect(requests).toEqual([])
  })
})

describe('options', () => {
  it.each<[object, string]>([
    [{ hooks: 5 }, 'hooks: expected an object of functions'],
    [{ logger: 5 }, 'logger: expected an object of functions'],
    [{ hooks: null }, 'hooks: expected an object of functions'],
    [{ hooks: { retry: 5 } }, 'hooks.retry: expected a function'],
    [{ logger: { warn: 'on' } }, 'logger.warn: expected a function'],
    [{ timout: 5 }, "Unknown option 'timout'. Did you mean timeout?"],
    [{ baseURL: 'https://x.test' }, "Unknown option 'baseURL'. Did you mean baseUrl?"],
    [{ api_key: 'k' }, "Unknown option 'api_key'. Did you mean apiKey?"],
    [{ retries: 5 }, "Unknown option 'retries'. Did you mean maxRetries?"],
    [{ colour: 5 }, "Unknown option 'colour'. Use one of apiKey, baseUrl, timeout,"],
    [{ 'jane@example.com': 5 }, 'Unknown option. Use one of apiKey'],
  ])('of a client: %j is rejected', (options, told) => {
    for (const given of [{ ...service, ...options }, instrument({ ...service, ...options })]) {
      expect(() => new ServiceClient(given)).toThrow(RequestValidationError)
      expect(() => new ServiceClient(given)).toThrow(told)
    }
  })

  it.each([[null], [5], ['key']])('of a client that are %j are rejected', (options) => {
    expect(() => new ServiceClient(options as never)).toThrow(RequestValidationError)
  })

  it.each<[unknown, string]>([
    [{ timout: 5 }, "Unknown option 'timout'. Did you mean timeout?"],
    [{ Deadline: 5 }, "Unknown option 'Deadline'. Did you mean deadline?"],
    [{ constructor: 5 }, "Unknown option 'constructor'. Use one of signal, timeout,"],
    [{ signal: 5 }, 'signal: expected an AbortSignal'],
    [null, 'options: expected an object of options'],
    [5, 'options: expected an object of options'],
  ])('of a call: %j is rejected', async (options, told) => {
    const { client, requests } = clientWith([])
    const given = options as api.RequestOptions
    const calls = [
      client.link.listProviders({}, given),
      client.labTests.listMarkers({}, given),
      client.orders.downloadRequisition(orderId, given),
      client.link.bulkImportAll('oura', [recipe], given),
      client.aggregate.queryEach([userId], { timeframe, queries: [] }, given as never).next(),
    ]
    for (const call of calls) {
      expect((await failureOf(call, RequestValidationError)).message).toContain(told)
    }
    expect(requests).toEqual([])
  })

  it('that are undefined count as missing', async () => {
    const { client } = clientWith([], { timout: undefined } as ClientOptions)
    const options = { timeout: undefined, headers: undefined, signal: undefined, more: undefined }
    await expect(client.link.listProviders({}, options)).resolves.toEqual([])
  })
})

describe('a header that fetch rejects', () => {
  it.each([
    ['transfer-encoding', 'chunked'],
    ['expect', '100-continue'],
    ['keep-alive', 'timeout=5'],
    ['upgrade', 'websocket'],
  ])('has the outcome not-sent: %s', async (name, value) => {
    const server = await scriptedServer(respondWith(200, { order: { id: orderId } }))
    const options = { apiKey: 'key', baseUrl: server.baseUrl, headers: { [name]: value } }
    const client = new ServiceClient({ ...options, maxRetries: 0 })
    const error = await failureOf(client.orders.create(orderInput))
    expect(error).toMatchObject({ code: 'connection_failed', outcome: 'not-sent' })
    expect(server.requests).toEqual([])
  })
})
