import { context, type TracerProvider, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createMock } from '../mock/index.ts'
import { type ClientOptions, type Hooks, type ResponseEvent, ServiceClient } from '../src/index.ts'
import { instrument } from '../src/otel.ts'
import { failureOf } from './support/failure.ts'
import { insuranceInput, orderId, userId, userInfo } from './support/samples.ts'
import { json } from './support/stub-fetch.ts'

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
})

afterAll(() => context.disable())

function memory() {
  const exporter = new InMemorySpanExporter()
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  })
  return { tracerProvider, spans: () => exporter.getFinishedSpans() }
}

/** A client that is traced, and its spans. */
function traced(options: ClientOptions) {
  const { tracerProvider, spans } = memory()
  const given = { apiKey: 'key', baseUrl: 'https://service.test', ...options }
  return { client: new ServiceClient(instrument(given, { tracerProvider })), tracerProvider, spans }
}

/** All that an exporter sends of a span. */
function exported({ name, kind, attributes, status, events, links, resource }: ReadableSpan) {
  return { name, kind, attributes, status, events, links, resource: resource.attributes }
}

it('creates a client span for every attempt, following the conventions for HTTP', async () => {
  const responses = [json({}, 503), json(userInfo)]
  const { client, spans } = traced({ fetch: async () => responses.shift() ?? json({}) })
  const started = Date.now()
  await client.users.updateInfo(userId, userInfo)
  const common = {
    'http.request.method': 'PATCH',
    'url.template': '/v2/user/{user_id}/info',
    'server.address': 'service.test',
    'server.port': 443,
    'health_lab.operation': 'users.updateInfo',
  }
  expect(spans().map(exported)).toMatchObject([
    {
      name: 'PATCH /v2/user/{user_id}/info',
      kind: 2,
      status: { code: 2 },
      attributes: {
        ...common,
        'http.response.status_code': 503,
        'error.type': '503',
        'health_lab.outcome': 'unknown',
      },
    },
    {
      name: 'PATCH /v2/user/{user_id}/info',
      kind: 2,
      status: { code: 0 },
      attributes: {
        ...common,
        'http.response.status_code': 200,
        'http.request.resend_count': 1,
        'health_lab.outcome': 'succeeded',
      },
    },
  ])
  const [first, second] = spans()
  expect(Object.keys(first?.attributes ?? {})).not.toContain('http.request.resend_count')
  expect(Object.keys(second?.attributes ?? {})).not.toContain('error.type')
  const [seconds = 0] = first?.startTime ?? []
  expect(seconds).toBeGreaterThanOrEqual(Math.floor(started / 1000))
  expect(first?.instrumentationScope.name).toBe('health-lab-sdk')
})

it.each<[string, string, string, ClientOptions]>([
  ['a refused connection', 'ECONNREFUSED', 'not-sent', { fetch: failing('ECONNREFUSED') }],
  ['a cut connection', 'ECONNRESET', 'unknown', { fetch: failing('ECONNRESET') }],
  ['a timeout', 'TIMEOUT', 'unknown', { fetch: () => new Promise(() => {}), timeout: 20 }],
  ['a redirect', '302', 'unknown', { fetch: async () => json({}, 302) }],
])('records the code of %s', async (_, type, outcome, options) => {
  const { client, spans } = traced({ maxRetries: 0, ...options })
  await failureOf(client.insurance.create(userId, insuranceInput))
  const [span] = spans()
  expect(span?.attributes).toMatchObject({ 'error.type': type, 'health_lab.outcome': outcome })
  expect(span?.status).toEqual({ code: 2 })
})

function failing(code: string) {
  return async () => {
    throw Object.assign(new Error(`connect to ${userId} failed`), { code })
  }
}

it('contains no id, body, query or key', async () => {
  const team = createMock().team()
  const user = team.users.create()
  const { order_id } = team.appointments.create({ user_id: user.user_id })
  const { client, spans } = traced({ ...team.connection(), headers: { 'x-team': 'Zq9secret' } })
  await client.users.updateInfo(user.user_id, { ...userInfo, first_name: 'Zq9secret' })
  await failureOf(client.orders.bookPhlebotomyAppointment(orderId, { booking_key: 'Zq9secret' }))
  await client.labTests.listMarkers({ name: 'Zq9secret' })
  await failureOf(client.request('GET', `/v3/order/${order_id}`))
  await client.request('GET', '/v3/order/{order_id}/phlebotomy/appointment', {
    params: { order_id },
  })
  const told = JSON.stringify(spans().map(exported))
  expect(spans()).toHaveLength(5)
  for (const secret of [user.user_id, orderId, order_id, 'Zq9secret', team.connection().apiKey]) {
    expect(told).not.toContain(secret)
  }
})

it('names a call without a template by its method', async () => {
  const { client, spans } = traced({ fetch: async () => json({}) })
  await client.request('GET', `/v3/order/${orderId}`)
  expect(spans()[0]?.name).toBe('GET')
  expect(Object.keys(spans()[0]?.attributes ?? {})).not.toContain('url.template')
})

it('makes each span a child of the span in which its call was made', async () => {
  const { client, tracerProvider, spans } = traced({
    fetch: async () => json([]),
    maxConcurrency: 1,
  })
  const tracer = tracerProvider.getTracer('test')
  const calls = ['first', 'second', 'third'].map((name) =>
    tracer.startActiveSpan(name, async (span) => {
      await client.link.listProviders()
      span.end()
    }),
  )
  await Promise.all(calls)
  const parents = spans().filter(({ kind }) => kind === 0)
  const children = spans().filter(({ kind }) => kind === 2)
  expect(parents).toHaveLength(3)
  expect(children.map(({ parentSpanContext }) => parentSpanContext?.spanId).toSorted()).toEqual(
    parents.map((parent) => parent.spanContext().spanId).toSorted(),
  )
})

it.each([
  ['https://health.test:8443/base', 'health.test', 8443],
  ['http://[::1]', '::1', 80],
])('records the address of %s', async (baseUrl, address, port) => {
  const { client, spans } = traced({ baseUrl, fetch: async () => json([]) })
  await client.link.listProviders()
  expect(spans()[0]?.attributes).toMatchObject({ 'server.address': address, 'server.port': port })
})

it('reads the base URL from the environment when none is given', async () => {
  vi.stubEnv('SERVICE_BASE_URL', 'https://from-environment.test')
  const { client, spans } = traced({ baseUrl: undefined, fetch: async () => json([]) })
  await client.link.listProviders()
  vi.unstubAllEnvs()
  expect(spans()[0]?.attributes['server.address']).toBe('from-environment.test')
})

it('lets the client reject an invalid base URL', () => {
  expect(() => traced({ baseUrl: 'nowhere' })).toThrow(/baseUrl/)
})

/** Hooks as a class writes them, with state of their own. */
class Counter implements Hooks {
  readonly #told: string[] = []
  request() {
    this.#told.push('request')
  }
  response({ status }: ResponseEvent) {
    this.#told.push(`response ${status}`)
  }
  get told() {
    return this.#told
  }
}

it('still calls your own hooks', async () => {
  const hooks = new Counter()
  const { client, spans } = traced({ hooks, fetch: async () => json([]) })
  await client.link.listProviders()
  expect(hooks.told).toEqual(['request', 'response 200'])
  expect(spans()).toHaveLength(1)
})

it('creates the span even if your own hook throws', async () => {
  const hooks: Hooks = {
    response() {
      throw new Error('the hook failed')
    },
  }
  const { client, spans } = traced({ hooks, fetch: async () => json([]) })
  await client.link.listProviders()
  expect(spans()).toHaveLength(1)
})

const broken = () => {
  throw new Error('the tracer failed')
}
// Vitest fails when a rejection is not handled.
const rejecting: () => never = () => Promise.reject(new Error('the tracer failed')) as never

it.each<[string, TracerProvider]>([
  ['gives no tracer', { getTracer: broken }],
  ['starts no span', { getTracer: () => ({ startSpan: broken, startActiveSpan: broken }) }],
  ['ends no span', ending()],
  ['rejects', { getTracer: rejecting }],
  ['rejects for spans', { getTracer: () => ({ startSpan: rejecting, startActiveSpan: broken }) }],
])('completes the call and calls your hooks when the tracer %s', async (_, tracerProvider) => {
  const hooks = new Counter()
  const options = {
    apiKey: 'key',
    baseUrl: 'https://service.test',
    hooks,
    fetch: async () => json([]),
  }
  const client = new ServiceClient(instrument(options, { tracerProvider }))
  expect(await client.link.listProviders()).toEqual([])
  expect(hooks.told).toEqual(['request', 'response 200'])
})

function ending(): TracerProvider {
  const span = trace.wrapSpanContext({ traceId: '', spanId: '', traceFlags: 0 })
  const unending = Object.assign(Object.create(span), { end: broken })
  return { getTracer: () => ({ startSpan: () => unending, startActiveSpan: broken }) }
}

it('creates spans with a global provider that is registered later', async () => {
  const options = { apiKey: 'key', baseUrl: 'https://service.test', fetch: async () => json([]) }
  const client = new ServiceClient(instrument(options))
  await client.link.listProviders()
  const { tracerProvider, spans } = memory()
  trace.setGlobalTracerProvider(tracerProvider)
  await client.link.listProviders()
  trace.disable()
  expect(spans()).toHaveLength(1)
})
