import { expect, it, onTestFinished } from 'vitest'
import { connectConformanceSetup, createConformanceSetup } from '../../mock/conformance.ts'
import { createMock, journalMatchers, type Mock } from '../../mock/index.ts'
import { handlers } from '../../mock/msw.ts'
import { connectMock, type RemoteTeam } from '../../mock/remote.ts'
import { serve } from '../../mock/server.ts'
import { certify } from '../../src/certify/index.ts'
import { runConformance } from '../../src/conformance/index.ts'
import { eventHandler, nodeEventHandler, signEvent, verifyEvent } from '../../src/events/index.ts'
import { past, query, ServiceClient, sum } from '../../src/index.ts'
import { instrument } from '../../src/otel.ts'
import { ParquetArchive, tables } from '../../src/parquet/index.ts'
import {
  insuranceInput,
  labTestId,
  orderId,
  orderInput,
  recipe,
  userId,
  userInfo,
} from '../support/samples.ts'
import { secret } from '../support/signed.ts'

/** A misspelled option, the one that is meant, and a call that gets it. Callers without types may pass any option. */
type Case = readonly [name: string, meant: string, run: (options: never) => unknown]

const client = new ServiceClient(createMock({ seed: 42 }).connection())
const { users, insurance, link, labTests, orders, aggregate, summaries } = client

const request = {
  timeframe: past(1, 'day', '2025-06-01'),
  queries: [query(sum('activity', 'steps'))],
}
const dates = { start_date: '2025-05-01', end_date: '2025-05-31' }
const orderSet = { lab_test_ids: [labTestId] }

/** Reads the first value, so that an iteration starts. */
const first = (values: AsyncIterable<unknown>) => values[Symbol.asyncIterator]().next()

const calls: Record<string, (options: never) => unknown> = {
  'users.updateInfo': (options) => users.updateInfo(userId, userInfo, options),
  'users.createSignInToken': (options) => users.createSignInToken(userId, options),
  'insurance.create': (options) => insurance.create(userId, insuranceInput, options),
  'link.listProviders': (options) => link.listProviders({}, options),
  'link.deleteConnection': (options) => link.deleteConnection(userId, 'oura', options),
  'link.bulkImport': (options) =>
    link.bulkImport({ provider: 'oura', connections: [recipe] }, options),
  'link.bulkImportAll': (options) => link.bulkImportAll('oura', [recipe], options),
  'link.listBulkOps': (options) => link.listBulkOps({}, options),
  'labTests.list': (options) => labTests.list({}, options),
  'labTests.listMarkers': (options) => labTests.listMarkers({}, options),
  'labTests.listMarkers, iterated': (options) => first(labTests.listMarkers({}, options)),
  'labTests.listTestMarkers': (options) => labTests.listTestMarkers(labTestId, {}, options),
  'labTests.listOrderSetMarkers': (options) =>
    labTests.listOrderSetMarkers(orderSet as never, {}, options),
  'orders.bookPhlebotomyAppointment': (options) =>
    orders.bookPhlebotomyAppointment(orderId, { booking_key: 'key' }, options),
  'orders.create': (options) => orders.create(orderInput, options),
  'orders.getPhlebotomyAppointment': (options) => orders.getPhlebotomyAppointment(orderId, options),
  'orders.bookAndWait': (options) => orders.bookAndWait(orderId, { booking_key: 'key' }, options),
  'orders.waitForAppointment': (options) => orders.waitForAppointment(orderId, options),
  'orders.downloadRequisition': (options) => orders.downloadRequisition(orderId, options),
  'aggregate.query': (options) => aggregate.query(userId, request, options),
  'aggregate.queryParquet': (options) => aggregate.queryParquet(userId, request, options),
  'aggregate.queryEach': (options) => first(aggregate.queryEach([userId], request, options)),
  'summaries.list': (options) => summaries.list(userId, 'sleep', dates, options),
  'client.request': (options) => client.request('GET', '/v2/providers', options),
  'new ServiceClient': (options) =>
    new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test', ...(options as object) }),
  'client.withOptions': (options) => client.withOptions(options),
  instrument: (options) =>
    new ServiceClient(
      instrument({ apiKey: 'key', baseUrl: 'https://service.test', ...(options as object) }),
    ),
}

const archive = () => ParquetArchive.from(new Uint8Array(1))
const event = { event_type: 'lab.moved', data: {} }
const receiver = (options: object) => ({ secrets: secret, on: {}, fallback: () => {}, ...options })
const hooked = (hooks: never) =>
  new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test', hooks })
const mock = createMock({ seed: 42 })
const team = mock.team()
const webhook = (options: object) =>
  team.webhooks.add({ handler: async () => new Response(), ...options })
const judge = (options: object) =>
  certify({ url: 'http://127.0.0.1:1', secret, only: ['none'], ...options })
const conformance = (options: object) =>
  runConformance({ ...team.connection(), only: ['none'], ...options })

const misnamed = (options: object) =>
  new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test', ...options })

const parts: readonly Case[] = [
  ['maxRetry', 'maxRetries', misnamed],
  ['retries', 'maxRetries', misnamed],
  ['concurrency', 'maxConcurrency', misnamed],
  ['onBatsh', 'onBatch', (options) => link.bulkImportAll('oura', [recipe], options)],
  ['concurency', 'concurrency', (o) => first(aggregate.queryEach([userId], request, o))],
  ['pollIntervall', 'pollInterval', (options) => orders.waitForAppointment(orderId, options)],
  ['recieved', 'received', (o) => orders.bookAndWait(orderId, { booking_key: 'key' }, o)],
  ['maxPage', 'maxPages', (options) => labTests.list({}, options)],
  ['limt', 'limit', (options) => labTests.list().toArray(options)],
  ['boddy', 'body', (options) => client.request('POST', '/v2/providers', options)],
  ['requst', 'request', hooked],
  ['traceProvider', 'tracerProvider', (options) => instrument({}, options)],
  ['maxByte', 'maxBytes', (options) => first(archive().files(options))],
  ['maxByte', 'maxBytes', (options) => archive().save('unwritten', options)],
  ['maxTableRow', 'maxTableRows', (options) => first(tables(archive(), options))],
  ['tolerence', 'tolerance', (options) => verifyEvent('{}', {}, secret, options)],
  ['nows', 'now', (options) => signEvent(event, secret, options)],
  ['maxByte', 'maxBytes', (options) => eventHandler(receiver(options))],
  ['onErrors', 'onError', (options) => nodeEventHandler(receiver(options))],
  ['sead', 'seed', (options) => createMock(options)],
  ['journallimit', 'journalLimit', (options) => createMock(options)],
  ['clok', 'clock', (options) => mock.team(options)],
  ['bookingOutcom', 'bookingOutcome', (options) => team.configure(options)],
  ['expires_in', 'expiresIn', (options) => team.bookings.key(options)],
  [
    'outcom',
    'outcome',
    (options) => team.bookings.next({ outcome: 'fail', ...(options as object) }),
  ],
  ['wen', 'when', (o) => team.faults.add({ then: 'html', ...(o as object) })],
  ['retryAftr', 'retryAfter', (o) => team.faults.add({ then: { status: 429, ...(o as object) } })],
  [
    'pre',
    'per',
    (o) => team.faults.add({ then: { rateLimit: { requests: 1, per: '1m', ...(o as object) } } }),
  ],
  ['probabilty', 'probability', (o) => team.faults.add({ then: 'html', when: o })],
  ['untill', 'until', (o) => team.faults.add({ then: 'html', during: o })],
  ['duplicate', 'duplicates', webhook],
  ['tims', 'times', (options) => journalMatchers.toHaveReceived(team, '*', options)],
  ['baseURL', 'baseUrl', (options) => handlers(mock, options)],
  ['prot', 'port', (options) => serve(mock, options)],
  ['sead', 'seed', (options) => serve(options, { port: 0 })],
  ['tiemout', 'timeout', (options) => connectMock('http://127.0.0.1:1', 'key', options)],
  ['tokn', 'token', (options) => connectConformanceSetup('http://127.0.0.1:1', 'key', options)],
  ['onli', 'only', conformance],
  ['prob', 'probe', judge],
  ['clok', 'clock', (options) => createConformanceSetup(mock, team).team?.(options)],
]

/** Returns the message of the error that a call throws or rejects with. */
async function messageOf(run: () => unknown): Promise<string> {
  try {
    const result = await run()
    if (typeof Object(result).close === 'function') await Object(result).close()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'no error'
}

it.each(Object.entries(calls))(
  '%s rejects an unknown option and names the nearest',
  async (_, run) => {
    const message = await messageOf(() => run({ timout: 1 } as never))
    expect(message).toMatch(/timout\b.*\btimeout\b/)
  },
)

it.each(parts)('rejects %s and names %s', async (name, meant, run) => {
  const message = await messageOf(() => run({ [name]: 1 } as never))
  expect(message).toContain(name)
  expect(message).toMatch(new RegExp(`\\b${meant}\\b`))
})

const remoteCases: readonly (readonly [
  string,
  string,
  (remote: RemoteTeam, options: never) => unknown,
])[] = [
  ['bookingOutcom', 'bookingOutcome', (remote, options) => remote.configure(options)],
  ['expires_in', 'expiresIn', (remote, options) => remote.bookings.key(options)],
  [
    'aftr',
    'after',
    (remote, options) => remote.bookings.next({ outcome: 'fail', ...(options as object) }),
  ],
  ['wen', 'when', (remote, o) => remote.faults.add({ then: 'html', ...(o as object) })],
  [
    'duplicate',
    'duplicates',
    (remote, o) => remote.webhooks.add({ url: 'http://127.0.0.1:1', ...(o as object) }),
  ],
]

it.each(remoteCases)('rejects %s of a remote team and names %s', async (name, meant, run) => {
  const remote = await connected(createMock({ seed: 42 }))
  const message = await messageOf(() => run(remote, { [name]: 1 } as never))
  expect(message).toContain(name)
  expect(message).toMatch(new RegExp(`\\b${meant}\\b`))
})

async function connected(served: Mock): Promise<RemoteTeam> {
  const server = await serve(served, { gracePeriod: 0 })
  onTestFinished(() => server.close())
  return connectMock(server.url, served.defaultTeam.apiKey)
}
