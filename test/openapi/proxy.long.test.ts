import { createClientFromOperations } from '@stoplight/prism-http/dist/client.js'
import { getHttpOperationsFromSpec } from '@stoplight/prism-http/dist/utils/operations.js'
import { afterEach, expect, it } from 'vitest'
import { createConformanceSetup } from '../../mock/remote/conformance-setup.ts'
import { type MockServer, serve } from '../../mock/server/server.ts'
import { runConformance } from '../../src/conformance/index.ts'
import { openApi } from '../../src/openapi/document.ts'

let server: MockServer | undefined
afterEach(() => server?.close())

interface Exchange {
  line: string
  status: number
  /** Violations in the request, according to the proxy. */
  request: string[]
  /** Violations in the response, according to the proxy. */
  response: string[]
}

type Logger = NonNullable<Parameters<typeof createClientFromOperations>[1]['logger']>

const ignore = () => {}
// The part of a logger that the proxy uses.
const silent = {
  info: ignore,
  warn: ignore,
  error: ignore,
  debug: ignore,
  success: ignore,
} as unknown as Logger
Object.assign(silent, { child: () => silent })

/** Starts a proxy that validates responses, and requests if `rejects` is true; returns it with all exchanges. */
async function proxyToMock({ rejects = false } = {}) {
  server = await serve({ clock: 'auto' }, { strictKeys: true })
  const { url, mock } = server
  const operations = await getHttpOperationsFromSpec({ ...openApi({ url }) })
  const prism = createClientFromOperations(operations, {
    isProxy: true,
    upstream: new URL(url),
    upstreamProxy: undefined,
    validateRequest: rejects,
    validateResponse: true,
    checkSecurity: rejects,
    errors: false,
    mock: { dynamic: false },
    logger: silent,
  })
  const exchanges: Exchange[] = []
  const proxy = async (input: Request | string | URL, init: RequestInit = {}) => {
    const { pathname, search } = new URL(String(input))
    const headers = Object.fromEntries(new Headers(init.headers))
    // The proxy supports only text and JSON bodies, and only documented paths.
    const isPlain = /json|\*/.test(headers['accept'] ?? '*') && !pathname.endsWith('pdf')
    if (!isPlain || isUnknown(pathname) || isMalformed(init.body)) return fetch(input, init)
    const { status, data, violations } = await prism.request(pathname + search, {
      method: (init.method ?? 'GET').toLowerCase() as 'get',
      headers,
      ...(typeof init.body === 'string' ? { body: JSON.parse(init.body) } : {}),
    })
    exchanges.push({
      line: `${init.method} ${pathname}`,
      status,
      request: violations.input.map(({ message }) => message),
      response: violations.output.map(({ message }) => message),
    })
    return Response.json(data, { status })
  }
  return { mock, url, proxy, exchanges }
}

const known = Object.keys(openApi().paths).map(
  (path) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
)

function isUnknown(path: string): boolean {
  return !known.some((pattern) => pattern.test(path))
}

function isMalformed(body: unknown): boolean {
  if (typeof body !== 'string') return false
  try {
    JSON.parse(body)
    return false
  } catch {
    return true
  }
}

async function conformance({ mock, url, proxy }: Awaited<ReturnType<typeof proxyToMock>>) {
  const { results } = await runConformance({
    apiKey: mock.connection().apiKey,
    baseUrl: url,
    fetch: proxy,
    setup: createConformanceSetup(mock),
  })
  return results.filter(({ outcome }) => outcome === 'failed')
}

it('has no violation in any response of the conformance run, according to an independent proxy', async () => {
  const proxied = await proxyToMock()
  expect(await conformance(proxied)).toEqual([])
  const { exchanges } = proxied
  expect(exchanges.length).toBeGreaterThan(400)
  expect(exchanges.filter(({ status }) => status === 422).length).toBeGreaterThan(50)
  expect(exchanges.filter(({ response }) => response.length > 0)).toEqual([])
})

it('allows every valid request of the conformance run', async () => {
  const proxied = await proxyToMock({ rejects: true })
  // The proxy rejects invalid requests before they reach the mock. If it rejects a valid one, a case fails.
  expect(await conformance(proxied)).toEqual([])
  const rejected = proxied.exchanges.filter(({ request }) => request.length > 0)
  expect(rejected.length).toBeGreaterThan(50)
})

it('detects a response that violates the document', async () => {
  const { mock, url, proxy, exchanges } = await proxyToMock()
  mock.override('link.listProviders', () => ({ body: [{ slug: 7 }] }))
  const { apiKey } = mock.connection()
  await runConformance({ apiKey, baseUrl: url, fetch: proxy, only: ['5/right-key'] })
  expect(exchanges[0]?.response).not.toEqual([])
})
