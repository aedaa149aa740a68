import { Agent, request as requestOverTls } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ServiceClient } from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { respondWith, scriptedServer } from '../../support/programs/scripted-server.ts'
import { insurance, insuranceInput, orderInput, userId } from '../../support/samples.ts'

describe('a misdirected request (421)', () => {
  it.each<[string, (client: ServiceClient) => PromiseLike<unknown>]>([
    ['insurance.create', (client) => client.insurance.create(userId, insuranceInput)],
    ['orders.create', (client) => client.orders.create(orderInput)],
    ['a request without a body', (client) => client.request('POST', '/v9')],
  ])('is sent once: %s', async (_, send) => {
    const server = await scriptedServer(
      respondWith(421, { detail: 'elsewhere' }),
      respondWith(200, insurance),
    )
    const client = new ServiceClient({ apiKey: 'key', baseUrl: server.baseUrl })
    const error = await failureOf(send(client))
    expect(server.requests).toHaveLength(1)
    expect(error).toMatchObject({ status: 421, outcome: 'rejected', attempts: [{ status: 421 }] })
    expect(server.requests[0]?.headers).not.toHaveProperty('transfer-encoding')
  })

  it('leaves the bytes of a body as they are', async () => {
    const server = await scriptedServer(respondWith(200, insurance))
    const client = new ServiceClient({ apiKey: 'key', baseUrl: server.baseUrl })
    const named = { ...insuranceInput, group_id: 'Ōura – 日本' }
    await client.insurance.create(userId, named)
    const [request] = server.requests
    expect(JSON.parse(request?.body ?? '')).toEqual(named)
    expect(request?.headers['content-length']).toBe(String(Buffer.byteLength(request?.body ?? '')))
  })
})

describe('a request over node:https', () => {
  const keys = { ciphers: 'PSK-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' } as const
  const psk = Buffer.alloc(16, 1)

  const agent = new Agent({
    ...{ ...keys, checkServerIdentity: () => undefined },
    pskCallback: () => ({ psk, identity: 'client' }),
  })

  /** Sends a request as a client of node:https does. */
  async function sendOverHttps(request: Request): Promise<Response> {
    const { url, method } = request
    const body = await request.text()
    return new Promise((_, reject) => {
      requestOverTls(url, { method, agent }).on('error', reject).end(body)
    })
  }

  it('is sent once when a proxy writes plain HTTP into the connection', async () => {
    let count = 0
    let below: Socket | undefined
    const server = createTlsServer({ ...keys, pskCallback: () => psk }, (socket) => {
      socket.on('error', () => {})
      socket.on('data', () => {
        count += 1
        below?.write('HTTP/1.1 502 Bad Gateway\r\n\r\n')
      })
    })
    server.on('connection', (socket) => {
      below = socket
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const client = new ServiceClient({
      ...{ apiKey: 'key', baseUrl: `https://127.0.0.1:${port}`, fetch: sendOverHttps },
    })
    const error = await failureOf(client.insurance.create(userId, insuranceInput))
    expect(error).toMatchObject({
      outcome: 'unknown',
      attempts: [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }],
    })
    expect(count).toBe(1)
  })
})
