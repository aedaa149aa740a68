import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { type MockServer, type ServeOptions, serve } from '../../../mock/server/server.ts'
import { type ClientOptions, ConnectionError, ServiceClient } from '../../../src/index.ts'
import { insuranceBody, orderBody, userId, userInfoBody } from '../../support/bodies.ts'
import { failureOf } from '../../support/failure.ts'

/** Serves a mock with the clock mode auto until the test ends. */
async function served(options: ServeOptions = {}): Promise<MockServer> {
  const server = await serve(createMock(), { gracePeriod: 0, ...options })
  onTestFinished(() => server.close())
  return server
}

function clientOf({ url, mock }: MockServer, options: Partial<ClientOptions> = {}): ServiceClient {
  return new ServiceClient({
    apiKey: mock.defaultTeam.apiKey,
    baseUrl: url,
    maxRetries: 0,
    ...options,
  })
}

function keyOf({ mock }: MockServer): Record<string, string> {
  return { 'x-service-api-key': mock.defaultTeam.apiKey }
}

it('responds to the client over HTTP', async () => {
  const server = await served()
  const client = clientOf(server)
  expect(await client.users.updateInfo(userId, userInfoBody())).toMatchObject({ first_name: 'Ada' })
  const { id } = server.mock.defaultTeam.orders.create()
  const booked = await client.orders.bookPhlebotomyAppointment(id, {
    booking_key: 'bk_confirm_after_3s',
    appointment_notes: 'Klingeln bei Müller 🔔',
  })
  expect(booked).toMatchObject({ status: 'confirmed', appointment_notes: 'Klingeln bei Müller 🔔' })
  expect((await client.labTests.listMarkers({ size: 2 })).markers).toHaveLength(2)
  await expect(client.link.deleteConnection(userId, 'oura')).rejects.toThrow('404')
})

it('creates a separate team for each unknown API key', async () => {
  const server = await served()
  const keys = Array.from({ length: 20 }, (_, at) => `key-${at}`)
  const sizes = await Promise.all(
    keys.map(async (apiKey, at) => {
      const client = clientOf(server, { apiKey })
      await Promise.all(
        Array.from({ length: at }, () => client.insurance.create(userId, insuranceBody())),
      )
      return server.mock.teamOf(apiKey)?.insurances.size ?? 0
    }),
  )
  expect(sizes).toEqual(keys.map((_, at) => at))
})

it('rejects an unknown API key with strict keys', async () => {
  const server = await served({ strictKeys: true })
  const stranger = clientOf(server, { apiKey: 'stranger' })
  await expect(stranger.link.listProviders()).rejects.toThrow('401')
  expect(await clientOf(server).link.listProviders()).not.toHaveLength(0)
  expect(server.mock.teamOf('stranger')).toBeUndefined()
})

it('rejects a request without an API key', async () => {
  const { url } = await served()
  expect((await fetch(`${url}/v2/providers`)).status).toBe(401)
})

it('creates a mock from options, with its URL and the clock mode realtime', async () => {
  const server = await serve({ seed: 7, now: '2024-01-01T00:00:00Z', deprecatedFields: 'always' })
  onTestFinished(() => server.close())
  const { mock, url } = server
  expect(mock.defaultTeam.clock.mode).toBe('realtime')
  expect(mock.baseUrl).toBe(url)
  const user = mock.defaultTeam.users.create()
  const [labTest] = mock.defaultTeam.catalogue.labTests.list()
  const body = orderBody(labTest?.id ?? '', { user_id: user.user_id })
  const { order } = await clientOf(server).orders.create(body)
  const form = await fetch(order.requisition_form_url ?? '')
  expect(form.headers.get('content-type')).toBe('application/pdf')
})

it.each([
  { fault: 'refuse_connection', code: 'ECONNRESET', insurances: 0, outcome: 'unknown' },
  { fault: 'cut_before_response', code: 'UND_ERR_SOCKET', insurances: 0, outcome: 'unknown' },
  { fault: 'lose_response', code: 'UND_ERR_SOCKET', insurances: 1, outcome: 'unknown' },
  { fault: 'cut_mid_body', code: 'UND_ERR_SOCKET', insurances: 1, outcome: 'unknown' },
] as const)('breaks the connection for $fault', async ({ fault, code, insurances, outcome }) => {
  const server = await served()
  const team = server.mock.defaultTeam
  team.faults.add({ on: 'insurance.create', then: fault })
  const call = clientOf(server).insurance.create(userId, insuranceBody())
  const error = await failureOf(call, ConnectionError)
  expect(error).toMatchObject({ outcome, attempts: [{ code }] })
  expect(team.insurances.size).toBe(insurances)
})

it('sends the head and half of the body before it cuts the connection', async () => {
  const server = await served()
  server.mock.defaultTeam.faults.add({ then: 'cut_mid_body' })
  const response = await fetch(`${server.url}/v2/providers`, { headers: keyOf(server) })
  expect(response.status).toBe(200)
  const reader = response.body?.getReader()
  let received = 0
  await expect(async () => {
    for (let part = await reader?.read(); !part?.done; part = await reader?.read()) {
      received += part?.value?.byteLength ?? 0
    }
  }).rejects.toThrow('terminated')
  expect(received).toBe(Number(response.headers.get('content-length')) >> 1)
})

it('receives a retry of the client after the response to a read was lost', async () => {
  const server = await served()
  const team = server.mock.defaultTeam
  team.faults.add({ when: { first: 1 }, then: 'lose_response' })
  expect(await clientOf(server, { maxRetries: 1 }).link.listProviders()).not.toHaveLength(0)
  expect(team.journal.lines()).toEqual(['link.listProviders lost', 'link.listProviders 200'])
})

it('aborts the request of a client that disconnects', async () => {
  const server = await served()
  const team = server.mock.defaultTeam
  team.clock.mode = 'manual'
  const { id } = team.orders.create()
  const controller = new AbortController()
  const call = clientOf(server).orders.bookPhlebotomyAppointment(
    id,
    { booking_key: 'bk_never' },
    { signal: controller.signal },
  )
  await team.clock.whenWaiting()
  controller.abort()
  await expect(call).rejects.toThrow('aborted')
  await vi.waitFor(() => expect(team.journal.last()?.outcome).toBe('aborted'), { timeout: 60_000 })
})

it('aborts only the request in progress when a connection with earlier requests ends', async () => {
  const server = await served()
  const team = server.mock.defaultTeam
  team.clock.mode = 'manual'
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  await asked(server, { agent })
  const { id } = team.orders.create()
  const sent = request(`${server.url}/v3/order/${id}/phlebotomy/appointment/book`, {
    agent,
    method: 'POST',
    headers: { 'x-service-api-key': team.apiKey },
  })
  sent.on('error', () => {}).end(JSON.stringify({ booking_key: 'bk_never' }))
  await team.clock.whenWaiting()
  expect(sent.reusedSocket).toBe(true)
  sent.destroy()
  await vi.waitFor(() => expect(team.journal.last()?.outcome).toBe('aborted'), { timeout: 60_000 })
  expect(team.journal.lines()).toEqual([
    'link.listProviders 200',
    'orders.bookPhlebotomyAppointment aborted',
  ])
})

it('keeps connections alive', async () => {
  const server = await served()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const first = await asked(server, { agent })
  const second = await asked(server, { agent })
  expect([first.isReused, second.isReused]).toEqual([false, true])
  expect(second.headers['keep-alive']).toBe('timeout=75')
})

/** Sends a request with Node's HTTP client. */
function asked({ url, mock }: MockServer, options: object = {}) {
  const headers = { 'x-service-api-key': mock.defaultTeam.apiKey }
  return new Promise<{
    status: number
    headers: IncomingHttpHeaders
    body: string
    isReused: boolean
  }>((resolve, reject) => {
    const call = request(`${url}/v2/providers`, { headers, ...options }, async (response) => {
      const body = await text(response)
      const { statusCode: status = 0 } = response
      resolve({ status, headers: response.headers, body, isReused: call.reusedSocket })
    })
    call.on('error', reject).end()
  })
}

it('responds to HEAD like GET, without the body', async () => {
  const server = await served()
  const whole = await asked(server)
  const head = await asked(server, { method: 'HEAD' })
  expect(head).toMatchObject({ status: 200, body: '' })
  expect(head.headers['content-length']).toBe(whole.headers['content-length'])
})

it('accepts absolute URLs, which clients send to a proxy', async () => {
  const server = await served()
  const { status } = await asked(server, { path: `${server.url}/v2/providers?source_type=ble` })
  expect(status).toBe(200)
})

it.each([
  { path: '/v2/providers', status: 204, allow: 'GET, HEAD, OPTIONS' },
  { path: `/v2/user/${userId}/info`, status: 204, allow: 'PATCH, DELETE, OPTIONS' },
  { path: '/v2/nothing', status: 404, allow: null },
])('responds to OPTIONS of $path with its methods', async ({ path, status, allow }) => {
  const { url } = await served()
  const response = await fetch(url + path, { method: 'OPTIONS' })
  expect(response.status).toBe(status)
  expect(response.headers.get('allow')).toBe(allow)
  expect(response.headers.get('access-control-allow-origin')).toBeNull()
})

it('allows pages of other origins with the option cors', async () => {
  const server = await served({ cors: true })
  const preflight = await fetch(`${server.url}/v2/providers`, {
    method: 'OPTIONS',
    headers: { 'access-control-request-headers': 'x-service-api-key' },
  })
  expect(Object.fromEntries(preflight.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'x-service-api-key',
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  })
  const response = await fetch(`${server.url}/v2/providers`, { headers: keyOf(server) })
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(server.mock.defaultTeam.journal.last()?.response?.headers).not.toHaveProperty(
    'access-control-allow-origin',
  )
})

it.each([
  { form: 'announced', body: 'x'.repeat(1001) },
  { form: 'streamed', body: new Blob(['x'.repeat(1001)]).stream() },
])('responds with 413 to a body that is too large, $form', async ({ body }) => {
  const server = await served({ bodyLimit: 1000 })
  const response = await fetch(`${server.url}/v2/user/${userId}/insurance`, {
    method: 'POST',
    headers: keyOf(server),
    body,
    duplex: 'half',
  } as RequestInit)
  expect(response.status).toBe(413)
  expect(await response.json()).toEqual({ detail: 'The body is larger than 1000 bytes' })
})

it('reports an error of an override, and responds with 500', async () => {
  const report = vi.fn()
  const server = await served({ report })
  server.mock.override('link.listProviders', () => {
    throw new RangeError('of a test')
  })
  const response = await fetch(`${server.url}/v2/providers`, { headers: keyOf(server) })
  expect(response.status).toBe(500)
  expect(report).toHaveBeenCalledExactlyOnceWith(new RangeError('of a test'))
})

it('reports a header that cannot be sent, and responds with 500', async () => {
  const report = vi.fn()
  const server = await served({ report })
  server.mock.override('link.listProviders', () => ({ headers: { 'x-broken': 'a\nb' } }))
  const response = await fetch(`${server.url}/v2/providers`, { headers: keyOf(server) })
  expect(response.status).toBe(500)
  expect(report).toHaveBeenCalledOnce()
})

it('waits for requests in progress when it closes, and accepts no others', async () => {
  const server = await served({ gracePeriod: 10_000 })
  const team = server.mock.defaultTeam
  team.clock.mode = 'manual'
  const { id } = team.orders.create()
  const call = clientOf(server).orders.bookPhlebotomyAppointment(id, {
    booking_key: 'bk_confirm_after_3s',
  })
  await team.clock.whenWaiting()
  const stopped = server.close()
  await team.clock.advance('3s')
  const { data, response } = await call.withResponse()
  expect(data.status).toBe('confirmed')
  // Otherwise the server would wait for an idle connection.
  expect(response.headers.get('connection')).toBe('close')
  await stopped
  await expect(asked(server)).rejects.toThrow('ECONNREFUSED')
})

it('closes the connection of a request that exceeds the grace period', async () => {
  const server = await served({ gracePeriod: 1 })
  const team = server.mock.defaultTeam
  team.clock.mode = 'manual'
  const { id } = team.orders.create()
  const body = { booking_key: 'bk_never' }
  const call = clientOf(server).orders.bookPhlebotomyAppointment(id, body)
  await Promise.all([
    failureOf(call, ConnectionError),
    team.clock.whenWaiting().then(() => server.close()),
  ])
  await vi.waitFor(() => expect(team.journal.last()?.outcome).toBe('aborted'), { timeout: 60_000 })
})

it('rejects when it cannot listen', async () => {
  const server = await served()
  const port = Number(new URL(server.url).port)
  await expect(serve(createMock(), { port })).rejects.toThrow('EADDRINUSE')
})

/** Sends a request with a host that `fetch` does not allow to set, and returns its status. */
function statusFor(
  host: string,
  path: string,
  server: MockServer,
  method = 'GET',
): Promise<number> {
  const headers = { ...keyOf(server), host }
  return new Promise((resolve, reject) => {
    request(server.url + path, { method, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

const paths = ['/v2/providers', '/__mock__/api/clock', '/__mock__/', '/']

describe.each(paths)('the host of a request to %s', (path) => {
  it.each([
    'evil.example',
    'evil.example:4010',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'EVIL.EXAMPLE',
    'mock.local.',
    'evil.example:80:80',
    'localhost.evil.example.',
    'localhost..',
  ])('must not be %j', async (host) => {
    expect(await statusFor(host, path, await served())).toBe(403)
  })

  it.each([
    'localhost',
    '127.0.0.1:1',
    '[::1]:4010',
    '192.168.1.7',
    'mock:4010',
    'app.localhost',
    'localhost.:80',
  ])('may be %s', async (host) => {
    expect(await statusFor(host, path, await served())).toBe(200)
  })
})

it('responds to HTTP/1.0 without a host', async () => {
  const server = await served()
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write('GET /v2/providers HTTP/1.0\r\nx-service-api-key: k\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200/)
})

it('creates no team for a request to an unknown host', async () => {
  const server = await served()
  const before = server.mock.teams().length
  const headers = { host: 'evil.example', 'x-service-api-key': 'new' }
  await new Promise((resolve) => request(server.url, { headers }, resolve).end())
  expect(await statusFor('evil.example', '/v2/providers', server, 'OPTIONS')).toBe(403)
  expect(server.mock.teams()).toHaveLength(before)
})

it('responds to the names that the options allow', async () => {
  const mock = createMock({ baseUrl: 'https://Proxy.example.com/mock' })
  const server = await serve(mock, { allowedHosts: ['mock.example.com', 'Other.example.com'] })
  onTestFinished(() => server.close())
  const statusOf = (host: string) => statusFor(host, '/__mock__/api/clock', server)
  const names = ['mock.example.com', 'OTHER.example.com:80', 'proxy.example.com', 'no.example.com']
  expect(await Promise.all(names.map(statusOf))).toEqual([200, 200, 200, 403])
})

it.each(['', '  '])('does not listen on all addresses for the host %j', async (host) => {
  await expect(serve(createMock(), { host })).rejects.toThrow(
    'Expected a non-empty address to listen on',
  )
})

it('responds with 413 to a body with too many values', async () => {
  const server = await served()
  const send = async (count: number) => {
    const connections = Array(count).fill('{}').join()
    const response = await fetch(`${server.url}/v2/link/bulk_import`, {
      method: 'POST',
      headers: { ...keyOf(server), 'content-type': 'application/json' },
      body: `{"provider":"oura","connections":[${connections}],"note":"${'[,'.repeat(200_000)}"}`,
    })
    return { status: response.status, body: await response.json() }
  }
  expect((await send(100_000)).status).toBe(422)
  const detail = 'The body has more than 262144 JSON values. Split it into several requests'
  expect(await send(200_000)).toEqual({ status: 413, body: { detail } })
})

it('takes a snapshot that is larger than bodies of the service may be', async () => {
  const server = await served({ bodyLimit: 1000 })
  const { defaultTeam: team } = server.mock
  for (let count = 0; count < 20; count += 1) team.users.create()
  const body = JSON.stringify(team.snapshot())
  expect(body.length).toBeGreaterThan(1000)
  const url = `${server.url}/__mock__/api/snapshot`
  expect((await fetch(url, { method: 'PUT', headers: keyOf(server), body })).status).toBe(204)
})
