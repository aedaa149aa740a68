import { afterEach, expect, it, vi } from 'vitest'
import { createMock, type Mock } from '../../mock/index.ts'
import { ServiceClient } from '../../src/index.ts'
import { insuranceBody, userId, userInfoBody } from '../support/bodies.ts'

interface Server {
  listen(options?: object): void
  use(...handlers: unknown[]): void
  close(): void
}

interface Version {
  name: string
  core: () => Promise<object>
  node: () => Promise<object>
  /** The options that make it reject requests without a handler. */
  options: object
}

const versions: Version[] = [
  {
    name: '3',
    core: () => import('msw'),
    node: () => import('msw/node'),
    options: { onUnhandledFrame: 'error' },
  },
  {
    name: '2.15',
    core: () => import('msw-2'),
    node: () => import('msw-2/node'),
    options: { onUnhandledRequest: 'error' },
  },
  {
    name: '2.10',
    core: () => import('msw-2-10'),
    node: () => import('msw-2-10/node'),
    options: { onUnhandledRequest: 'error' },
  },
]

let server: Server | undefined

afterEach(() => {
  server?.close()
  vi.unstubAllGlobals()
  vi.doUnmock('msw')
  vi.resetModules()
})

/** MSW of a version, answering from a mock. */
async function intercept({ core, node, options }: Version, baseUrl?: string): Promise<Mock> {
  vi.doMock('msw', core)
  const { handlers } = await import('../../mock/msw.ts')
  const mock = createMock()
  // Each version types its own handlers; at run time they are of the version that was imported.
  const { setupServer } = (await node()) as { setupServer(...all: unknown[]): Server }
  server = setupServer(...handlers(mock, baseUrl ? { baseUrl } : {}))
  server.listen(options)
  return mock
}

it.each(versions)('responds to the client through MSW $name', async (version) => {
  const mock = await intercept(version)
  const { apiKey, baseUrl } = mock.connection()
  const client = new ServiceClient({ apiKey, baseUrl })
  expect(await client.users.updateInfo(userId, userInfoBody())).toMatchObject({ first_name: 'Ada' })
  expect(await client.link.listProviders()).not.toHaveLength(0)
})

it.each(versions)(
  'responds where location is undefined, as in Deno, with MSW $name',
  async (version) => {
    vi.stubGlobal('location', undefined)
    const mock = await intercept(version)
    const { apiKey, baseUrl } = mock.connection()
    const client = new ServiceClient({ apiKey, baseUrl })
    expect(await client.link.listProviders()).not.toHaveLength(0)
  },
)

it.each(versions)('lets a page of another origin call the mock with MSW $name', async (version) => {
  const mock = await intercept(version, 'https://api.example.test')
  const url = 'https://api.example.test/v2/providers'
  const origin = 'http://localhost:3000'
  const asked = {
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'x-service-api-key',
  }
  const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin, ...asked } })
  expect([preflight.status, ...preflight.headers]).toEqual([
    204,
    ['access-control-allow-headers', 'x-service-api-key'],
    ['access-control-allow-methods', 'GET'],
    ['access-control-allow-origin', origin],
  ])
  const headers = { origin, 'x-service-api-key': mock.connection().apiKey }
  const response = await fetch(url, { headers })
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
    200,
    origin,
  ])
  expect(mock.defaultTeam.journal.count).toBe(1)
})

it.each(versions)('responds under a base URL of your own with MSW $name', async (version) => {
  const mock = await intercept(version, 'https://api.example.test/v1beta/')
  const { apiKey } = mock.connection()
  const headers = { 'x-service-api-key': apiKey }
  const response = await fetch('https://api.example.test/v1beta/v2/providers?source_type=ble', {
    headers,
  })
  expect(response.status).toBe(200)
})

const baseUrls = [
  'http://[::1]:4010',
  'http://[2001:DB8::1]/base',
  'https://api.example.test/a+b',
  'https://api.example.test/(v1)',
  'https://api.example.test/{team}/v1',
  'https://api.example.test/:team/v1',
  'https://api.example.test/caf\u00e9/',
  'https://caf\u00e9.example.test',
  'https://API.example.test:443/v1.0/*/$&',
  'https://api.example.test/[a-z]|^',
]
const combinations = versions.flatMap((version) => baseUrls.map((base) => ({ version, base })))

it.each(combinations)(
  'handles only requests under $base, with MSW $version.name',
  async ({ version, base }) => {
    const mock = await intercept(version, base)
    const { apiKey } = mock.connection()
    const headers = { 'x-service-api-key': apiKey }
    const root = base.replace(/\/$/, '')
    expect((await fetch(`${root}/v2/providers?source_type=ble`, { headers })).status).toBe(200)
    expect((await fetch(`${root}/v2/%E0%A4%A`, { headers })).status).toBe(404)
    expect(mock.defaultTeam.journal.count).toBe(2)
    const { origin, pathname } = new URL(root)
    const others = [
      `${origin}${pathname.replace(/\/$/, '')}x/v2/providers`,
      'https://other.example.test/v2/providers',
      `https://other.example.test/${root}/v2/providers`,
    ]
    for (const other of others.filter((url) => URL.canParse(url))) {
      await fetch(other, { headers }).catch(() => {})
    }
    expect(mock.defaultTeam.journal.count).toBe(2)
  },
)

it.each(['', '/relative', 'ftp://example.test', 'nonsense'])(
  'rejects the base URL %j',
  async (baseUrl) => {
    const { handlers } = await import('../../mock/msw.ts')
    expect(() => handlers(createMock(), { baseUrl })).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    )
  },
)

it.each(versions)('keeps unknown paths off the network with MSW $name', async (version) => {
  const mock = await intercept(version)
  const { apiKey, baseUrl } = mock.connection()
  const response = await fetch(`${baseUrl}/nowhere`, { headers: { 'x-service-api-key': apiKey } })
  expect(response.status).toBe(404)
})

it.each(versions)('lets a handler of the user win with MSW $name', async (version) => {
  const mock = await intercept(version)
  // As above.
  const { http } = (await version.core()) as typeof import('msw')
  server?.use(http.get(`${mock.baseUrl}/v2/providers`, () => Response.json([{ mine: true }])))
  const response = await fetch(`${mock.baseUrl}/v2/providers`)
  expect(await response.json()).toEqual([{ mine: true }])
})

it.each(versions)('loses a response after its commit through MSW $name', async (version) => {
  const mock = await intercept(version)
  const { apiKey, baseUrl } = mock.connection()
  mock.defaultTeam.faults.add({ on: 'insurance.create', then: 'lose_response' })
  const client = new ServiceClient({ apiKey, baseUrl })
  await expect(client.insurance.create(userId, insuranceBody())).rejects.toMatchObject({
    code: 'connection_failed',
    outcome: 'unknown',
  })
  expect(mock.defaultTeam.insurances.list()).toHaveLength(1)
})

it.each(versions)('prints nothing for an aborted request through MSW $name', async (version) => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {})
  const mock = await intercept(version)
  const { apiKey, baseUrl } = mock.connection()
  const { clock, faults, journal } = mock.defaultTeam
  clock.mode = 'manual'
  faults.add({ then: { latency: '1h' } })
  const controller = new AbortController()
  const { signal } = controller
  const call = new ServiceClient({ apiKey, baseUrl }).link.listProviders({}, { signal })
  await clock.whenWaiting()
  controller.abort()
  await expect(call.then()).rejects.toMatchObject({ code: 'aborted' })
  await expect.poll(() => journal.last()?.outcome).toBe('aborted')
  await new Promise(setImmediate)
  expect(print.mock.calls).toEqual([])
  print.mockRestore()
})

it.each(versions)(
  'carries a cut body through MSW $name, or says that it cannot',
  async (version) => {
    const mock = await intercept(version)
    const { apiKey, baseUrl } = mock.connection()
    mock.defaultTeam.faults.add({ on: 'link.listProviders', then: 'cut_mid_body' })
    const response = await fetch(`${baseUrl}/v2/providers`, {
      headers: { 'x-service-api-key': apiKey },
    })
    if (version.name === '3') {
      expect(response.status).toBe(500)
      expect(await response.text()).toContain("MSW 3 does not support the fault 'cut_mid_body'")
    } else {
      await expect(response.text()).rejects.toThrow()
    }
  },
)

it.each(versions)('rejects with the error of an override through MSW $name', async (version) => {
  const mock = await intercept(version)
  const { apiKey, baseUrl } = mock.connection()
  const error = Object.freeze(new RangeError('thrown by the override'))
  mock.override('link.listProviders', () => {
    throw error
  })
  const client = new ServiceClient({ apiKey, baseUrl })
  await expect(client.link.listProviders().then()).rejects.toBe(error)
  expect(mock.defaultTeam.journal.count).toBe(1)

  const headers = { 'x-service-api-key': apiKey }
  const response = await fetch(`${baseUrl}/v2/providers`, { headers })
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({ detail: 'thrown by the override' })
})

it.each(versions)('waits in virtual time through MSW $name', async (version) => {
  const mock = await intercept(version)
  const { apiKey, baseUrl, clock } = mock.connection()
  const retryAfter = { status: 429, retryAfter: '1h' } as const
  mock.defaultTeam.faults.add({ on: 'labTests.list', when: { first: 1 }, then: retryAfter })
  const client = new ServiceClient({ apiKey, baseUrl, clock, deadline: 10_000_000 })
  await client.link.listProviders() // loads the code of calls
  const limited = client.labTests.list().withResponse()
  // Time jumps by an hour while these requests are on their way through MSW.
  const others = Array.from({ length: 10 }, async (_, turns) => {
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
    return client.link.listProviders().withResponse()
  })
  expect((await limited).response.attempts.map(({ delay }) => delay)).toEqual([0, 3_600_000])
  for (const { response } of await Promise.all(others)) expect(response.attempts).toHaveLength(1)
})
