import { describe, expect, it } from 'vitest'
import { RequestValidationError } from '../../src/index.ts'
import { failureOf } from '../support/failure.ts'
import { labTestId, orderId, recipe, userId, userInfo } from '../support/samples.ts'
import { clientWith, type Send, timeframe } from './request-client.ts'

describe('rejects invalid input before anything is sent', () => {
  const rows: [string, Send, string][] = [
    [
      'a bad uuid',
      (client) => client.users.createSignInToken('nobody'),
      'user_id: expected a UUID',
    ],
    [
      'an empty path parameter',
      (client) => client.users.updateInfo('', userInfo),
      'user_id: expected a non-empty string',
    ],
    [
      'a dot segment',
      (client) => client.users.updateInfo('..', userInfo),
      'user_id: expected a non-empty string',
    ],
    [
      'a slash',
      (client) => client.users.updateInfo('a/b', userInfo),
      'user_id: expected a non-empty string',
    ],
    [
      'a backslash',
      (client) => client.users.updateInfo('a\\b', userInfo),
      'user_id: expected a non-empty string',
    ],
    [
      'half a surrogate pair',
      (client) => client.users.updateInfo('\ud800', userInfo),
      'user_id: expected a non-empty string',
    ],
    [
      'a parameter of another type',
      (client) => client.users.updateInfo(7 as never, userInfo),
      'user_id: expected a non-empty string',
    ],
    [
      'a slug with a slash',
      (client) => client.link.deleteConnection(userId, '../info'),
      'provider: expected a non-empty string',
    ],
    [
      'a resource that has no summaries',
      (client) => client.summaries.list(userId, 'dreams' as never, { start_date: '2025-06-01' }),
      'resource: expected one of activity, body, meal, profile, sleep, workouts',
    ],
    [
      'a bad e-mail address',
      (client) => client.users.updateInfo('u', { ...userInfo, email: 'jane' }),
      'body.email: expected an e-mail address',
    ],
    [
      'a date that does not exist',
      (client) => client.users.updateInfo('u', { ...userInfo, dob: '2023-02-29' }),
      'body.dob: expected a date (YYYY-MM-DD)',
    ],
    [
      'a missing field',
      (client) => client.users.updateInfo('u', { ...userInfo, address: undefined as never }),
      'body.address: expected an object',
    ],
    [
      'no body',
      (client) => client.users.updateInfo('u', undefined as never),
      'body: expected an object',
    ],
    [
      'page 0',
      (client) => client.labTests.listMarkers({ page: 0 }),
      'query.page: expected at least 1',
    ],
    [
      'size 101',
      (client) => client.labTests.listMarkers({ size: 101 }),
      'query.size: expected at most 100',
    ],
    [
      'size 0 of a test',
      (client) => client.labTests.listTestMarkers(labTestId, { size: 0 }),
      'query.size: expected at least 1',
    ],
    [
      'notes of 1,001 characters',
      (client) =>
        client.orders.bookPhlebotomyAppointment(orderId, {
          booking_key: 'k',
          appointment_notes: 'x'.repeat(1001),
        }),
      'body.appointment_notes: expected at most 1000 characters',
    ],
    [
      'a synchronous timeout out of bounds',
      (client) =>
        client.orders.bookPhlebotomyAppointment(orderId, {
          booking_key: 'k',
          sync_confirmation_timeout_millisecond: 999,
        }),
      'body.sync_confirmation_timeout_millisecond: expected at least 1000',
    ],
    [
      'an asynchronous timeout out of bounds',
      (client) =>
        client.orders.bookPhlebotomyAppointment(orderId, {
          booking_key: 'k',
          async_confirmation_timeout_millisecond: 172_800_001,
        }),
      'body.async_confirmation_timeout_millisecond: expected at most 172800000',
    ],
    [
      'no booking key',
      (client) => client.orders.bookPhlebotomyAppointment(orderId, {} as never),
      'body.booking_key: expected a string',
    ],
    [
      'a recipe with a bad uuid',
      (client) =>
        client.link.bulkImport({
          provider: 'oura',
          connections: [recipe, { ...recipe, user_id: 'x' }],
        }),
      'body.connections[1].user_id: expected a UUID',
    ],
    [
      'an anchor that is not a date',
      (client) =>
        client.aggregate.query(userId, {
          timeframe: { ...timeframe, anchor: 'today' },
          queries: [],
        }),
      'body.timeframe.anchor: expected a date',
    ],
    [
      'a past of 0',
      (client) =>
        client.aggregate.query(userId, {
          timeframe: { ...timeframe, past: { unit: 'day', value: 0 } },
          queries: [],
        }),
      'body.timeframe.past.value: expected at least 1',
    ],
    [
      'a path that leaves the base URL',
      (client) => client.request('GET', '/v2/../../etc'),
      'path: expected a path',
    ],
    [
      'an encoded dot segment',
      (client) => client.request('GET', '/v2/%2e%2E/etc'),
      'path: expected a path',
    ],
    [
      'an incomplete escape that a parameter completes',
      (client) => client.request('GET', '/v2/%2{end}/etc', { params: { end: 'e' } }),
      'path: expected a path',
    ],
    [
      'a path that leaves the base URL once its control character is dropped',
      (client) => client.request('GET', '/..\u0000'),
      'path: expected a path',
    ],
    [
      'a path with another host',
      (client) => client.request('GET', '//evil.test/v2'),
      'path: expected a path',
    ],
    [
      'an absolute URL',
      (client) => client.request('GET', 'https://evil.test/v2'),
      'path: expected a path',
    ],
    [
      'a path with a query',
      (client) => client.request('GET', '/v2/providers?x=1'),
      'path: expected a path',
    ],
    [
      'an unknown method',
      (client) => client.request('FETCH 1' as never, '/v2/providers'),
      'method: expected one of GET, PUT, DELETE, POST, PATCH',
    ],
    [
      'a GET with a body',
      (client) => client.request('GET', '/v2/providers', { body: {} }),
      'body: expected no body',
    ],
    [
      'a body that JSON cannot represent',
      (client) => client.request('POST', '/v2/thing', { body: { amount: 1n } }),
      'body: expected a value that JSON can represent',
    ],
    [
      'a circular field beside those of the contract',
      (client) => {
        const info = { ...userInfo, self: {} }
        info.self = info
        return client.users.updateInfo('u', info)
      },
      'body: expected a value that JSON can represent',
    ],
    [
      'a placeholder without its value',
      (client) => client.request('GET', '/v2/{id}'),
      'id: expected a non-empty string',
    ],
    [
      'a bad timeout',
      (client) => client.link.listProviders({}, { timeout: 0 }),
      'timeout: expected an integer from 1',
    ],
    [
      'a bad deadline',
      (client) => client.link.listProviders({}, { deadline: 1.5 }),
      'deadline: expected an integer from 1',
    ],
    [
      'negative retries',
      (client) => client.link.listProviders({}, { maxRetries: -1 }),
      'maxRetries: expected an integer from 0',
    ],
    [
      'a bad validation',
      (client) => client.link.listProviders({}, { validation: 'lax' as never }),
      "validation: expected 'strict', 'report' or 'off'",
    ],
    [
      'a signal without events',
      (client) => client.link.listProviders({}, { signal: { aborted: false } as AbortSignal }),
      'signal: expected an AbortSignal',
    ],
    [
      'the key in the headers',
      (client) => client.link.listProviders({}, { headers: { 'X-Service-Api-Key': 'k' } }),
      'headers.X-Service-Api-Key: expected no API key here; pass it as the apiKey option',
    ],
    [
      'an invalid header',
      (client) => client.link.listProviders({}, { headers: { 'x-a': 'a\r\nb' } }),
      'headers.x-a: expected a valid header value',
    ],
  ]
  it.each(rows)('%s', async (_, send, told) => {
    const { client, requests } = clientWith({})
    const error = await failureOf(send(client), RequestValidationError)
    expect(error.message).toContain(told)
    expect(error).toMatchObject({ outcome: 'not-sent', attempts: [], code: 'request_invalid' })
    expect(requests).toHaveLength(0)
  })

  it('names every invalid path', async () => {
    const { client } = clientWith({})
    const error = await failureOf(
      client.labTests.listTestMarkers('x', { page: 0, size: 101 }),
      RequestValidationError,
    )
    expect(error.issues.map(({ path }) => path)).toEqual([
      'lab_test_id',
      'query.page',
      'query.size',
    ])
  })

  it('lists the first 20 issues and counts the rest', async () => {
    const { client } = clientWith({})
    const connections = Array.from({ length: 30 }, () => ({ ...recipe, user_id: 'x' }))
    const error = await failureOf(
      client.link.bulkImport({ provider: 'oura', connections }),
      RequestValidationError,
    )
    expect(error.issues).toHaveLength(30)
    expect(error.message).toMatch(/; and 10 more\.$/)
  })
})
