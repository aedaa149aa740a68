import { execFile } from 'node:child_process'
import { createServer, request as forward } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { promisify } from 'node:util'
import { ProxyAgent } from 'undici'
import { expect, it, onTestFinished } from 'vitest'
import { ServiceClient } from '../../../src/index.ts'
import { scriptedServer } from '../../support/programs/scripted-server.ts'
import { orderId, provider } from '../../support/samples.ts'

const run = promisify(execFile)

/** A name that no resolver knows, so that only the proxy can reach the service. */
const hiddenUrl = 'http://service.invalid'

/** Starts a service, and a proxy that leads every request to it. */
async function startProxy() {
  const service = await scriptedServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify([provider]))
  })
  const { port } = new URL(service.baseUrl)
  const proxied: string[] = []
  const proxy = createServer((request, response) => {
    proxied.push(request.url ?? '')
    const { pathname } = new URL(request.url ?? '')
    const { method, headers } = request
    const onward = forward({ port, path: pathname, method, headers }, (upstream) => {
      response.writeHead(upstream.statusCode ?? 500, upstream.headers)
      upstream.pipe(response)
    })
    request.pipe(onward)
  })
  proxy.on('connect', (request, socket) => {
    proxied.push(request.url ?? '')
    const onward = connect({ port: Number(port) }, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      onward.pipe(socket)
      socket.pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const { port: proxyPort } = proxy.address() as AddressInfo
  return { url: `http://127.0.0.1:${proxyPort}`, proxied, service }
}

it.each<[string, Record<string, string>, unknown]>([
  [
    'uses the proxy of the environment with NODE_USE_ENV_PROXY',
    { NODE_USE_ENV_PROXY: '1' },
    [provider],
  ],
  ['uses no proxy without it', {}, 'ConnectionError'],
])('%s', async (_, env, expected) => {
  const { url, proxied, service } = await startProxy()
  const { stdout } = await run(
    process.execPath,
    ['test/support/programs/proxied-call.ts', hiddenUrl],
    {
      env: { ...process.env, NODE_OPTIONS: '', HTTP_PROXY: url, NO_PROXY: '', ...env },
      timeout: 60_000,
    },
  )
  expect(JSON.parse(stdout)).toEqual(expected)
  const reached = expected === 'ConnectionError' ? 0 : 1
  expect([proxied.length, service.requests.length]).toEqual([reached, reached])
})

it("uses the dispatcher of undici in the client's fetch", async () => {
  const { url, proxied, service } = await startProxy()
  const dispatcher = new ProxyAgent(url)
  onTestFinished(() => dispatcher.destroy())
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl: hiddenUrl,
    // The types of the DOM do not know the option of Node.
    fetch: (request) => fetch(request, { dispatcher } as RequestInit),
    maxRetries: 0,
  })
  expect(await client.link.listProviders()).toEqual([provider])
  expect(proxied).toHaveLength(1)
  expect(service.requests[0]?.headers['x-service-api-key']).toBe('key')
})

it.each([403, 429, 502])(
  'reports a booking as not sent if the proxy refuses the tunnel with %i',
  async (status) => {
    const proxy = createServer()
    const refusal = `HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`
    proxy.on('connect', (_, socket) => socket.end(refusal))
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void proxy.close())
    const { port } = proxy.address() as AddressInfo
    const dispatcher = new ProxyAgent(`http://127.0.0.1:${port}`)
    onTestFinished(() => dispatcher.destroy())
    const client = new ServiceClient({
      apiKey: 'key',
      baseUrl: 'https://service.invalid',
      // The types of the DOM do not know the option of Node.
      fetch: (request) => fetch(request, { dispatcher } as RequestInit),
      maxRetries: 0,
    })
    const booking = client.orders.bookPhlebotomyAppointment(orderId, { booking_key: 'key' })
    await expect(booking).rejects.toMatchObject({ outcome: 'not-sent' })
  },
)
