import { createClientFromOperations } from '@stoplight/prism-http/dist/client.js'
import { getHttpOperationsFromSpec } from '@stoplight/prism-http/dist/utils/operations.js'
import { afterEach, expect, it } from 'vitest'
import { conformanceSetup } from '../../mock/remote/conformance-setup.ts'
import { type MockServer, serve } from '../../mock/server/server.ts'
import { runConformance } from '../../src/conformance/index.ts'
import { openApi } from '../../src/openapi/document.ts'

let server: MockServer | undefined
afterEach(() => server?.close())

interface Exchange {
  line: string
  status: number
  /** What the proxy finds wrong with the request. */
  request: string[]
  /** What the proxy finds wrong with the answer. */
  answer: string[]
}

type Logger = NonNullable<Parameters<typeof createClientFromOperations>[1]['logger']>

const say = () => {}
// As much of a logger as the proxy uses.
const silent = { info: say, warn: say, error: say, debug: say, success: say } as unknown as Logger
Object.assign(silent, { child: () => silent })

/** A proxy that holds every answer against the document, and requests where it `refuses`; and what it found. */
async function proxyToMock({ refuses = false } = {}) {
  server = await serve({ clock: 'auto' }, { strictKeys: true })
  const { url, mock } = server
  const operations = await getHttpOperationsFromSpec({ ...openApi({ url }) })
  const prism = createClientFromOperations(operations, {
    isProxy: true,
    upstream: new URL(url),
    upstreamProxy: undefined,
    validateRequest: refuses,
    validateResponse: true,
    checkSecurity: refuses,
    errors: false,
    mock: { dynamic: false },
    logger: silent,
  })
  const exchanges: Exchange[] = []
  const proxy = async (input: Request | string | URL, init: RequestInit = {}) => {
    const { pathname, search } = new URL(String(input))
    const headers = Object.fromEntries(new Headers(init.headers))
    // The proxy takes and gives bodies as text and JSON only, and knows no other paths.
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
      answer: violations.output.map(({ message }) => message),
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
  return typeof body === 'string' && !body.endsWith('}')
}

async function conformance({ mock, url, proxy }: Awaited<ReturnType<typeof proxyToMock>>) {
  const { results } = await runConformance({
    apiKey: mock.connection().apiKey,
    baseUrl: url,
    fetch: proxy,
    setup: conformanceSetup(mock),
  })
  return results.filter(({ outcome }) => outcome === 'failed')
}

it('shows an independent proxy no violation in any answer of the conformance run', async () => {
  const proxied = await proxyToMock()
  expect(await conformance(proxied)).toEqual([])
  const { exchanges } = proxied
  expect(exchanges.length).toBeGreaterThan(400)
  expect(exchanges.filter(({ status }) => status === 422).length).toBeGreaterThan(50)
  expect(exchanges.filter(({ answer }) => answer.length > 0)).toEqual([])
}, 60_000)

it('asks in ways that the document allows wherever the service is to take it', async () => {
  const proxied = await proxyToMock({ refuses: true })
  // The proxy refuses by the document, before the mock is asked: a refusal too many fails a case.
  expect(await conformance(proxied)).toEqual([])
  const refused = proxied.exchanges.filter(({ request }) => request.length > 0)
  expect(refused.length).toBeGreaterThan(50)
}, 60_000)

it('sees an answer that the document does not allow', async () => {
  const { mock, url, proxy, exchanges } = await proxyToMock()
  mock.override('link.listProviders', () => ({ body: [{ slug: 7 }] }))
  const { apiKey } = mock.connection()
  await runConformance({ apiKey, baseUrl: url, fetch: proxy, only: ['5/right-key'] })
  expect(exchanges[0]?.answer).not.toEqual([])
})
