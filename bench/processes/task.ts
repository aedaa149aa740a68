// Runs as its own process: measures a round of one task for each message.
import { setImmediate } from 'node:timers/promises'
import ky from 'ky'
import { createMock } from '../../mock/index.ts'
import { MarkerPage } from '../../src/contract/markers.ts'
import { issuesOf } from '../../src/contract/schema-tools/check.ts'
import { compileValidator } from '../../src/contract/schema-tools/compile.ts'
import { ServiceClient } from '../../src/index.ts'
import { openApi } from '../../src/openapi/document.ts'
import { processMicroseconds } from '../cpu-clock.ts'

const baseUrl = 'https://service.test'
const team = createMock().team()
const { order_id } = team.appointments.create({ appointment_notes: 'x'.repeat(200) })
const path = `/v3/order/${order_id}/phlebotomy/appointment`
const url = baseUrl + path

/** An appointment of about 1 KB. */
const appointment = JSON.stringify(team.appointments.list()[0])

const { apiKey, baseUrl: mock, fetch: mockFetch } = team.connection()
const headers = { 'x-service-api-key': apiKey }

async function markerPage(): Promise<string> {
  return (await mockFetch(`${mock}/v3/lab_tests/markers?size=100`, { headers })).text()
}

function stubFetch(body: string) {
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
  return async (_: unknown) => new Response(body, { headers })
}

function clientOf(body: string): ServiceClient {
  return new ServiceClient({ apiKey: 'k', baseUrl, fetch: stubFetch(body) })
}

/**
 * Creates a Prism mock, which responds with the examples in the OpenAPI document. Imports Prism here, because its
 * modules slow down every promise in the process.
 */
async function createPrism() {
  const { createClientFromOperations } = await import('@stoplight/prism-http/dist/client.js')
  const operations = await import('@stoplight/prism-http/dist/utils/operations.js')
  const ignore = () => {}
  const logger: Record<string, unknown> = { child: () => logger }
  for (const level of ['info', 'warn', 'error', 'debug', 'success']) logger[level] = ignore
  type Options = Parameters<typeof createClientFromOperations>[1]
  return createClientFromOperations(await operations.getHttpOperationsFromSpec({ ...openApi() }), {
    ...{ isProxy: false, validateRequest: true, validateResponse: true, checkSecurity: true },
    ...{ errors: false, mock: { dynamic: false }, upstreamProxy: undefined },
    // The part of a logger that Prism uses.
    logger: logger as unknown as NonNullable<Options['logger']>,
  })
}

/** Repeats a synchronous task a hundred times, so that the cost of `await` is negligible. */
function hundredTimes(run: () => unknown): () => Promise<void> {
  return async () => {
    for (let at = 0; at < 100; at += 1) run()
  }
}

/** The tasks, and how many times each runs in a round. */
const tasks = {
  async client() {
    const client = clientOf(appointment)
    return { run: () => client.orders.getPhlebotomyAppointment(order_id).then(), count: 500 }
  },
  async ky() {
    const fetch = stubFetch(appointment)
    return { run: () => ky(url, { fetch }).json(), count: 500 }
  },
  async fetch() {
    const fetch = stubFetch(appointment)
    return { run: async () => (await fetch(new Request(url))).json(), count: 500 }
  },
  async clientPage() {
    const client = clientOf(await markerPage())
    return { run: () => client.labTests.listMarkers({ size: 100 }).then(), count: 50 }
  },
  async kyPage() {
    const fetch = stubFetch(await markerPage())
    return { run: () => ky(url, { fetch }).json(), count: 50 }
  },
  async fetchPage() {
    const fetch = stubFetch(await markerPage())
    return { run: async () => (await fetch(new Request(url))).json(), count: 50 }
  },
  async generatedPage() {
    const { reader } = await import(process.argv[3] ?? '')
    return { run: reader(baseUrl, stubFetch(await markerPage())), count: 50 }
  },
  async mockRequest() {
    return { run: async () => (await mockFetch(mock + path, { headers })).json(), count: 250 }
  },
  async prismRequest() {
    const prism = await createPrism()
    return { run: () => prism.request(path, { method: 'get', headers }), count: 250 }
  },
  async check() {
    const accepts = compileValidator(MarkerPage)
    const page: unknown = JSON.parse(await markerPage())
    if (!accepts(page) || issuesOf(MarkerPage, page).length > 0) throw new Error('Invalid page.')
    return { run: hundredTimes(() => accepts(page)), count: 5 }
  },
  async parse() {
    const page = await markerPage()
    return { run: hundredTimes(() => JSON.parse(page)), count: 5 }
  },
}

export type TaskName = keyof typeof tasks

const { run, count } = await tasks[process.argv[2] as TaskName]()
process.on('message', async () => {
  const before = processMicroseconds()
  for (let at = 0; at < count; at += 1) {
    await run()
    // As in a server, which returns to the event loop between requests.
    if (at % 20 === 19) await setImmediate()
  }
  process.send?.((processMicroseconds() - before) / count)
})
process.on('disconnect', () => process.exit())
process.send?.(0)
