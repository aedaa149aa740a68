import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, vi } from 'vitest'
import { createMock, MockError } from '../../../mock/index.ts'
import { orderBody, userId, userInfoBody } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Collects what nobody holds. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

it('responds with 404 to an unknown route and names the nearest one', async () => {
  const team = createMock().team()
  const table = [
    ['GET /v2/provider', 'GET /v2/providers'],
    [`GET /v2/user/${userId}/info/all`, 'PATCH /v2/user/{user_id}/info'],
    ['GET /v3/lab_test/markers', 'GET /v3/lab_tests/markers'],
    [`POST /v2/users/${userId}/signin_token`, 'POST /v2/user/{user_id}/sign_in_token'],
    ['POST /v2/link/bulk-import', 'POST /v2/link/bulk_import'],
  ] as const
  for (const [route, nearest] of table) {
    const { status, body } = await call(team, route)
    expect([route, status]).toEqual([route, 404])
    expect(body.detail).toContain(`Did you mean ${nearest}?`)
  }
})

it('responds with 401 to a missing or unknown API key', async () => {
  const { baseUrl, fetch } = createMock().team().connection()
  for (const headers of [{}, { 'x-service-api-key': 'wrong' }]) {
    const response = await fetch(`${baseUrl}/v2/providers`, { headers })
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({ detail: 'Invalid or missing API key' })
  }
})

it('checks the route before the API key, and the API key before the body', async () => {
  const { baseUrl, fetch } = createMock().team().connection()
  const unknown = await fetch(`${baseUrl}/nowhere`)
  expect(unknown.status).toBe(404)
  const invalid = await fetch(`${baseUrl}/v2/link/bulk_import`, { method: 'POST', body: '{' })
  expect(invalid.status).toBe(401)
})

it('names every invalid value of a request in one 422', async () => {
  const team = createMock().team()
  const body = { ...userInfoBody({ first_name: ' José', dob: '02/01/1980' }), last_name: undefined }
  const { status, body: found } = await call(team, `PATCH /v2/user/${userId}/info`, {
    ...body,
    address: { first_line: 1 },
  })
  expect(status).toBe(422)
  const locations = found.detail.map(({ loc, type }: { loc: string[]; type: string }) => [
    loc.join('.'),
    type,
  ])
  expect(locations).toEqual(
    expect.arrayContaining([
      ['body.last_name', 'missing'],
      ['body.dob', 'date_parsing'],
      ['body.address.first_line', 'string_type'],
      ['body.address.zip_code', 'missing'],
      ['body.first_name', 'value_error'],
    ]),
  )
})

it('responds in the same way to the first requests, whose schemas are not yet compiled, and to later ones', async () => {
  const team = createMock().team()
  const requests = [
    { route: 'GET /v2/providers', status: 200 },
    { route: 'GET /v3/lab_tests/markers?page=0&size=x', status: 422 },
    {
      route: 'POST /v2/link/bulk_import',
      body: { provider: 'garmin', connections: 1 },
      status: 422,
    },
  ]
  for (const { route, body, status } of requests) {
    const first = await call(team, route, body)
    expect(first.status).toBe(status)
    for (const _ of [1, 2]) {
      const later = await call(team, route, body)
      expect([later.status, later.body]).toEqual([status, first.body])
    }
  }
})

it('names invalid values in the path and the query', async () => {
  const team = createMock().team()
  const { status, body } = await call(team, 'GET /v3/lab_tests/none/markers?page=0&size=x')
  expect(status).toBe(422)
  expect(body.detail).toEqual([
    {
      type: 'uuid_parsing',
      loc: ['path', 'lab_test_id'],
      msg: 'Input should be a UUID',
      input: 'none',
    },
    {
      type: 'greater_than_equal',
      loc: ['query', 'page'],
      msg: 'Input should be at least 1',
      input: 0,
    },
    { type: 'int_type', loc: ['query', 'size'], msg: 'Input should be an integer', input: 'x' },
  ])
})

it('rejects a body that is not JSON, and a missing body', async () => {
  const team = createMock().team()
  const route = `PATCH /v2/user/${userId}/info`
  expect((await call(team, route, '{')).body.detail[0]).toMatchObject({ type: 'json_invalid' })
  expect((await call(team, route)).body.detail).toEqual([
    { type: 'missing', loc: ['body'], msg: 'Field required', input: null },
  ])
})

it('requires the fields whose presence the specification leaves open', async () => {
  const team = createMock().team()
  const connections = [{ user_id: userId, access_token: 'a', refresh_token: 'r', expires_at: 1 }]
  const { status, body } = await call(team, 'POST /v2/link/bulk_import', {
    provider: 'oura',
    connections,
  })
  expect(status).toBe(422)
  expect(body.detail[0].loc).toEqual(['body', 'connections', 0, 'provider_id'])
})

it('accepts enumeration values that the specification does not list, unless strictEnumerations is set', async () => {
  const body = userInfoBody({ race: 'a_new_value' })
  const route = `PATCH /v2/user/${userId}/info`
  const responded = await call(createMock().team(), route, body)
  expect([responded.status, responded.body.race]).toEqual([200, 'a_new_value'])
  const rejected = await call(createMock().team({ strictEnumerations: true }), route, body)
  expect([rejected.status, rejected.body.detail[0].type]).toEqual([422, 'enum'])
})

it('returns content type, content length and a request id', async () => {
  const { headers } = await call(createMock().team(), 'GET /v2/providers')
  expect(headers.get('content-type')).toBe('application/json')
  expect(Number(headers.get('content-length'))).toBeGreaterThan(0)
  expect(headers.get('x-request-id')).toMatch(/^req_/)
})

it('responds to any origin, and below a base URL with a path', async () => {
  const mock = createMock({ baseUrl: 'https://api.example.test/sandbox/' })
  const { apiKey, baseUrl } = mock.connection()
  expect(baseUrl).toBe('https://api.example.test/sandbox')
  const headers = { 'x-service-api-key': apiKey }
  for (const url of [`${baseUrl}/v2/providers`, 'http://localhost:1/v2/providers']) {
    expect((await mock.fetch(url, { headers })).status).toBe(200)
  }
})

it('accepts a Request, a URL or a string', async () => {
  const mock = createMock()
  const { apiKey, baseUrl } = mock.connection()
  const url = `${baseUrl}/v2/user/${userId}/info`
  const headers = { 'x-service-api-key': apiKey, 'content-type': 'application/json' }
  const init = { method: 'PATCH', headers, body: JSON.stringify(userInfoBody()) }
  const bytes = { ...init, body: new Blob([init.body]) }
  const responses = [
    mock.fetch(new Request(url, init)),
    mock.fetch(new URL(url), init),
    mock.fetch(url, bytes),
  ]
  for (const response of responses) expect((await response).status).toBe(200)
})

it('returns the same responses for the same seed, clock and order of calls', async () => {
  const run = async (seed: number) => {
    const team = createMock({ seed }).team()
    const order = team.orders.create()
    const booked = await call(team, `POST /v3/order/${order.id}/phlebotomy/appointment/book`, {
      booking_key: 'bk_confirm',
    })
    const token = await call(team, `POST /v2/user/${userId}/sign_in_token`)
    return JSON.stringify([order, booked.body, token.body, team.apiKey])
  }
  expect(await run(7)).toBe(await run(7))
  expect(await run(7)).not.toBe(await run(8))
})

it('suggests a known option in the error of an unknown one', () => {
  // @ts-expect-error a misspelt option
  expect(() => createMock({ autocreateUsers: false })).toThrow(MockError)
  // @ts-expect-error a misspelt option
  expect(() => createMock().team({ sdkmode: 'explicit' })).toThrow(/Did you mean sdkMode\?/)
})

it('rejects with the reason of the abort', async () => {
  const team = createMock().team({ clock: 'manual' })
  const { apiKey, baseUrl, fetch } = team.connection()
  const order = team.orders.create()
  const caller = new AbortController()
  const call = fetch(`${baseUrl}/v3/order/${order.id}/phlebotomy/appointment/book`, {
    method: 'POST',
    headers: { 'x-service-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ booking_key: 'bk_confirm_after_3s' }),
    signal: caller.signal,
  })
  await team.clock.whenWaiting()
  caller.abort(new Error('gone'))
  await expect(call).rejects.toThrow('gone')
  await team.clock.advance('3s')
  expect(team.appointments.list({ order_id: order.id })).toHaveLength(1)
})

it('does not handle a request whose signal has aborted', async () => {
  const team = createMock().team()
  const { apiKey, baseUrl, fetch } = team.connection()
  const [test = { id: '' }] = team.catalogue.labTests.list()
  const init = {
    method: 'POST',
    headers: { 'x-service-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(orderBody(test.id)),
    signal: AbortSignal.abort(new Error('gone')),
  }
  const url = `${baseUrl}/v3/order`
  await expect(fetch(url, init)).rejects.toThrow('gone')
  await expect(fetch(new Request(url, init))).rejects.toThrow('gone')
  expect(team.orders.size).toBe(0)
  expect(team.journal.count).toBe(0)
})

it('does not handle a request that is aborted while its route is loaded', async () => {
  vi.resetModules()
  const team = (await import('../../../mock/index.ts')).createMock().team()
  const { apiKey, baseUrl, fetch } = team.connection()
  const [test = { id: '' }] = team.catalogue.labTests.list()
  const caller = new AbortController()
  const sent = fetch(`${baseUrl}/v3/order`, {
    method: 'POST',
    headers: { 'x-service-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(orderBody(test.id)),
    signal: caller.signal,
  })
  caller.abort(new Error('gone'))
  await expect(sent).rejects.toThrow('gone')
  expect(team.orders.size).toBe(0)
  expect(team.journal.lines()).toEqual(['orders.create aborted'])
})

it('aborts a request that nobody else holds, after a garbage collection', async () => {
  const team = createMock({ clock: 'manual' }).team()
  const { apiKey, baseUrl, fetch } = team.connection()
  const [test = { id: '' }] = team.catalogue.labTests.list()
  team.faults.add({ on: 'orders.create', then: { latency: '10m' } })
  const caller = new AbortController()
  const headers = { 'x-service-api-key': apiKey, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(orderBody(test.id)) }
  const send = () => fetch(new Request(`${baseUrl}/v3/order`, { ...init, signal: caller.signal }))
  const sent = send().catch((error: unknown) => error)
  await team.clock.whenWaiting()
  await nextTurn()
  collectGarbage()
  caller.abort('gone')
  await nextTurn()
  await team.clock.advance('10m')
  expect(await sent).toBe('gone')
  expect(team.orders.size).toBe(0)
})

it('throws if its own response violates the contract', async () => {
  const team = createMock().team()
  team.providers.update('oura', { auth_type: 'unheard_of' })
  await expect(call(team, 'GET /v2/providers')).rejects.toMatchObject({ code: 'defect' })
  team.configure({ strictResponses: false })
  expect((await call(team, 'GET /v2/providers')).status).toBe(200)
})

it('throws instead of hanging if queueMicrotask is faked', async () => {
  vi.useFakeTimers({ toFake: ['queueMicrotask'] })
  const { fetch, baseUrl } = createMock().connection()
  const response = fetch(`${baseUrl}/v2/providers`).catch((error: unknown) => error)
  expect(await response).toMatchObject({
    code: 'faked_microtasks',
    message: expect.stringContaining("doNotFake: ['queueMicrotask']"),
  })
  vi.useRealTimers()
})
