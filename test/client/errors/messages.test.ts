import { expect, it } from 'vitest'
import { type ClientClock, past, ServiceClient, ServiceError } from '../../../src/index.ts'
import { ParquetArchive, tables } from '../../../src/parquet/index.ts'
import { operations, otherOperations } from '../../support/operations.ts'
import { orderId, recipe, userId } from '../../support/samples.ts'
import { json } from '../../support/stub-fetch.ts'

type Responder = (request: Request) => Response | Promise<Response>

function failWith(code: string, syscall: string): Responder {
  return () => {
    const cause = Object.assign(new Error(`${syscall} ${code} 10.0.0.1`), { code, syscall })
    throw new TypeError('fetch failed', { cause })
  }
}

const stall: Responder = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

const details = [
  {
    loc: ['body', 'dob'],
    type: 'date_parsing',
    msg: 'Input should be a valid date',
    input: '30/02/1980',
  },
  {
    loc: ['query', 'start_date'],
    type: 'missing',
    msg: 'Field required',
    input: null,
  },
]

/** How the service fails, by the name of the golden file. */
const failures: Record<string, Responder> = {
  refused: failWith('ECONNREFUSED', 'connect'),
  reset: failWith('ECONNRESET', 'read'),
  timeout: stall,
  '400': () => json({ detail: 'Invalid or expired booking key' }, 400),
  '401': () => json({ detail: 'Invalid API key' }, 401),
  '403': () => json({ detail: 'Aggregation is not enabled for this team' }, 403),
  '404': () => json({ detail: 'No such user' }, 404),
  '409': () => json({ detail: 'The order already has an appointment' }, 409),
  '422': () => json({ detail: details }, 422),
  '429': () => json({ detail: 'At most 3 requests per minute' }, 429, { 'retry-after': '3600' }),
  '500': () => new Response('The appointment could not be booked', { status: 500 }),
  malformed: () => new Response('<html><body>Welcome to the proxy</body></html>'),
  schema: () => json({ results: 'none', data: 7, markers: null, success: 'yes' }),
}

type Run = (client: ServiceClient, options: { timeout: number }) => PromiseLike<unknown>

/** Methods that call operations. Their errors are in their results, except that of a wait. */
const methods: Record<string, { run: Run }> = {
  'orders.bookAndWait': {
    run: async (client, options) => {
      const booking = { booking_key: 'key', async_confirmation: true }
      throw (await client.orders.bookAndWait(orderId, booking, { ...options, after: [] })).error
    },
  },
  'orders.waitForAppointment': {
    run: (client, options) => client.orders.waitForAppointment(orderId, options),
  },
  'link.bulkImportAll': {
    run: async (client, options) => {
      const { failures } = await client.link.bulkImportAll('oura', [recipe], options)
      throw failures[0]?.error
    },
  },
  'aggregate.queryEach': {
    run: async (client, options) => {
      const request = { timeframe: past(1, 'week', '2025-06-01'), queries: [] }
      for await (const { error } of client.aggregate.queryEach([userId], request, options)) {
        throw error
      }
    },
  },
}

const all = Object.entries({ ...operations, ...otherOperations, ...methods })

/** Waits take no time; a timeout ends in real time. */
function virtualClock(): ClientClock {
  let time = 0
  return {
    now: () => time,
    sleep: async (milliseconds) => {
      time += milliseconds
    },
  }
}

/** Returns the first line of the stack, after checking that the stack contains this file. */
async function messageOf(run: Run, respond: Responder, exposeDetail: boolean): Promise<string> {
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    fetch: async (request) => respond(request),
    maxRetries: 0,
    exposeDetail,
    clock: virtualClock(),
  })
  const timeout = respond === stall ? 1 : 1000
  const error = await Promise.resolve(run(client, { timeout }))
    .then(readArchive)
    .then(
      () => undefined,
      (reason: unknown) => reason,
    )
  if (error === undefined) return 'no error: the content is not checked'
  expect(error).toBeInstanceOf(ServiceError)
  const { stack = '' } = error as ServiceError
  expect(stack).toMatch(/^ +at .*messages\.test\.ts:\d+:\d+/m)
  return stack.slice(0, stack.indexOf('\n'))
}

/** The content of an archive is checked when it is read. */
async function readArchive(result: unknown): Promise<void> {
  if (result instanceof ParquetArchive) for await (const table of tables(result)) void table
}

it.each(Object.entries(failures))('prints readable errors: %s', async (kind, respond) => {
  const lines: string[] = []
  for (const [name, { run }] of all) {
    const usual = await messageOf(run, respond, false)
    const exposed = await messageOf(run, respond, true)
    const also = exposed === usual ? [] : [`  with exposeDetail: ${exposed}`]
    lines.push(name, `  ${usual}`, ...also, '')
  }
  await expect(lines.join('\n')).toMatchFileSnapshot(`messages/${kind}.txt`)
})
