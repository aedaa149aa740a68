import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it, onTestFinished } from 'vitest'
import { control } from '../../../mock/control/control.ts'
import { controlEndpoints } from '../../../mock/control/operations.ts'
import { createMock } from '../../../mock/index.ts'
import { type MockServer, type ServeOptions, serve } from '../../../mock/server/server.ts'
import { insuranceBody, userId } from '../../support/bodies.ts'

async function served(options: ServeOptions = {}): Promise<MockServer> {
  const server = await serve(createMock(), { gracePeriod: 0, ...options })
  onTestFinished(() => server.close())
  return server
}

interface Called<Body> {
  status: number
  body: Body
}

/** Calls the control API of a server: `call(server, 'POST /users', {})`. */
async function call<Body>(
  { url, mock }: MockServer,
  route: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Called<Body>> {
  const [method = 'GET', path = ''] = route.split(' ')
  const response = await fetch(`${url}/__mock__/api${path}`, {
    method,
    headers: { 'x-service-api-key': mock.defaultTeam.apiKey, ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

it('describes itself in a valid OpenAPI document, operation by operation', async () => {
  const { url } = await served()
  const document = await (await fetch(`${url}/__mock__/api/openapi.json`)).json()
  expect(await new Validator().validate(document)).toEqual({ valid: true })
  const described = Object.entries<object>(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const offered = controlEndpoints.map(({ method, path }) => `${method} ${path}`)
  expect(described.toSorted()).toEqual(offered.toSorted())
})

it('returns the OpenAPI document of the service', async () => {
  const { url } = await served()
  const document = await (await fetch(`${url}/__mock__/openapi.json`)).json()
  expect(document.servers).toEqual([{ url }])
  expect(document.paths).toHaveProperty('/v2/providers')
})

it.each([
  { path: 'users', key: '{user_id}', input: {}, changes: { info: null } },
  {
    path: 'insurances',
    key: '{id}',
    input: { user_id: userId, insurance: { member_id: 'M-1' } },
    changes: { user_id: 'other' },
  },
  {
    path: 'connections',
    key: '{user_id}/{provider}',
    input: { user_id: userId, provider: 'oura' },
    changes: { provider_id: 'other' },
  },
  {
    path: 'orders',
    key: '{id}',
    input: {},
    changes: { status: 'lost' },
    sets: { updated_at: '2025-06-01T09:00:00.001Z' },
  },
  { path: 'appointments', key: '{id}', input: {}, changes: { external_id: 'other' } },
  {
    path: 'data',
    key: '{id}',
    input: { user_id: userId, resource: 'sleep', values: { score: 80 } },
    changes: { user_id: 'other' },
    sets: { updated_at: '2025-06-01T09:00:00.001Z' },
  },
  { path: 'providers', key: '{slug}', input: { slug: 'brand_new' }, changes: { name: 'Other' } },
  { path: 'payors', key: '{payor_code}', input: {}, changes: { name: 'Other' } },
  { path: 'catalogue/labs', key: '{id}', input: {}, changes: { name: 'Other' } },
  { path: 'catalogue/lab_tests', key: '{id}', input: {}, changes: { price: 7 } },
  { path: 'catalogue/markers', key: '{id}', input: {}, changes: { price: '7.00' } },
  { path: 'catalogue/lab_accounts', key: '{id}', input: {}, changes: { lab_ids: [] } },
])(
  'creates, lists, gets, updates and deletes $path',
  async ({ path, key, input, changes, sets }) => {
    const server = await served()
    if ('user_id' in input) await call(server, 'POST /users', { user_id: userId })
    const { status, body: record } = await call<Record<string, unknown>>(
      server,
      `POST /${path}`,
      input,
    )
    expect({ status, record }).toMatchObject({ status: 200, record: input })
    const one = `/${path}/${key.replace(/\{(\w+)\}/g, (_, field) => String(record[field]))}`
    const [field = ''] = key.match(/\w+/) ?? []
    expect((await call(server, `GET /${path}?${field}=${record[field]}`)).body).toEqual([record])
    expect((await call(server, `GET ${one}`)).body).toEqual(record)
    const changed = await call(server, `PATCH ${one}`, changes)
    expect(changed.body).toEqual({ ...record, ...changes, ...sets })
    expect((await call(server, `DELETE ${one}`)).body).toEqual({ deleted: true })
    expect((await call(server, `DELETE ${one}`)).body).toEqual({ deleted: false })
    expect((await call(server, `GET ${one}`)).status).toBe(404)
  },
)

it.each([
  { route: 'POST /users', body: { user: 1 }, status: 422, found: ['body', 'user'] },
  { route: 'POST /users', body: '{', status: 422, found: ['body'] },
  { route: 'POST /connections', body: {}, status: 422, found: ['body', 'user_id'] },
  {
    route: 'POST /connections',
    body: { user_id: 'none', provider: 'oura' },
    status: 404,
    code: 'unknown_record',
  },
  { route: 'POST /events', body: { event_type: 'x' }, status: 400, code: 'invalid_option' },
  {
    route: 'POST /webhooks',
    body: { url: 'http://127.0.0.1:1', types: ['x'] },
    status: 400,
    code: 'invalid_option',
  },
  { route: 'GET /users?nam=x', status: 422, found: ['query', 'nam'] },
  { route: 'PATCH /clock', body: { mode: 'slow' }, status: 422, found: ['body', 'mode'] },
  { route: 'PATCH /users/none', body: { info: null }, status: 404, code: 'unknown_record' },
  { route: 'POST /clock/advance', body: { by: 'soon' }, status: 422, found: ['body', 'by'] },
  { route: 'POST /clock/advance_to', body: { to: 0 }, status: 400, code: 'invalid_time' },
  { route: 'POST /faults', body: { then: 'explode' }, status: 422, found: ['body', 'then'] },
  { route: 'GET /journal?on=x', status: 400, code: 'unknown_operation' },
  { route: 'PATCH /settings', body: { clock: 'auto' }, status: 422, found: ['body', 'clock'] },
  { route: 'PATCH /settings', body: { colour: 1 }, status: 422, found: ['body', 'colour'] },
  { route: 'PUT /snapshot', body: {}, status: 400, code: 'invalid_snapshot' },
  { route: 'GET /bulk_ops/none', status: 404, code: 'unknown_record' },
  { route: 'POST /bulk_ops/none/abort', status: 409, code: 'illegal_transition' },
  { route: 'POST /orders/none/complete', status: 404, code: 'unknown_record' },
])('responds with $status to an invalid request: $route', async (wrong) => {
  const { status, body } = await call(await served(), wrong.route, wrong.body)
  const { code, found } = wrong
  expect({ status, body }).toMatchObject({
    status: wrong.status,
    body: {
      ...(code ? { code } : {}),
      ...(found
        ? { detail: expect.arrayContaining([expect.objectContaining({ loc: found })]) }
        : {}),
    },
  })
})

it.each([
  { route: 'POST /clock/advance', body: { by: 'soon' }, msg: "a time span such as '15m'" },
  { route: 'POST /clock/advance', body: { by: -1 }, msg: 'at least 0' },
  { route: 'PATCH /settings', body: { importTimePerConnection: 'x' }, msg: "such as '15m'" },
  { route: 'POST /webhooks', body: { secret: 'x' }, msg: 'a secret: whsec_ followed by base64' },
  { route: 'POST /bookings/next', body: { outcome: 'x' }, msg: 'one of confirm, fail, never' },
])('names what $route expects instead of $body', async ({ route, body: invalid, msg }) => {
  const { body } = await call(await served(), route, invalid)
  expect(body).toMatchObject({ detail: [{ msg: expect.stringContaining(msg) }] })
})

it.each(['patient_details', 'patient_address'])('rejects an order without %s', async (field) => {
  const server = await served()
  const { status } = await call(server, 'POST /orders', { [field]: null })
  expect(status).toBe(422)
  const { body } = await call<{ id: string }>(server, 'POST /orders', {})
  expect((await call(server, `PATCH /orders/${body.id}`, { [field]: null })).status).toBe(422)
})

it('names the nearest operation for an unknown path', async () => {
  expect(await call(await served(), 'GET /user')).toEqual({
    status: 404,
    body: { detail: expect.stringContaining('GET /__mock__/api/users') },
  })
})

it('creates a team for an unknown API key, except with strict keys', async () => {
  const headers = { 'x-service-api-key': 'new' }
  const open = await served()
  expect((await call(open, 'GET /users', undefined, headers)).status).toBe(200)
  expect(open.mock.teamOf('new')).toBeDefined()
  const strict = await served({ strictKeys: true })
  expect((await call(strict, 'GET /users', undefined, headers)).status).toBe(401)
  expect((await call(strict, 'GET /users')).status).toBe(200)
  expect(strict.mock.teamOf('new')).toBeUndefined()
})

it('keeps the requests of the control API out of the journal', async () => {
  const server = await served()
  await call(server, 'POST /users')
  expect((await call(server, 'GET /journal')).body).toEqual({ count: 0, requests: [] })
})

it('sends bytes of the journal as Base64', async () => {
  const server = await served()
  const { apiKey, orders } = server.mock.defaultTeam
  const { id } = orders.create()
  const headers = { 'x-service-api-key': apiKey }
  await fetch(`${server.url}/v3/order/${id}/requisition/pdf`, { headers })
  const { body } = await call(server, 'GET /journal?last=1')
  const $bytes = expect.stringMatching(new RegExp(`^${btoa('%PDF-1')}`))
  expect(body).toMatchObject({ requests: [{ response: { body: { $bytes } } }] })
})

it('follows a request through time, faults and journal', async () => {
  const server = await served()
  await call(server, 'PATCH /clock', { mode: 'manual' })
  await call(server, 'POST /faults', { on: 'insurance.create', then: { latency: '5s' } })
  const { apiKey } = server.mock.defaultTeam
  const headers = { 'x-service-api-key': apiKey, 'content-type': 'application/json' }
  const created = fetch(`${server.url}/v2/user/${userId}/insurance`, {
    method: 'POST',
    headers,
    body: JSON.stringify(insuranceBody()),
  })
  await call(server, 'POST /clock/when_waiting')
  expect((await call(server, 'GET /journal')).body).toMatchObject({
    requests: [{ outcome: 'waiting' }],
  })
  const { body } = await call(server, 'POST /clock/advance', { by: 5000 })
  expect(body).toMatchObject({ now: '2025-06-01T09:00:05.000Z' })
  expect((await created).status).toBe(200)
  expect((await call(server, 'GET /journal?after=0&on=insurance.*')).body).toMatchObject({
    count: 1,
    requests: [{ outcome: 'responded', response: { status: 200 }, changes: [{}, {}] }],
  })
  expect((await call(server, 'GET /faults')).body).toMatchObject([{ id: 1, useCount: 1 }])
  expect((await call(server, 'DELETE /faults/1')).body).toEqual({ deleted: true })
  expect((await call(server, 'DELETE /faults/1')).body).toEqual({ deleted: false })
})

it.each([
  { sender: 'a page of another origin', headers: { origin: 'https://evil.example' } },
  { sender: 'a page without an origin', headers: { origin: 'null' } },
  { sender: 'a page of another port', headers: { origin: 'http://127.0.0.1:1' } },
  { sender: 'a page of another site', headers: { 'sec-fetch-site': 'cross-site' } },
  { sender: 'a foreign host name of this machine', headers: { host: 'evil.example' } },
  {
    sender: 'a host name that starts like this machine',
    headers: { host: '127.0.0.1.evil.example' },
  },
])('rejects $sender', async ({ headers }) => {
  const { status } = await requestClock(await served(), headers)
  expect(status).toBe(403)
})

it('allows its own page', async () => {
  const server = await served()
  const headers = { origin: server.url, 'sec-fetch-site': 'same-origin' }
  expect((await requestClock(server, headers)).status).toBe(200)
})

/** Sends a request with headers that `fetch` does not allow to set. */
function requestClock(
  { url, mock }: MockServer,
  extra: Record<string, string>,
): Promise<Called<unknown>> {
  const headers = { 'x-service-api-key': mock.defaultTeam.apiKey, ...extra }
  return new Promise((resolve, reject) => {
    request(`${url}/__mock__/api/clock`, { headers }, async (response) => {
      resolve({ status: response.statusCode ?? 0, body: await json(response) })
    })
      .on('error', reject)
      .end()
  })
}

it("rejects a request without the server's token", async () => {
  const server = await served({ token: 'secret' })
  expect((await call(server, 'GET /clock')).status).toBe(401)
  const wrong = await call(server, 'GET /clock', undefined, { 'x-mock-token': 'secre' })
  expect(wrong.status).toBe(401)
  const right = await call(server, 'GET /clock', undefined, { 'x-mock-token': 'secret' })
  expect(right.status).toBe(200)
})

it.each([
  { token: undefined, status: 403 },
  { token: 'secret', status: 200 },
])(
  'responds with $status to another machine when the token is $token',
  async ({ token, status }) => {
    const mock = createMock()
    const { apiKey } = mock.defaultTeam
    const headers = { host: 'mock:4010', 'x-service-api-key': apiKey, 'x-mock-token': 'secret' }
    const path = '/__mock__/api/clock'
    const response = await control(
      {
        method: 'GET',
        path,
        search: new URLSearchParams(),
        headers,
        text: undefined,
        isLocal: false,
      },
      { mock, url: 'http://mock:4010', strictKeys: false, ...(token ? { token } : {}) },
    )
    expect(response.status).toBe(status)
  },
)

it('keeps the team of a control request in progress', async () => {
  const server = await serve(createMock({ autoTeamLimit: 1 }), { gracePeriod: 0 })
  onTestFinished(() => server.close())
  const of = (apiKey: string) => ({ 'x-service-api-key': apiKey })
  await call(server, 'PATCH /clock', { mode: 'manual' }, of('held'))
  await call(server, 'POST /faults', { then: { latency: '1s' } }, of('held'))
  const waiting = call(server, 'POST /clock/when_waiting', {}, of('held'))
  await new Promise((resolve) => setTimeout(resolve, 50))
  await call(server, 'GET /clock', undefined, of('other'))
  const response = fetch(`${server.url}/v2/providers`, { headers: of('held') })
  expect((await waiting).status).toBe(200)
  await call(server, 'POST /clock/advance', { by: '1s' }, of('held'))
  expect((await response).status).toBe(200)
  await call(server, 'GET /clock', undefined, of('other'))
  expect(server.mock.teams().map(({ apiKey }) => apiKey)).not.toContain('held')
})

it('responds with 500 and reports the error when the mock fails', async () => {
  const errors: unknown[] = []
  const server = await served({ report: (error) => errors.push(error) })
  Object.defineProperty(server.mock.defaultTeam, 'journal', {
    get() {
      throw new RangeError('of a test')
    },
  })
  expect((await call(server, 'GET /journal')).status).toBe(500)
  expect(errors).toEqual([new RangeError('of a test')])
})
