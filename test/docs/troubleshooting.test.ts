import { readFileSync } from 'node:fs'
import { beforeAll, expect, it, vi } from 'vitest'
import { createMock, type FaultEffect } from '../../mock/index.ts'
import {
  type EventHandlerOptions,
  eventHandler,
  memoryStore,
  nodeEventHandler,
  signEvent,
} from '../../src/events/index.ts'
import { type ClientOptions, ServiceClient, type UserInfoInput } from '../../src/index.ts'
import { missingPeer } from '../../src/shared/peers.ts'

const page = readFileSync('docs/guides/troubleshooting.md', 'utf8')

/** The messages of the page: the first cells that are code only, below "Message". */
const described = page
  .split('\n## ')
  .filter((section) => section.includes('| Message |'))
  .flatMap((section) => [...section.matchAll(/^\| `([^`]+)` \|/gm)])
  .map(([, message = '']) => message)

const team = createMock().team()
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const messages: string[] = []

/** Adds the message of an error that some work throws or rejects with. */
async function fail(work: () => unknown): Promise<void> {
  const error = await Promise.resolve()
    .then(work)
    .then(
      () => undefined,
      (reason: unknown) => reason,
    )
  expect(error).toBeInstanceOf(Error)
  messages.push((error as Error).message)
}

function clientWith(options: ClientOptions & { timout?: number } = {}): ServiceClient {
  return new ServiceClient({ ...team.connection(), maxRetries: 0, ...options })
}

function failingFetch(code: string): ClientOptions['fetch'] {
  return () =>
    Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) }))
}

/** Adds the message of a call while a fault is active. */
async function failWith(then: FaultEffect, options: ClientOptions = {}): Promise<void> {
  const fault = team.faults.add({ on: 'link.listProviders', then })
  await fail(() => clientWith(options).link.listProviders())
  fault.remove()
}

/** Adds the message with which a receiver reports a delivery. */
async function failDelivery(request: Request, options: Partial<EventHandlerOptions> = {}) {
  const onError = vi.fn<(error: unknown) => void>()
  const base = { secrets: secret, on: {}, fallback: () => {}, onError }
  await eventHandler({ ...base, ...options })(request)
  await vi.waitUntil(() => onError.mock.calls.length > 0, { timeout: 60_000 })
  await fail(() => Promise.reject(onError.mock.calls[0]?.[0]))
}

async function delivery(secrets = secret, now = new Date()): Promise<Request> {
  const event = { event_type: 'daily.data.sleep.created', user_id: 'user', data: {} }
  const signed = await signEvent(event, secrets, { now })
  return new Request('https://receiver.test', { method: 'POST', ...signed })
}

async function failClient(): Promise<void> {
  const apiKey = 'key'
  const baseUrl = 'https://service.test'
  await fail(() => new ServiceClient({ baseUrl }))
  await fail(() => new ServiceClient({ baseUrl, apiKey: 'key\n' }))
  await fail(() => new ServiceClient({ apiKey }))
  await fail(() => clientWith({ timout: 1 }))
  vi.stubEnv('SERVICE_LOG', 'verbose')
  await fail(() => clientWith())
  vi.unstubAllEnvs()
  vi.stubGlobal('window', {})
  vi.stubGlobal('document', {})
  await fail(() => clientWith())
  vi.unstubAllGlobals()
}

async function failCalls(): Promise<void> {
  const { id } = team.orders.create()
  const { user_id } = team.users.create()
  const brokenKey = () => {
    throw new TypeError()
  }
  await fail(() => clientWith().users.createSignInToken('42'))
  await fail(() => clientWith().orders.bookPhlebotomyAppointment(id, { booking_key: 1 as never }))
  await fail(() => clientWith({ apiKey: brokenKey }).link.listProviders())
  for (const code of ['ENOTFOUND', 'ECONNREFUSED', 'UND_ERR_SOCKET']) {
    await fail(() => clientWith({ fetch: failingFetch(code) }).link.listProviders())
  }
  const book = (booking_key: string) =>
    clientWith().orders.bookPhlebotomyAppointment(id, { booking_key })
  await fail(() => book('unknown'))
  await fail(() => book('bk_fail'))
  await fail(() => clientWith({ apiKey: 'wrong', exposeDetail: false }).link.listProviders())
  for (const status of [403, 404, 429]) await failWith({ status }, { exposeDetail: false })
  await failWith({ redirect: 'https://elsewhere.test' })
  const { info } = team.users.get(user_id) ?? {}
  const accents = { ...(info as UserInfoInput), first_name: 'José' }
  await fail(() => clientWith().users.updateInfo(user_id, accents))
  await failWith({ latency: '1h' })
  await failWith({ latency: '1h' }, { timeout: 9_000, deadline: 5_000 })
  await fail(() => clientWith().orders.waitForAppointment(team.orders.create().id, { deadline: 1 }))
  await fail(() => clientWith().link.listProviders({}, { signal: AbortSignal.abort() }))
  await failWith('html')
  const stub = async () => Response.json([{ name: 1 }])
  await fail(() => clientWith({ fetch: stub }).link.listProviders())
  await fail(() =>
    clientWith().labTests.listMarkers({ size: 1 }, { maxPages: 1 }).toArray({ limit: 9 }),
  )
}

async function failReceivers(): Promise<void> {
  await failDelivery(await delivery(`whsec_${btoa('another secret of 24 bytes')}`))
  await failDelivery(await delivery(secret, new Date(0)))
  await failDelivery(new Request('https://receiver.test', { method: 'POST', body: '{}' }))
  const read = await delivery()
  await read.text()
  await failDelivery(read)
  const finish = () => false
  await failDelivery(await delivery(), { dedupe: { ...memoryStore(), finish } })
  const onError = vi.fn<(error: unknown) => void>()
  const receive = nodeEventHandler({ secrets: secret, on: {}, fallback: () => {}, onError })
  const parsed = { method: 'POST', headers: {}, body: {}, async *[Symbol.asyncIterator]() {} }
  await receive(parsed, { statusCode: 0, setHeader() {}, end() {} })
  await fail(() => Promise.reject(onError.mock.calls[0]?.[0]))
  const base = { secrets: secret, on: {}, fallback: () => {} }
  await fail(() => eventHandler({ ...base, secrets: '' }))
  const on = { 'daily.data.*': () => {} } as EventHandlerOptions['on']
  await fail(() => eventHandler({ ...base, on }))
}

async function failMock(): Promise<void> {
  const missing = new Error("Cannot find package '@faker-js/faker'")
  await fail(() => Promise.reject(new Error(missingPeer(missing, 'health-lab-sdk/mock'))))
  const microtask = globalThis.queueMicrotask
  globalThis.queueMicrotask = () => {}
  await fail(() => clientWith().link.listProviders())
  globalThis.queueMicrotask = microtask
  team.faults.add({ on: 'orders.create', then: 'html' })
  await fail(() => team.faults.assertAllUsed())
  team.faults.clear()
  await fail(() => team.faults.add({ on: 'order.create' as never, then: 'html' }))
  team.override('link.listProviders', (() => Promise.resolve()) as never)
  await fail(() => clientWith().link.listProviders())
}

beforeAll(async () => {
  await failClient()
  await failCalls()
  await failReceivers()
  await failMock()
})

/** Returns whether a message has the form of the page, in which … means any text. */
function hasForm(message: string, form: string): boolean {
  const parts = form.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^]*')}$`).test(message)
}

it('finds the messages of the page', () => {
  expect(described.length).toBeGreaterThan(30)
})

it.each(described)('has the message %s', (form) => {
  expect(
    messages.filter((message) => hasForm(message, form)),
    messages.join('\n'),
  ).not.toEqual([])
})
