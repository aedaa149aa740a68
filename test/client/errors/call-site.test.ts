import { describe, expect, it } from 'vitest'
import { DurableError, durable } from '../../../src/durable/index.ts'
import { past, query, ServiceClient, ServiceError, sum } from '../../../src/index.ts'
import { tables } from '../../../src/parquet/index.ts'
import { memoryStore } from '../../../src/stores/index.ts'
import { failureOf } from '../../support/failure.ts'
import {
  insuranceInput,
  labTestId,
  markerPage,
  orderId,
  orderInput,
  recipe,
  userId,
  userInfo,
} from '../../support/samples.ts'
import { json } from '../../support/stub-fetch.ts'

const request = {
  timeframe: past(1, 'day', '2025-06-01'),
  queries: [query(sum('activity', 'steps'))],
}

function clientOf(respond: (nth: number) => Response | Promise<Response>, maxRetries = 0) {
  let requests = 0
  return new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    fetch: async () => {
      requests += 1
      return respond(requests)
    },
    maxRetries,
  })
}

const rejecting = () => clientOf(() => json({ detail: 'no' }, 400))
const rejectingAfterFirst = (first: unknown) =>
  clientOf((nth) => (nth === 1 ? json(first) : json({ detail: 'no' }, 400)))
const markersPage = (page: number) => ({ ...markerPage, total: 3, pages: 3, page })
const bytes = () => clientOf(() => new Response('no archive'))

const booking = { booking_key: 'bk_1', async_confirmation: true } as const

/** The last value of an iteration. */
async function last<T>(values: AsyncIterable<T>): Promise<T | undefined> {
  let found: T | undefined
  for await (const value of values) found = value
  return found
}

/** Each function is named `callHere`, rejects with an error of a call, or returns it. */
const cases: Record<string, () => Promise<unknown>> = {
  'an awaited call': async function callHere() {
    await rejecting().orders.getPhlebotomyAppointment(orderId)
  },
  'withResponse()': async function callHere() {
    await rejecting().users.updateInfo(userId, userInfo).withResponse()
  },
  'Promise.all': async function callHere() {
    const client = rejecting()
    await Promise.all([client.link.listProviders(), client.users.createSignInToken(userId)])
  },
  'a call that is awaited later': async function callHere() {
    const call = rejecting().link.deleteConnection(userId, 'oura')
    const caught = call.catch((error) => error)
    await new Promise(setImmediate)
    return caught
  },
  'an invalid argument': async function callHere() {
    await rejecting().users.createSignInToken('')
  },
  'client.request': async function callHere() {
    await rejecting().request('GET', '/v9')
  },
  'an invalid path of client.request': async function callHere() {
    await rejecting().request('GET', 'v9')
  },
  'a retried call': async function callHere() {
    const busy = () => new Response('', { status: 503, headers: { 'retry-after': '0' } })
    await clientOf(busy, 2).link.listProviders()
  },
  'a queued call that times out': async function callHere() {
    const client = new ServiceClient({
      apiKey: 'key',
      baseUrl: 'https://service.test',
      fetch: ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      maxConcurrency: 1,
      deadline: 1,
    })
    await Promise.all([client.link.listProviders(), client.link.listProviders()])
  },
  'a later page of a for await loop': async function callHere() {
    const client = rejectingAfterFirst(markersPage(1))
    for await (const _ of client.labTests.listMarkers({ size: 1 }));
  },
  'a later page of pages()': async function callHere() {
    const client = rejectingAfterFirst({ data: [], next_cursor: 'two' })
    for await (const _ of client.labTests.list().pages());
  },
  'an iteration that cannot continue': async function callHere() {
    const client = clientOf(() => json(markersPage(1)))
    for await (const _ of client.labTests.listTestMarkers(labTestId, { size: 1 }, { maxPages: 1 }));
  },
  'an invalid option of a listing': async function callHere() {
    await rejecting().labTests.list({}, { maxPages: 0 })
  },
  'a batch of bulkImportAll': async function callHere() {
    const report = await rejecting().link.bulkImportAll('oura', [recipe, recipe], { batchSize: 1 })
    return report.failures.at(-1)?.error
  },
  'a recipe of bulkImportAll that JSON cannot represent': async function callHere() {
    const report = await rejecting().link.bulkImportAll('oura', [{ ...recipe, a: 1n } as never])
    return report.failures.at(-1)?.error
  },
  'an invalid option of bulkImportAll': async function callHere() {
    await rejecting().link.bulkImportAll('oura', [], { batchSize: 0 })
  },
  'a user of queryEach': async function callHere() {
    return (await last(rejecting().aggregate.queryEach([userId, userId], request)))?.error
  },
  'an invalid option of queryEach': async function callHere() {
    await last(rejecting().aggregate.queryEach([userId], request, { concurrency: 0 }))
  },
  'an archive of queryEach': async function callHere() {
    const each = rejecting().aggregate.queryEach([userId], request, { format: 'parquet' })
    return (await last(each))?.error
  },
  'a download that is cut': async function callHere() {
    const headers = { 'content-length': '100' }
    const download = await clientOf(
      () => new Response('short', { headers }),
    ).orders.downloadRequisition(orderId)
    await download.bytes()
  },
  'an archive that is not one': async function callHere() {
    await last(tables(await bytes().aggregate.queryParquet(userId, request)))
  },
  'bookAndWait with an invalid booking': async function callHere() {
    await rejecting().orders.bookAndWait(orderId, {} as never)
  },
  'a booking whose end is unknown': async function callHere() {
    const client = clientOf(() => json({ detail: 'broken' }, 500))
    const found = await client.orders.bookAndWait(orderId, booking)
    return found.error
  },
  'waitForAppointment with invalid options': async function callHere() {
    await rejecting().orders.waitForAppointment(orderId, { status: 'none' } as never)
  },
  'a rejected wait for an appointment': async function callHere() {
    await rejecting().orders.waitForAppointment(orderId)
  },
  'a rejected durable write': async function callHere() {
    await durable(rejecting(), { store: memoryStore() }).orders.create('basket', orderInput)
  },
  'a durable write whose outcome is unknown': async function callHere() {
    const client = clientOf(() => json({ detail: 'broken' }, 500))
    await durable(client, { store: memoryStore() }).insurance.create('card', userId, insuranceInput)
  },
  'a durable booking that cannot be checked': async function callHere() {
    const client = clientOf(() => json({ detail: 'broken' }, 500))
    await durable(client, { store: memoryStore() }).orders.bookAndWait('visit', orderId, booking)
  },
  'an id that a durable write cannot have': async function callHere() {
    await durable(rejecting(), { store: memoryStore() }).orders.create('', orderInput)
  },
  'durable writes without a store': async function callHere() {
    durable(rejecting(), {} as never)
  },
  'a client without a key': async function callHere() {
    new ServiceClient({ apiKey: '', baseUrl: 'https://service.test' })
  },
}

describe("an error's stack is its message and the frames from the caller's line on", () => {
  it.each(Object.entries(cases))('%s', async (_, run) => {
    const error: unknown = await run().catch((reason) => reason)
    if (!(error instanceof ServiceError || error instanceof DurableError)) throw error
    const { name, message, stack = '' } = error
    const start = `${name}: ${message}\n`
    expect(stack.startsWith(start)).toBe(true)
    expect(stack.slice(start.length)).toMatch(/^ +at callHere .*call-site\.test\.ts:\d+:\d+/)
  })
})

it('changes neither the stack trace limit nor how the program prepares stack traces', async () => {
  const { stackTraceLimit, prepareStackTrace } = Error
  await rejecting()
    .link.listProviders()
    .catch(() => {})
  expect(Error.stackTraceLimit).toBe(stackTraceLimit)
  expect(Error.prepareStackTrace).toBe(prepareStackTrace)
})

it('keeps its own stack when the program turns stack traces off or prepares them as objects', async () => {
  const { stackTraceLimit, prepareStackTrace } = Error
  try {
    Error.stackTraceLimit = 0
    const short = await failureOf(rejecting().link.listProviders())
    expect(short.stack).toContain('BadRequestError: link.listProviders failed')
    Error.stackTraceLimit = 10
    Error.prepareStackTrace = (_, frames) => frames
    const { stack } = await failureOf(rejecting().link.listProviders())
    expect(Array.isArray(stack)).toBe(true)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
    Error.prepareStackTrace = prepareStackTrace
  }
})
