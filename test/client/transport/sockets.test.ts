import { type AddressInfo, createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  AbortError,
  ApiError,
  ConnectionError,
  InternalServerError,
  RateLimitError,
  ResponseValidationError,
  ServiceClient,
  type ServiceError,
  TimeoutError,
} from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { sampled } from '../../support/long-tests.ts'
import { operations } from '../../support/operations.ts'
import {
  announceOnly,
  type Behaviour,
  closedPort,
  cutBody,
  loseResponse,
  redirectTo,
  respondWith,
  respondWithText,
  scriptedServer,
  scriptedServerAt,
  stallBeforeHead,
  stallInBody,
} from '../../support/programs/scripted-server.ts'
import { provider, userId } from '../../support/samples.ts'

const apiKey = 'sk_test'
const soon = { 'retry-after': '0' }

// Chance below its range makes the first wait between attempts 50 ms; no chance gives less than 250.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(-0.8))
afterEach(() => vi.restoreAllMocks())

describe.each(sampled(Object.entries(operations), 2))('%s', (_, { run, good, repeats }) => {
  const once = { maxRetries: 1 }

  it.each([
    ['429 with Retry-After in seconds', respondWith(429, { detail: 'slow down' }, soon)],
    [
      '429 with Retry-After as a date',
      respondWith(429, undefined, { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }),
    ],
    ['503 with Retry-After', respondWith(503, undefined, soon)],
  ])('retries after %s, because the request had no effect', async (_, refusal) => {
    const server = await scriptedServer(refusal, refusal, respondWith(200, good))
    const client = new ServiceClient({ apiKey, baseUrl: server.baseUrl })
    await expect(run(client)).resolves.toBeDefined()
    expect(server.requests).toHaveLength(3)
  })

  it("fails immediately with the service's error when Retry-After exceeds the deadline", async () => {
    const server = await scriptedServer(
      respondWith(429, { detail: 'later' }, { 'retry-after': '3600' }),
    )
    const client = new ServiceClient({ apiKey, baseUrl: server.baseUrl })
    const before = Date.now()
    const error = await failureOf(run(client), RateLimitError)
    expect(error).toMatchObject({ outcome: 'rejected', status: 429 })
    expect(error.message).toContain('Increase the deadline option')
    expect(error.retryAt?.getTime()).toBeGreaterThanOrEqual(before + 3_600_000)
    expect(server.requests).toHaveLength(1)
  })

  const unknowns: [string, Behaviour, new (...facts: never[]) => ServiceError][] = [
    ['responds 500', respondWith(500, { detail: 'broken' }), InternalServerError],
    ['responds 503 without Retry-After', respondWith(503, undefined), InternalServerError],
    ['disconnects after processing, before it responds', loseResponse, ConnectionError],
    ['cuts the body', cutBody(200, good), ConnectionError],
    ['cuts the body of an error', cutBody(500, { detail: 'x'.repeat(200) }), InternalServerError],
  ]
  it.each(unknowns)(
    'has an unknown outcome when the server %s, and is never sent twice if non-idempotent',
    async (_, behaviour, Kind) => {
      const server = await scriptedServer(behaviour)
      const client = new ServiceClient({ apiKey, baseUrl: server.baseUrl })
      const error = await failureOf(run(client, once))
      expect(error).toBeInstanceOf(Kind)
      expect(error.outcome).toBe('unknown')
      expect(error.attempts).toHaveLength(repeats ? 2 : 1)
      expect(server.requests).toHaveLength(repeats ? 2 : 1)
    },
  )

  it.each([
    ['before the head', stallBeforeHead],
    ['inside the body', stallInBody(good)],
    ['after it announced 10 MB', announceOnly(10 * 1024 * 1024)],
  ])('times out when the server stalls %s', async (_, behaviour) => {
    const server = await scriptedServer(behaviour)
    const client = new ServiceClient({ apiKey, baseUrl: server.baseUrl })
    const error = await failureOf(run(client, { ...once, timeout: 300 }))
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error.outcome).toBe('unknown')
    expect(error.attempts.map(({ code }) => code)).toEqual(
      repeats ? ['TIMEOUT', 'TIMEOUT'] : ['TIMEOUT'],
    )
    expect(server.requests).toHaveLength(repeats ? 2 : 1)
  })

  it.each([301, 302, 303, 307, 308])(
    'follows no redirect (%i), and sends the key to no other origin',
    async (status) => {
      const other = await scriptedServer(respondWith(200, good))
      const server = await scriptedServer(redirectTo(`${other.baseUrl}/elsewhere`, status))
      const client = new ServiceClient({ apiKey, baseUrl: server.baseUrl })
      const error = await failureOf(run(client))
      expect(error).toBeInstanceOf(ApiError)
      expect(error).toMatchObject({ status, outcome: status >= 307 ? 'rejected' : 'unknown' })
      expect(error.message).toContain('baseUrl')
      expect(server.requests).toHaveLength(1)
      expect(other.requests).toHaveLength(0)
    },
  )

  it.each([
    ['HTML with 200', respondWithText(200, '<html>Welcome</html>')],
    ['an empty body with 200', respondWithText(200, '', 'application/json')],
    ['10 MB of nothing', respondWithText(200, ' '.repeat(10 * 1024 * 1024), 'application/json')],
  ])('rejects %s, once', async (_, behaviour) => {
    const server = await scriptedServer(behaviour)
    const client = new ServiceClient({ apiKey, baseUrl: server.baseUrl })
    const error = await failureOf(run(client))
    expect(error).toBeInstanceOf(ResponseValidationError)
    expect(error).toMatchObject({ outcome: 'unknown', status: 200 })
    expect(server.requests).toHaveLength(1)
  })

  it('reports a refused connection as not sent, after retrying', async () => {
    const client = new ServiceClient({ apiKey, baseUrl: await closedPort() })
    const error = await failureOf(run(client, once))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error.outcome).toBe('not-sent')
    expect(error.attempts.map(({ code }) => code)).toEqual(['ECONNREFUSED', 'ECONNREFUSED'])
  })

  it('succeeds when the service starts after a refused connection', async () => {
    const baseUrl = await closedPort()
    const started: Promise<{ requests: unknown[] }>[] = []
    const retry = () =>
      void started.push(scriptedServerAt(Number(new URL(baseUrl).port), respondWith(200, good)))
    const client = new ServiceClient({ apiKey, baseUrl, hooks: { retry } })
    await expect(run(client)).resolves.toBeDefined()
    expect((await started[0])?.requests).toHaveLength(1)
  })

  it('reports an unknown host as not sent', async () => {
    const client = new ServiceClient({ apiKey, baseUrl: 'http://no-such-host.invalid' })
    const error = await failureOf(run(client, { maxRetries: 0 }))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error.outcome).toBe('not-sent')
  })

  it('reports a port that fetch blocks as not sent', async () => {
    const client = new ServiceClient({ apiKey, baseUrl: 'http://127.0.0.1:6000' })
    const error = await failureOf(run(client, { maxRetries: 0 }))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error.outcome).toBe('not-sent')
  })

  it('reports a connection that ends before the TLS handshake as not sent', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const client = new ServiceClient({ apiKey, baseUrl: `https://127.0.0.1:${port}` })
    const error = await failureOf(run(client, { maxRetries: 0 }))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ outcome: 'not-sent', attempts: [{ code: 'ECONNRESET' }] })
  })

  it('is sent once when it succeeds', async () => {
    const server = await scriptedServer(respondWith(200, good))
    const client = new ServiceClient({ apiKey, baseUrl: server.baseUrl })
    await run(client)
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]?.headers['x-service-api-key']).toBe(apiKey)
  })
})

it('keeps the outcome unknown when a rejection follows a lost response', async () => {
  const server = await scriptedServer(loseResponse, respondWith(404, { detail: 'gone' }))
  const client = new ServiceClient({ apiKey, baseUrl: server.baseUrl })
  const error = await failureOf(client.link.deleteConnection(userId, 'oura'))
  expect(error).toMatchObject({ status: 404, outcome: 'unknown' })
  expect(error.attempts).toHaveLength(2)
})

it('lists attempts with status or code, duration and delay', async () => {
  const server = await scriptedServer(
    loseResponse,
    respondWith(503, undefined, soon),
    respondWith(200, [provider]),
  )
  const client = new ServiceClient({ apiKey, baseUrl: server.baseUrl })
  const { response } = await client.link.listProviders().withResponse()
  expect(response.attempts).toMatchObject([
    { delay: 0 },
    { status: 503 },
    { status: 200, delay: 0 },
  ])
  expect(response.attempts[0]?.code).toMatch(/^[A-Z_]+$/)
  expect(response.attempts[1]?.delay).toBeGreaterThan(0)
  for (const { duration } of response.attempts) expect(duration).toBeGreaterThan(0)
})

it('applies the deadline to attempts, waits and bodies', async () => {
  const server = await scriptedServer(stallInBody([provider]))
  const client = new ServiceClient({ apiKey, baseUrl: server.baseUrl })
  const error = await failureOf(client.link.listProviders({}, { deadline: 80 }))
  expect(error).toBeInstanceOf(TimeoutError)
  expect(error.message).toContain('deadline (80 ms)')
  expect(server.requests).toHaveLength(1)
})

it('calls the key function for every attempt', async () => {
  const keys = ['first', 'second', 'third']
  const server = await scriptedServer(
    respondWith(503, undefined, soon),
    respondWith(503, undefined, soon),
    respondWith(200, []),
  )
  const client = new ServiceClient({
    apiKey: async () => keys.shift() ?? '',
    baseUrl: server.baseUrl,
  })
  await client.link.listProviders()
  const seen = server.requests.map(({ headers }) => headers['x-service-api-key'])
  expect(seen).toEqual(['first', 'second', 'third'])
})

describe('abort', () => {
  const reason = new Error('the patient left')

  it('rejects before anything is sent', async () => {
    const server = await scriptedServer(respondWith(200, []))
    const client = new ServiceClient({ apiKey, baseUrl: server.baseUrl })
    const call = client.link.listProviders({}, { signal: AbortSignal.abort(reason) })
    expect(await failureOf(call, AbortError)).toMatchObject({ reason, outcome: 'not-sent' })
    expect(server.requests).toHaveLength(0)
  })

  it.each([
    ['while the server is silent', stallBeforeHead, 'unknown'],
    ['while the body comes', stallInBody([provider]), 'unknown'],
    [
      'while it waits for the next attempt',
      respondWith(503, undefined, { 'retry-after': '30' }),
      'rejected',
    ],
  ])('rejects with the outcome %s', async (_, behaviour, outcome) => {
    const controller = new AbortController()
    const server = await scriptedServer((response, request) => {
      behaviour(response, request)
      setImmediate(() => setImmediate(() => controller.abort(reason)))
    })
    const client = new ServiceClient({ apiKey, baseUrl: server.baseUrl })
    const call = client.link.listProviders({}, { signal: controller.signal })
    expect(await failureOf(call, AbortError)).toMatchObject({ reason, outcome })
    expect(server.requests).toHaveLength(1)
  })
})
