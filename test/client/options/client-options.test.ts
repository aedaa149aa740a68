import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  type ClientOptions,
  type DeprecationEvent,
  RequestValidationError,
  ServiceClient,
} from '../../../src/index.ts'
import { labTestId } from '../../support/samples.ts'
import { json, stubFetch } from '../../support/stub-fetch.ts'
import { baseUrl, clientWith, order } from '../request-client.ts'

describe('the options of a client', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
  })

  it.each<[string, ClientOptions, string]>([
    [
      'no key',
      { baseUrl },
      'Pass it as the apiKey option, or set the SERVICE_API_KEY environment variable',
    ],
    ['an empty key', { baseUrl, apiKey: '' }, 'apiKey: expected'],
    ['a key with a line break', { baseUrl, apiKey: 'a\nb' }, 'apiKey: expected'],
    [
      'no base URL',
      { apiKey: 'k' },
      "baseUrl: expected the service's URL. Pass it as the baseUrl option, or set",
    ],
    [
      'a base URL with another scheme',
      { apiKey: 'k', baseUrl: 'ftp://service.test' },
      'baseUrl: expected',
    ],
    [
      'a base URL with credentials',
      { apiKey: 'k', baseUrl: 'https://a:b@service.test' },
      'baseUrl: expected',
    ],
    [
      'a base URL with a query',
      { apiKey: 'k', baseUrl: 'https://service.test?a=1' },
      'baseUrl: expected',
    ],
    [
      'a base URL with a fragment',
      { apiKey: 'k', baseUrl: 'https://service.test#a' },
      'baseUrl: expected',
    ],
    ['an invalid base URL', { apiKey: 'k', baseUrl: 'service.test' }, 'baseUrl: expected'],
    [
      'an invalid fetch',
      { apiKey: 'k', baseUrl, fetch: 'fetch' as never },
      'fetch: expected a function',
    ],
    [
      'no concurrency',
      { apiKey: 'k', baseUrl, maxConcurrency: 0 },
      'maxConcurrency: expected an integer from 1',
    ],
    [
      'an infinite timeout',
      { apiKey: 'k', baseUrl, timeout: Number.POSITIVE_INFINITY },
      'timeout: expected',
    ],
  ])('rejects %s', (_, options, told) => {
    vi.stubEnv('SERVICE_API_KEY', undefined)
    vi.stubEnv('SERVICE_BASE_URL', undefined)
    expect(() => new ServiceClient(options)).toThrow(RequestValidationError)
    expect(() => new ServiceClient(options)).toThrow(told)
  })

  it('default to environment variables', async () => {
    vi.stubEnv('SERVICE_API_KEY', 'from-environment')
    vi.stubEnv('SERVICE_BASE_URL', 'https://environment.test')
    const { fetch, requests } = stubFetch(() => json([]))
    await new ServiceClient({ fetch }).link.listProviders()
    expect(requests[0]?.url.href).toBe('https://environment.test/v2/providers')
    expect(requests[0]?.headers.get('x-service-api-key')).toBe('from-environment')
  })

  it('name the environment variable that has an invalid value', () => {
    vi.stubEnv('SERVICE_API_KEY', 'with a space')
    vi.stubEnv('SERVICE_BASE_URL', 'environment.test')
    const variable = (name: string) => `in the ${name} environment variable`
    expect(() => new ServiceClient({ baseUrl })).toThrow(variable('SERVICE_API_KEY'))
    expect(() => new ServiceClient({ apiKey: 'k' })).toThrow(variable('SERVICE_BASE_URL'))
    const invalid = () => new ServiceClient({ apiKey: 'k', baseUrl: 'service.test' })
    expect(invalid).toThrow('without credentials, query or fragment.')
  })

  it('reject browsers without dangerouslyAllowBrowser', () => {
    vi.stubGlobal('window', {})
    vi.stubGlobal('document', {})
    const options = { apiKey: 'k', baseUrl }
    expect(() => new ServiceClient(options)).toThrow('dangerouslyAllowBrowser')
    expect(new ServiceClient({ ...options, dangerouslyAllowBrowser: true })).toBeInstanceOf(
      ServiceClient,
    )
  })

  it('report no deprecated field that is null or missing', async () => {
    const events: DeprecationEvent[] = []
    const { client } = clientWith(order, {
      hooks: { deprecation: (event) => void events.push(event) },
    })
    await client.orders.create({ order_set: {} } as never)
    await client.orders.create({ order_set: {}, lab_test_id: null } as never)
    await client.orders.create({ order_set: {}, lab_test_id: undefined } as never)
    expect(events).toEqual([])
  })

  it('report the first use of a deprecated request field once', async () => {
    const events: DeprecationEvent[] = []
    const { client } = clientWith(order, {
      hooks: { deprecation: (event) => void events.push(event) },
    })
    await client.orders.create({ order_set: {} } as never)
    await client.orders.create({ lab_test_id: labTestId } as never)
    await client.orders.create({ lab_test_id: labTestId } as never)
    expect(events).toEqual([
      {
        operation: 'orders.create',
        route: 'POST /v3/order',
        field: 'lab_test_id',
        replacement: 'order_set',
      },
    ])
  })
})
