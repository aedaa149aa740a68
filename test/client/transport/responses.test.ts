import { expect, it } from 'vitest'
import {
  type DriftEvent,
  type RequestOptions,
  ResponseValidationError,
  ServiceClient,
  UnprocessableEntityError,
} from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { appointment, orderId, provider, recipe, userInfo } from '../../support/samples.ts'
import { json } from '../../support/stub-fetch.ts'

const baseUrl = 'https://service.test'

function clientOf(respond: () => Response) {
  return new ServiceClient({ apiKey: 'key', baseUrl, fetch: async () => respond(), maxRetries: 0 })
}

/** What the message of a 422 with these details says of them. */
async function toldOf(
  detail: unknown,
  call = (client: ServiceClient): PromiseLike<unknown> => client.users.updateInfo('u', userInfo),
): Promise<string> {
  const error = await failureOf(
    call(clientOf(() => json({ detail }, 422))),
    UnprocessableEntityError,
  )
  const pattern =
    /status 422: invalid values in (.*?)\. (?:The request had no effect|Correct the request)/
  return pattern.exec(error.message)?.[1] ?? ''
}

it.each<[unknown, string]>([
  [['body', 'first_name'], 'body.first_name'],
  [['body', 'address', 'city'], 'body.address.city'],
  [['body', 'address', 'Jane'], 'body.address.*'],
  [['body', 'Jane', 'city'], 'body.*.*'],
  [['body'], 'body'],
  [['path', 'user_id'], 'path.user_id'],
  [['path', 'Jane'], 'path.*'],
  [['path', 'toString'], 'path.*'],
  [['path', 5], 'path.*'],
  [['path', 'user_id', 'Jane'], 'path.*'],
  [['path'], 'path.*'],
  [['query', 'Jane'], 'query'],
  [['header', 'Jane'], 'request'],
  [['Jane'], 'request'],
  [[], 'request'],
  ['body.first_name', 'request'],
  [undefined, 'request'],
])('prints the known part of the place %j of a detail', async (loc, expected) => {
  expect(await toldOf([{ loc, type: 'missing' }])).toBe(`${expected} (missing)`)
})

it('prints positions in lists and query parameters', async () => {
  const inList = [{ loc: ['body', 'connections', 12, 'user_id'], type: 'uuid_parsing' }]
  const importing = (client: ServiceClient) =>
    client.link.bulkImport({ provider: 'oura', connections: [recipe] })
  expect(await toldOf(inList, importing)).toBe('body.connections[12].user_id (uuid_parsing)')
  const inQuery = [{ loc: ['query', 'size'], type: 'int_type' }]
  const listing = (client: ServiceClient) => client.labTests.listMarkers()
  expect(await toldOf(inQuery, listing)).toBe('query.size (int_type)')
  const withoutParams = [{ loc: ['path', 'size'], type: 'int_type' }]
  expect(await toldOf(withoutParams, listing)).toBe('path.* (int_type)')
})

it.each<[unknown, string]>([
  ['missing', 'missing'],
  ['too_long', 'too_long'],
  ['string_too_short', 'string_too_short'],
  ['datetime_from_date_parsing', 'datetime_from_date_parsing'],
  ['xmissing', 'invalid'],
  ['missingx', 'invalid'],
  ['string_', 'invalid'],
  ['string_J', 'invalid'],
  ['string_x', 'invalid'],
  ['Jane', 'invalid'],
  [['missing'], 'invalid'],
  [undefined, 'invalid'],
  [5, 'invalid'],
])('prints the type %j of a detail as %s', async (type, expected) => {
  expect(await toldOf([{ loc: ['body', 'dob'], type }])).toBe(`body.dob (${expected})`)
})

it.each([['text'], [{ loc: ['body'] }], [null], [[]]])(
  'shows nothing of the detail %j',
  async (detail) => {
    expect(await toldOf(detail)).toBe('')
  },
)

it('prints at most 20 details', async () => {
  const detail = Array.from({ length: 30 }, () => ({ loc: ['body', 'dob'], type: 'missing' }))
  expect((await toldOf(detail)).split('; ')).toHaveLength(20)
})

it.each<[string, () => Response, object, RequestOptions?]>([
  [
    'HTML',
    () => new Response('<html>', { status: 200 }),
    { issues: [{ path: 'response', expected: 'JSON' }], outcome: 'unknown' },
  ],
  [
    'HTML, unchecked',
    () => new Response('<html>', { status: 200 }),
    { issues: [{ path: 'response', expected: 'JSON' }], outcome: 'unknown' },
    { validation: 'off' },
  ],
  [
    'nothing',
    () => new Response('', { status: 200 }),
    { issues: [{ path: 'response', expected: 'an array' }], outcome: 'unknown' },
  ],
  [
    'something else',
    () => json({}),
    { issues: [{ path: 'response', expected: 'an array' }], outcome: 'succeeded' },
  ],
  [
    'something else with a status that the specification does not have',
    () => json({}, 203),
    { issues: [{ path: 'response', expected: 'an array' }], outcome: 'succeeded' },
  ],
])('rejects %s instead of a list', async (_, respond, expected, options) => {
  const call = clientOf(respond).link.listProviders({}, options)
  const error = await failureOf(call, ResponseValidationError)
  expect({ issues: error.issues, outcome: error.outcome }).toEqual(expected)
})

it('returns any JSON with validation off', async () => {
  const client = clientOf(() => json({ surprise: 1 }))
  expect(await client.link.listProviders({}, { validation: 'off' })).toEqual({ surprise: 1 })
})

it('returns the result with its response', async () => {
  const client = clientOf(() => json([provider], 200, { 'x-request-id': 'req-1' }))
  const { data, response } = await client.link.listProviders().withResponse()
  expect(data).toEqual([provider])
  expect(response).toMatchObject({ status: 200, requestId: 'req-1', attempts: [{ status: 200 }] })
  expect(response.headers.get('x-request-id')).toBe('req-1')
})

it('decodes characters that are split between two chunks', async () => {
  const bytes = new TextEncoder().encode(JSON.stringify([{ ...provider, name: 'Ōura – 日本' }]))
  const body = () =>
    new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })
  const [found] = await clientOf(() => new Response(body())).link.listProviders()
  expect(found?.name).toBe('Ōura – 日本')
})

it('reports the same drift in many items of a list once', async () => {
  const told: DriftEvent[] = []
  const providers = Array.from({ length: 120 }, () => ({ ...provider, surprise: 1 }))
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl,
    fetch: async () => json(providers),
    hooks: { drift: (event) => void told.push(event) },
  })
  await client.link.listProviders()
  expect(told.filter(({ kind }) => kind === 'field')).toHaveLength(1)
})

it('has no request id if the service sends none', async () => {
  const { response } = await clientOf(() => json([]))
    .link.listProviders()
    .withResponse()
  expect(response.requestId).toBeUndefined()
})

it('reports no drift with validation off', async () => {
  const told: DriftEvent[] = []
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl,
    fetch: async () => json([{ ...provider, surprise: 1 }]),
    hooks: { drift: (event) => void told.push(event) },
    validation: 'off',
  })
  await client.link.listProviders()
  expect(told).toEqual([])
})

it('lists the first 100 invalid positions, and says that the booking took effect', async () => {
  const events = Array.from({ length: 200_000 }, () => 0)
  const client = clientOf(() => json({ ...appointment, events }))
  const booking = client.orders.bookPhlebotomyAppointment(orderId, { booking_key: 'key' })
  const error = await failureOf(booking, ResponseValidationError)
  expect(error.outcome).toBe('succeeded')
  expect(error.issues).toHaveLength(100)
  expect(error.issues[99]).toEqual({ path: 'response.events[99]', expected: 'an object' })
  expect(error.message).toContain('response.events[19]: expected an object; and at least 80 more')
})

it('finds the same invalid places at the first and at later calls', async () => {
  const client = clientOf(() =>
    json([{ ...provider, name: 1 }, provider, { ...provider, slug: 2 }]),
  )
  for (let call = 1; call <= 3; call += 1) {
    const error = await failureOf(client.link.listProviders(), ResponseValidationError)
    expect(error.issues.map(({ path }) => path)).toEqual(['response[0].name', 'response[2].slug'])
  }
})
