import { describe, expect, it } from 'vitest'
import {
  appointment,
  insurance,
  insuranceInput,
  labTestId,
  markerPage,
  orderId,
  recipe,
  userId,
  userInfo,
} from '../support/samples.ts'
import { clientWith, order, type Send, timeframe } from './request-client.ts'

describe('requests', () => {
  const rows: [string, unknown, Send, unknown?][] = [
    [
      'PATCH /prefix/v2/user/user%201/info',
      userInfo,
      (client) => client.users.updateInfo('user 1', userInfo),
      userInfo,
    ],
    [
      'POST /prefix/v2/user/USER/sign_in_token',
      { user_id: userId, sign_in_token: 't' },
      (client) => client.users.createSignInToken(userId),
    ],
    [
      'POST /prefix/v2/user/u/insurance',
      insurance,
      (client) => client.insurance.create('u', insuranceInput),
      insuranceInput,
    ],
    ['GET /prefix/v2/providers', [], (client) => client.link.listProviders()],
    ['GET /prefix/v2/providers', [], (client) => client.link.listProviders({ source_type: null })],
    [
      'GET /prefix/v2/providers?source_type=ring+%26+app',
      [],
      (client) => client.link.listProviders({ source_type: 'ring & app' }),
    ],
    [
      'DELETE /prefix/v2/user/USER/oura',
      { success: true },
      (client) => client.link.deleteConnection(userId, 'oura'),
    ],
    [
      'POST /prefix/v2/link/bulk_import',
      { user_ids_imported: [], user_ids_failed: [] },
      (client) =>
        client.link.bulkImport({
          provider: 'oura',
          connections: [recipe],
          wait_for_completion: true,
        }),
      { provider: 'oura', connections: [recipe], wait_for_completion: true },
    ],
    [
      'GET /prefix/v2/link/bulk_op?page_size=5',
      { data: [] },
      (client) => client.link.listBulkOps({ page_size: 5 }),
    ],
    [
      'GET /prefix/v3/lab_tests/markers?lab_id=1&lab_id=2&a_la_carte_enabled=true&page=2&size=10',
      markerPage,
      (client) =>
        client.labTests.listMarkers({
          lab_id: [1, 2],
          a_la_carte_enabled: true,
          page: 2,
          size: 10,
        }),
    ],
    ['GET /prefix/v3/lab_tests/markers', markerPage, (client) => client.labTests.listMarkers()],
    [
      'GET /prefix/v3/lab_tests/TEST/markers?lab_account_id=USER',
      markerPage,
      (client) => client.labTests.listTestMarkers(labTestId, { lab_account_id: userId }),
    ],
    [
      'POST /prefix/v3/lab_tests/list_order_set_markers?page=3',
      markerPage,
      (client) =>
        client.labTests.listOrderSetMarkers(
          { lab_test_ids: [labTestId], add_on: { provider_ids: ['1'] } },
          { page: 3 },
        ),
      { lab_test_ids: [labTestId], add_on: { provider_ids: ['1'] } },
    ],
    [
      'GET /prefix/v3/lab_test?lab_test_limit=20',
      { data: [] },
      (client) => client.labTests.list({ lab_test_limit: 20 }),
    ],
    [
      'POST /prefix/v3/order/ORDER/phlebotomy/appointment/book',
      appointment,
      (client) => client.orders.bookPhlebotomyAppointment(orderId, { booking_key: 'key' }),
      { booking_key: 'key' },
    ],
    [
      'GET /prefix/v3/order/ORDER/phlebotomy/appointment',
      appointment,
      (client) => client.orders.getPhlebotomyAppointment(orderId),
    ],
    [
      'GET /prefix/v3/order/ORDER/requisition/pdf',
      new Response('%PDF'),
      (client) => client.orders.downloadRequisition(orderId),
    ],
    [
      'POST /prefix/v3/order',
      order,
      (client) => client.orders.create({ order_set: { lab_test_ids: [labTestId] } } as never),
      { order_set: { lab_test_ids: [labTestId] } },
    ],
    [
      'POST /prefix/aggregate/v1/user/USER/query',
      { results: [] },
      (client) => client.aggregate.query(userId, { timeframe, queries: [] }),
      { timeframe, queries: [] },
    ],
    [
      'GET /prefix/v2/summary/sleep/USER?start_date=2025-06-01',
      { sleep: [] },
      (client) => client.summaries.list(userId, 'sleep', { start_date: '2025-06-01' }),
    ],
    [
      'PUT /prefix/v9/a%2Cb/c?x=1',
      { any: 'thing' },
      (client) =>
        client.request('PUT', '/v9/{name}/c', {
          params: { name: 'a,b' },
          query: { x: 1 },
          body: [1],
        }),
      [1],
    ],
  ]
  it.each(rows)('%s', async (line, respond, send, body) => {
    const { client, requests } = clientWith(respond)
    await send(client)
    expect(requests).toHaveLength(1)
    const [request] = requests
    const path = `${request?.url.pathname}${request?.url.search}`
    const named = path
      .replaceAll(userId, 'USER')
      .replaceAll(orderId, 'ORDER')
      .replaceAll(labTestId, 'TEST')
    expect(`${request?.method} ${named}`).toBe(line)
    expect(request?.body).toEqual(body)
    expect(request?.headers.get('x-service-api-key')).toBe('sk_test')
    expect(request?.headers.get('content-type')).toBe(
      body === undefined ? null : 'application/json',
    )
    expect(request?.headers.get('accept')).toBe(
      line.endsWith('/pdf') ? 'application/pdf' : 'application/json',
    )
    expect(request?.headers.get('user-agent')).toMatch(/^health-lab-sdk\/\d/)
  })

  it('adds headers of the client and of the call, which take precedence', async () => {
    const { client, requests } = clientWith([], { headers: { 'X-Team': 'a', 'x-b': 'b' } })
    await client.link.listProviders({}, { headers: { 'x-team': 'c' } })
    expect(requests[0]?.headers.get('x-team')).toBe('c')
    expect(requests[0]?.headers.get('x-b')).toBe('b')
  })

  it("does not change the caller's input", async () => {
    const { client } = clientWith(insurance)
    const before = structuredClone(insuranceInput)
    await client.insurance.create('user', Object.freeze(insuranceInput))
    expect(insuranceInput).toEqual(before)
  })
})

describe('accepts', () => {
  it('a confirmation timeout without async_confirmation', async () => {
    const { client, requests } = clientWith(appointment)
    const booking = {
      booking_key: 'k',
      sync_confirmation_timeout_millisecond: 1000,
      async_confirmation_timeout_millisecond: null,
    }
    await client.orders.bookPhlebotomyAppointment(orderId, booking)
    expect(requests[0]?.body).toEqual(booking)
  })

  it('an unknown relationship, because the enumeration is open', async () => {
    const { client, requests } = clientWith(insurance)
    await client.insurance.create('u', { ...insuranceInput, relationship: 'Child' })
    expect(requests[0]?.body).toMatchObject({ relationship: 'Child' })
  })

  it('an empty list of connections', async () => {
    const { client, requests } = clientWith({ user_ids_imported: [], user_ids_failed: [] })
    await client.link.bulkImport({ provider: 'oura', connections: [] })
    expect(requests).toHaveLength(1)
  })

  it('a person without the fields that the specification does not call required', async () => {
    const { client, requests } = clientWith(insurance)
    await client.insurance.create('u', {
      ...insuranceInput,
      insured: { first_name: 'Jane' } as never,
    })
    expect(requests[0]?.body).toMatchObject({ insured: { first_name: 'Jane' } })
  })
})
