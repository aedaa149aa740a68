import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { serve } from '../../../mock/server.ts'
import { insuranceBody, orderBody, recipe, userId, userInfoBody } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

const upperId = userId.toUpperCase()

it('compares UUIDs without case and returns them in lower case', async () => {
  const team = createMock().team()
  team.users.create({ user_id: upperId })
  const token = await call(team, `POST /v2/user/${upperId}/sign_in_token`)
  expect(token.body.user_id).toBe(userId)
  const body = { provider: 'oura', connections: [recipe(upperId)], wait_for_completion: true }
  const imported = await call(team, 'POST /v2/link/bulk_import', body)
  expect(imported.body.user_ids_imported).toEqual([userId])
  const [test] = team.catalogue.labTests.list()
  const order = orderBody((test?.id ?? '').toUpperCase(), { user_id: upperId })
  const created = await call(team, 'POST /v3/order', order)
  expect(created.body.order).toMatchObject({
    user_id: userId,
    order_set: { lab_test_ids: [test?.id] },
  })
  const id = created.body.order.id.toUpperCase()
  const pdf = await call(team, `GET /v3/order/${id}/requisition/pdf`)
  expect(pdf.status).toBe(200)
  expect(team.users.list()).toHaveLength(1)
  expect(team.users.get(upperId)).toBe(team.users.get(userId))
})

it('keeps the case of strings that are not ids', async () => {
  const team = createMock().team()
  const body = insuranceBody({ member_id: upperId })
  const { body: stored } = await call(team, `POST /v2/user/${userId}/insurance`, body)
  expect(stored.member_id).toBe(upperId)
})

it('finds a path with percent-encoded letters', async () => {
  const team = createMock().team()
  expect((await call(team, 'GET /v2/%70roviders')).status).toBe(200)
  expect((await call(team, 'GET /v2/%zzproviders')).status).toBe(404)
})

it.each([
  ['POST /v2/providers', 'GET, HEAD'],
  [`GET /v2/user/${userId}/info`, 'PATCH, DELETE'],
  ['GET /v3/lab_tests/list_order_set_markers', 'POST'],
])('responds with 405 to %s and names the methods of the path', async (route, allow) => {
  const { status, headers, body } = await call(createMock().team(), route)
  expect([status, headers.get('allow')]).toEqual([405, allow])
  expect(body.detail).toContain('Did you mean')
})

it.each([
  ['application/json', 200],
  ['Application/JSON; charset=utf-8', 200],
  ['application/vnd.team+json', 200],
  ['text/plain;charset=UTF-8', 415],
  ['application/x-www-form-urlencoded', 415],
])('responds to a body with the content type %s with %i', async (type, status) => {
  const team = createMock().team()
  const route = `PATCH /v2/user/${userId}/info`
  const strict = await call(team, route, userInfoBody(), { 'content-type': type })
  expect(strict.status).toBe(status)
  team.configure({ strictContentType: false })
  const lenient = await call(team, route, userInfoBody(), { 'content-type': type })
  expect(lenient.status).toBe(200)
})

it.each([
  ['identity', 200],
  ['Identity', 200],
  ['identity, identity', 200],
  ['identity, gzip', 415],
  ['gzip', 415],
  ['gzip, br', 415],
])('responds to a body with the content encoding %s with %i', async (encoding, status) => {
  const headers = { 'content-encoding': encoding }
  const route = `PATCH /v2/user/${userId}/info`
  const responded = await call(createMock().team(), route, userInfoBody(), headers)
  expect(responded.status).toBe(status)
  if (status === 200) return
  expect(responded.body.detail).toBe(`The content encoding ${encoding} is not supported`)
})

it('responds with 415 to a compressed body, even if the operation has none or belongs to the control API', async () => {
  const mock = createMock()
  await using server = await serve(mock)
  const headers = {
    'x-service-api-key': mock.connection().apiKey,
    'content-type': 'application/json',
    'content-encoding': 'gzip',
  }
  for (const [method, path, send] of [
    ['PATCH', `/v2/user/${userId}/info`, fetch],
    ['POST', `/v2/user/${userId}/sign_in_token`, fetch],
    ['POST', `/v2/user/${userId}/sign_in_token`, mock.fetch],
    ['POST', '/__mock__/api/faults', fetch],
  ] as const) {
    const body = gzipSync(JSON.stringify(userInfoBody()))
    const response = await send(`${server.url}${path}`, { method, headers, body })
    expect([path, response.status]).toEqual([path, 415])
  }
})

const text = JSON.stringify(userInfoBody())

it.each([
  ['of a string without a content type', { method: 'PATCH', body: text, json: false }, 415],
  [
    'that begins with a byte order mark',
    { method: 'PATCH', body: `\uFEFF${text}`, json: true },
    200,
  ],
  ['with the method in lower case', { method: 'patch', body: text, json: true }, 405],
  ['of a GET', { method: 'GET', body: text, json: true }, 'TypeError'],
  ['of a TRACE', { method: 'TRACE', body: text, json: true }, 'TypeError'],
])('treats a body %s as the platform does', async (_, { json, ...init }, expected) => {
  const mock = createMock()
  const url = `${mock.baseUrl}/v2/user/${userId}/info`
  const headers = {
    'x-service-api-key': mock.connection().apiKey,
    ...(json ? { 'content-type': 'application/json' } : {}),
  }
  const resultOf = (response: Promise<Response>) =>
    response.then(
      ({ status }) => status,
      ({ name }) => name,
    )
  const sent = async () => mock.fetch(new Request(url, { ...init, headers }))
  expect(await resultOf(sent())).toBe(expected)
  expect(await resultOf(mock.fetch(url, { ...init, headers }))).toBe(expected)
})

it('does not check the content type and encoding of a request without a body', async () => {
  const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' }
  const route = `POST /v2/user/${userId}/sign_in_token`
  expect((await call(createMock().team(), route, undefined, headers)).status).toBe(200)
})

it.each([
  ['string', () => ''],
  ['array', () => new Uint8Array()],
  ['stream', () => new Blob([]).stream()],
])('ignores the content encoding of an empty body, a %s, even over HTTP', async (_, body) => {
  const mock = createMock()
  await using server = await serve(mock)
  const headers = { 'x-service-api-key': mock.connection().apiKey, 'content-encoding': 'gzip' }
  for (const [path, send] of [
    [`/v2/user/${userId}/sign_in_token`, mock.fetch],
    [`/v2/user/${userId}/sign_in_token`, fetch],
    ['/__mock__/api/users', fetch],
  ] as const) {
    const init = { method: 'POST', headers, body: body(), duplex: 'half' }
    const response = await send(`${server.url}${path}`, init)
    expect([path, response.status]).toEqual([path, 200])
  }
})

it('responds to HEAD as to GET, without a body', async () => {
  const team = createMock().team()
  const get = await call(team, 'GET /v2/providers')
  const { apiKey, baseUrl, fetch } = team.connection()
  const headers = { 'x-service-api-key': apiKey }
  const head = await fetch(`${baseUrl}/v2/providers`, { method: 'HEAD', headers })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
  expect(team.journal.last()?.operation).toBe('link.listProviders')
})

const invalidUtf8 = Uint8Array.from([0x7b, 0xff, 0x7d])

it('rejects a body that is not UTF-8, even over HTTP', async () => {
  const mock = createMock()
  await using server = await serve(mock)
  const { apiKey } = mock.connection()
  for (const [base, send] of [
    [mock.baseUrl, mock.fetch],
    [server.url, fetch],
  ] as const) {
    const response = await send(`${base}/v2/user/${userId}/info`, {
      method: 'PATCH',
      body: invalidUtf8,
      headers: { 'x-service-api-key': apiKey, 'content-type': 'application/json' },
    })
    const { detail } = await response.json()
    expect([response.status, detail[0].type]).toEqual([422, 'json_invalid'])
  }
})

it('returns links that work when a mock is served', async () => {
  const mock = createMock()
  await using server = await serve(mock)
  const team = mock.team()
  const [test] = team.catalogue.labTests.list()
  const { body } = await call(team, 'POST /v3/order', orderBody(test?.id ?? ''))
  const link = body.order.requisition_form_url
  expect(link.startsWith(`${server.url}/`)).toBe(true)
  expect((await fetch(link)).headers.get('content-type')).toBe('application/pdf')
})

it('keeps the links of a mock with a base URL of its own', async () => {
  const mock = createMock({ baseUrl: 'https://proxy.test' })
  await using _ = await serve(mock)
  const [test] = mock.defaultTeam.catalogue.labTests.list()
  const { body } = await call(mock.defaultTeam, 'POST /v3/order', orderBody(test?.id ?? ''))
  expect(body.order.requisition_form_url).toMatch(/^https:\/\/proxy\.test\//)
})
