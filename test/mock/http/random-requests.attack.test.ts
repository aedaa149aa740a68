import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { controlEndpoints } from '../../../mock/control/operations.ts'
import { createMock } from '../../../mock/index.ts'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { insuranceBody, recipe, userId, userInfoBody } from '../../support/bodies.ts'
import { runsOf } from '../../support/long-tests.ts'
import { fc } from '../../support/properties.ts'
import { deep, served } from '../server/served-mock.ts'

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    '.',
    '..',
    '__proto__',
    'constructor',
    '%',
    '%2e%2e',
    '%E0%A4%A',
    '\0',
    '/',
    '//',
    userId,
    '1',
    '-1',
    '1e9',
    'true',
    'null',
  ),
)

/** A path of an endpoint with odd parameters, or any other. */
function paths(templates: readonly string[]): fc.Arbitrary<string> {
  const filled = fc
    .tuple(fc.constantFrom(...templates), fc.infiniteStream(fc.oneof(fc.constant(userId), oddText)))
    .map(([template, values]) =>
      template.replace(/\{\w+\}/g, () => encodeURIComponent(values.next().value.toWellFormed())),
    )
  return fc.oneof(
    { weight: 5, arbitrary: filled },
    fc.webPath(),
    oddText.map((odd) => `/${odd}`),
  )
}

/** Any value, and often one that is nearly right. */
function bodies(samples: readonly object[]): fc.Arbitrary<string> {
  const spoilt = fc
    .tuple(
      fc.constantFrom(...samples),
      fc.array(fc.tuple(oddText, fc.jsonValue()), { maxLength: 2 }),
    )
    .chain(([sample, extra]) => {
      const keys = [...Object.keys(sample), 'none']
      return fc.tuple(fc.constantFrom(...keys), fc.jsonValue()).map(([key, value]) =>
        JSON.stringify({
          ...sample,
          [key]: key === 'none' ? 1 : value,
          ...Object.fromEntries(extra),
        }),
      )
    })
  const whole = fc.constantFrom(...samples).map((sample) => JSON.stringify(sample))
  const levels = fc.constantFrom(...samples).map((sample) => {
    return JSON.stringify(sample).replace('{', `{"none":${deep(20_000)},`)
  })
  return fc.oneof({ weight: 3, arbitrary: spoilt }, whole, fc.json(), oddText, levels)
}

const queries = fc
  .dictionary(
    fc.oneof(
      fc.constantFrom(
        'page',
        'size',
        'lab_id',
        'lab_slug',
        'name',
        'a_la_carte_enabled',
        'next_cursor',
        'page_size',
        'lab_test_limit',
        'start_date',
        'end_date',
        'provider',
        'lab_account_id',
        'expires',
        'signature',
        'last',
        'after',
        'on',
      ),
      oddText,
    ),
    fc.oneof(fc.constantFrom('2025-06-01', '1', 'true'), oddText),
    { maxKeys: 3 },
  )
  .map((fields) => String(new URLSearchParams(fields)))

const methods = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE') },
  fc.constantFrom('HEAD', 'OPTIONS', 'QUERY', '__proto__', 'get'),
)

describe('any request', () => {
  const serviceBodies = [
    userInfoBody(),
    insuranceBody(),
    { provider: 'oura', connections: [recipe(userId)] },
    { booking_key: 'bk_confirm' },
    { lab_test_ids: [userId], add_on: { provider_ids: ['1'] } },
    {
      timeframe: { type: 'relative', anchor: '2025-06-01', past: { unit: 'day', value: 7 } },
      queries: [{ select: [{ arg: { sleep: 'score' }, func: 'mean' }] }],
    },
  ]
  const requests = fc.record({
    method: methods,
    path: paths([...endpoints.map(({ path }) => path), '/requisitions/{ordinal}/{id}.pdf']),
    query: queries,
    body: fc.option(bodies(serviceBodies), { nil: undefined }),
    headers: fc.dictionary(
      fc.constantFrom(
        'accept',
        'content-type',
        'x-request-id',
        'x-idempotency-key',
        'content-length',
      ),
      fc.oneof(fc.constant('application/json'), fc.string({ maxLength: 10 })),
    ),
  })

  /** What the specification documents: 500 is the outcome of a booking alone. */
  function expectDocumented(status: number, path: string): void {
    expect(status).toBeGreaterThanOrEqual(200)
    if (status >= 500) expect(path).toMatch(/appointment\/book$/)
  }

  it('gets a documented status from the mock in process, and stays in its journal', async () => {
    const mock = createMock()
    const { apiKey, baseUrl, fetch } = mock.connection()
    await fc.assert(
      fc.asyncProperty(requests, async ({ method, path, query, body, headers }) => {
        const url = `${baseUrl}${path}?${query}`
        if (!URL.canParse(url)) return
        const type = { 'content-type': 'application/json' }
        const sent = { 'x-service-api-key': apiKey, ...type, ...headers }
        if (!isSendable(sent)) return
        const hasBody = body !== undefined && !/^(?:get|head)$/i.test(method)
        const init = { method, headers: sent, ...(hasBody ? { body } : {}) }
        const response = await fetch(url, init)
        expectDocumented(response.status, path)
        const content = await response.text()
        const isJson = response.headers.get('content-type') === 'application/json'
        if (isJson && method !== 'HEAD') JSON.parse(content)
      }),
      { numRuns: runsOf(600) },
    )
    const { journal } = mock.defaultTeam
    expect(JSON.stringify(await journal.har())).toContain('"version":"1.2"')
    expect(journal.requests().filter(({ outcome }) => outcome !== 'responded')).toEqual([])
    expect(JSON.stringify(mock.defaultTeam.reproduction()).length).toBeGreaterThan(100)
  })

  it('gets no server error from the control API', async () => {
    const server = await served()
    const { apiKey } = server.mock.defaultTeam
    const samples = [
      { user_id: userId },
      { user_id: userId, provider: 'oura' },
      { user_id: userId, resource: 'sleep', values: { score: 80 } },
      { on: '*', when: { nth: 1 }, then: { latency: 1 } },
      { mode: 'auto' },
      { by: 1 },
      { to: '2025-06-01T10:00:00Z' },
      { outcome: 'confirm', after: '1s' },
      { event_type: 'daily.data.sleep.created', overrides: {} },
      { status: 'cancelled' },
      { sign_in_token: 'none' },
    ]
    // It waits for requests that never come.
    const templates = controlEndpoints
      .map(({ path }) => path)
      .filter((path) => path !== '/clock/when_waiting')
    await fc.assert(
      fc.asyncProperty(
        methods,
        paths(templates),
        queries,
        bodies(samples),
        async (method, path, query, body) => {
          const url = `${server.url}/__mock__/api${path}?${query}`
          if (!URL.canParse(url) || ['HEAD', 'OPTIONS', '__proto__', 'get'].includes(method)) return
          const init = {
            method,
            headers: { 'x-service-api-key': apiKey },
            ...(method === 'GET' ? {} : { body }),
          }
          const response = await fetch(url, init)
          expect(
            response.status,
            `${method} ${path} ${body}: ${await response.text()}`,
          ).toBeLessThan(500)
        },
      ),
      { numRuns: runsOf(500) },
    )
  })

  it('gets a response or a closed connection over a raw socket, and the server keeps running', async () => {
    const server = await served()
    const { port } = new URL(server.url)
    const { apiKey } = server.mock.defaultTeam
    const targets = [
      '*',
      '/',
      '//',
      '/%',
      '/%00',
      '/?',
      '/__mock__',
      '/__mock__/api/users/..',
      '/__mock__/api/%2e%2e',
      'http://[',
      'http://other/v2/providers',
      '/v2/providers#x',
      `/${'a/'.repeat(4000)}`,
      `/v2/user/${'%'.repeat(4000)}/info`,
      '/v2/providers?'.padEnd(8000, '&=%'),
    ]
    for (const target of targets) {
      for (const method of ['GET', 'POST', 'OPTIONS', 'QUERY', 'CONNECT', 'NONSENSE']) {
        const socket: Socket = connect(Number(port), '127.0.0.1')
        socket.end(
          `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nx-service-api-key: ${apiKey}\r\nConnection: close\r\n\r\n`,
        )
        socket.on('error', () => {})
        const [head = ''] = (await text(socket).catch(() => '')).split('\r\n')
        expect(head, `${method} ${target.slice(0, 40)}`).toMatch(/^(?:HTTP\/1\.1 [234]\d\d .*)?$/)
      }
    }
    expect(
      (await fetch(`${server.url}/v2/providers`, { headers: { 'x-service-api-key': apiKey } }))
        .status,
    ).toBe(200)
  })
})

function isSendable(headers: Record<string, string>): boolean {
  try {
    return Boolean(new Headers(headers))
  } catch {
    return false
  }
}
