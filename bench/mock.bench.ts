import { setImmediate } from 'node:timers/promises'
import { createMock, type Mock } from '../mock/index.ts'
import { cpuTime, type Figure, heap, megabytes, ratio } from './figure.ts'

const requests = 100_000

/** A hundred requests of several kinds, one after the other. */
async function aHundred(fetch: Mock['fetch'], { apiKey, baseUrl }: ReturnType<Mock['connection']>) {
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

/** How much the heap grows from a tenth of the requests to all of them. */
async function growth(run: () => Promise<void>): Promise<number> {
  let early = 0
  for (let done = 100; done <= requests; done += 100) {
    await run()
    // As between tests: what is held weakly is let go in a turn of its own.
    await setImmediate()
    if (done === requests / 10) early = heap()
  }
  return heap() - early
}

const handlerCalls = 500

/** CPU time of a request for an appointment of 1 KB: through `mock.fetch`, and through a handler of MSW that answers it. */
async function againstHandler({ http, HttpResponse }: typeof import('msw-2')) {
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
  const asked = () =>
    new Request(`${baseUrl}/v3/order/${order_id}/phlebotomy/appointment`, {
      headers: { 'x-service-api-key': apiKey },
    })
  const rounds = async (answer: () => Promise<Response | undefined>) =>
    cpuTime(30, async () => {
      for (let at = 0; at < handlerCalls; at += 1) await (await answer())?.text()
    })
  const handler = await rounds(() => getResponse(handlers, asked()))
  return (await rounds(() => fetch(asked()))) / handler
}

export default async function (): Promise<Figure[]> {
  const mock = createMock()
  const direct = await growth(() => aHundred(mock.fetch, mock.connection()))
  const { setupServer } = await import('msw-2/node')
  const msw = await import('msw-2')
  const { http, HttpResponse } = msw
  const handlerRatio = await againstHandler(msw)
  const intercepted = createMock()
  // The handler of health-lab-sdk/mock/msw, on version 2 of MSW; a test proves the adapter itself on every version.
  const server = setupServer(
    http.all(`${intercepted.baseUrl}/*`, async ({ request }) => {
      const exchange = await intercepted.exchange(request)
      if (exchange.kind !== 'answer') return HttpResponse.error()
      const { status, headers, body } = exchange
      return new Response(body, { status, headers })
    }),
  )
  server.listen({ onUnhandledRequest: 'error' })
  const overMsw = await growth(() => aHundred(globalThis.fetch, intercepted.connection()))
  server.close()
  const perHundred = await cpuTime(20, () => aHundred(mock.fetch, mock.connection()))
  const mocks = await cpuTime(20, () => {
    for (let at = 0; at < 100; at += 1) createMock()
  })
  const teams = await cpuTime(20, () => {
    for (let at = 0; at < 100; at += 1) mock.team()
  })
  return [
    megabytes('Heap growth over 100,000 requests through mock.fetch', direct, 4),
    megabytes('Heap growth over 100,000 requests through MSW 2', overMsw, 8),
    { what: 'CPU of a request through mock.fetch', found: `${(perHundred * 10).toFixed(0)} us` },
    ratio(
      'A request through mock.fetch, against a hand-written handler of MSW that keeps nothing',
      handlerRatio,
      1,
    ),
    { what: 'CPU of creating a mock', found: `${(mocks * 10).toFixed(0)} us` },
    { what: 'CPU of creating a team', found: `${(teams * 10).toFixed(0)} us` },
  ]
}
