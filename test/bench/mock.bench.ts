import { setImmediate } from 'node:timers/promises'
import { createMock, type Mock } from '../../mock/index.ts'
import { cpuTime, type Figure, heap, megabytes } from './figure.ts'

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

export default async function (): Promise<Figure[]> {
  const mock = createMock()
  const direct = await growth(() => aHundred(mock.fetch, mock.connection()))
  const { setupServer } = await import('msw-2/node')
  const { http, HttpResponse } = await import('msw-2')
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
  const teams = await cpuTime(20, () => {
    for (let at = 0; at < 100; at += 1) mock.team()
  })
  return [
    megabytes('Heap growth over 100,000 requests through mock.fetch', direct, 4),
    megabytes('Heap growth over 100,000 requests through MSW 2', overMsw, 8),
    { what: 'CPU of a request through mock.fetch', found: `${(perHundred * 10).toFixed(0)} us` },
    { what: 'CPU of creating a team', found: `${(teams * 10).toFixed(0)} us` },
  ]
}
