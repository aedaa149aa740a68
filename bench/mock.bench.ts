import { setImmediate } from 'node:timers/promises'
import { createMock, type Mock } from '../mock/index.ts'
import { cpuTime, type Figure, heap, megabytes, ratio } from './figure.ts'

async function sendHundred(
  fetch: Mock['fetch'],
  { apiKey, baseUrl }: ReturnType<Mock['connection']>,
) {
  const headers = { 'x-service-api-key': apiKey }
  const user = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'
  for (let round = 0; round < 25; round += 1) {
    for (const [path, method, body] of [
      ['/v2/providers?source_type=ble', 'GET', undefined],
      [`/v2/user/${user}/sign_in_token`, 'POST', undefined],
      ['/v3/lab_tests/markers?size=5', 'GET', undefined],
      ['/v2/link/bulk_op', 'GET', undefined],
    ] as const) {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers,
        ...(body ? { body } : {}),
      })
      await response.text()
    }
  }
}

/** Returns the growth after the first tenth of the requests, in megabytes. */
async function heapGrowth(requests: number, run: () => Promise<void>): Promise<number> {
  let early = 0
  for (let done = 100; done <= requests; done += 100) {
    await run()
    // Weak references are released between turns of the event loop, as happens between tests.
    await setImmediate()
    if (done === requests / 10) early = heap()
  }
  return heap() - early
}

const handlerCalls = 500

/** Returns the CPU time ratio of a request for a 1 KB appointment: `mock.fetch` / an MSW handler. */
async function handlerRatio({ http, HttpResponse }: typeof import('msw-2')) {
  const { getResponse } = await import('msw-2')
  const team = createMock().team()
  const { order_id } = team.appointments.create({ appointment_notes: 'x'.repeat(200) })
  const [appointment] = team.appointments.list()
  const { apiKey, baseUrl, fetch } = team.connection()
  const handlers = [
    http.get(`${baseUrl}/v3/order/:order_id/phlebotomy/appointment`, ({ request }) => {
      const isKnown = request.headers.get('x-service-api-key') === apiKey
      return HttpResponse.json(isKnown ? appointment : {}, { status: isKnown ? 200 : 401 })
    }),
  ]
  const request = () =>
    new Request(`${baseUrl}/v3/order/${order_id}/phlebotomy/appointment`, {
      headers: { 'x-service-api-key': apiKey },
    })
  const measure = async (respond: () => Promise<Response | undefined>) =>
    cpuTime(30, async () => {
      for (let at = 0; at < handlerCalls; at += 1) await (await respond())?.text()
    })
  const handler = await measure(() => getResponse(handlers, request()))
  return (await measure(() => fetch(request()))) / handler
}

export default async function (isFull: boolean): Promise<Figure[]> {
  const requests = isFull ? 100_000 : 20_000
  const count = requests.toLocaleString('en-US')
  const mock = createMock()
  const direct = await heapGrowth(requests, () => sendHundred(mock.fetch, mock.connection()))
  const { setupServer } = await import('msw-2/node')
  const msw = await import('msw-2')
  const { http, HttpResponse } = msw
  const againstHandler = await handlerRatio(msw)
  const intercepted = createMock()
  // This is the handler that health-lab-sdk/mock/msw uses with MSW 2. A test covers the adapter itself on every
  // version.
  const server = setupServer(
    http.all(`${intercepted.baseUrl}/*`, async ({ request }) => {
      const exchange = await intercepted.exchange(request)
      if (exchange.kind !== 'response') return HttpResponse.error()
      const { status, headers, body } = exchange
      return new Response(body, { status, headers })
    }),
  )
  server.listen({ onUnhandledRequest: 'error' })
  const overMsw = await heapGrowth(requests, () =>
    sendHundred(globalThis.fetch, intercepted.connection()),
  )
  server.close()
  const perHundred = await cpuTime(20, () => sendHundred(mock.fetch, mock.connection()))
  const mocks = await cpuTime(20, () => {
    for (let at = 0; at < 100; at += 1) createMock()
  })
  const teams = await cpuTime(20, () => {
    for (let at = 0; at < 100; at += 1) mock.team()
  })
  return [
    megabytes(`Heap growth over ${count} requests through mock.fetch`, direct, 4),
    megabytes(`Heap growth over ${count} requests through MSW 2`, overMsw, 8),
    {
      what: 'CPU time of a request through mock.fetch',
      found: `${(perHundred * 10).toFixed(0)} µs`,
    },
    ratio('A request: mock.fetch / a hand-written, stateless MSW handler', againstHandler, 1),
    { what: 'CPU time to create a mock', found: `${(mocks * 10).toFixed(0)} µs` },
    { what: 'CPU time to create a team', found: `${(teams * 10).toFixed(0)} µs` },
  ]
}
