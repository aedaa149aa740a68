import { countAndExpect, readWithHeyApi, readWithOpenapiFetch } from './journey-parts.ts'

/**
 * Programs that control a team with generated clients. They seed the team, add a fault, advance the clock, and read the
 * team's events and requests. Each program returns the number of its calls.
 */

/** The values that both programs send. */
const shared = `
export interface Service {
  url: string
  apiKey: string
}
const user_id = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'
const order_id = '5b1d4c62-7a35-4d8f-9c1e-0a4b3c2d1e03'
const fixture = {
  users: [{ user_id, info: { first_name: 'Maria' }, persona: 'athlete' }],
  connections: [{ user_id, provider: 'oura' }],
  orders: [{ id: order_id, user_id }],
}
const fault = { on: 'orders.*', when: { first: 1 }, then: { status: 503, retryAfter: '1s' } }
${countAndExpect}async function statusOfBooking({ url, apiKey }: Service): Promise<number> {
  const response = await fetch(url + '/v3/order/' + order_id + '/phlebotomy/appointment/book', {
    method: 'POST',
    headers: { 'x-service-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ booking_key: 'bk_never', async_confirmation: true }),
    signal: AbortSignal.timeout(60_000),
  })
  return response.status
}
`

const openapiFetch = `import createClient from 'openapi-fetch'
import type { components, paths } from './schema'
${shared}${readWithOpenapiFetch}
export async function journey(service: Service): Promise<number> {
  const { GET, POST, PATCH } = createClient<paths, 'application/json'>({
    baseUrl: service.url + '/__mock__/api',
    headers: { 'x-service-api-key': service.apiKey },
  })
  const seeded = await read(POST('/seed', { body: fixture }))
  expect(seeded.users[0]?.info?.first_name === 'Maria', 'the user has the name of the fixture')
  await read(PATCH('/clock', { body: { mode: 'auto' } }))
  const { id } = await read(POST('/faults', { body: fault }))
  expect((await statusOfBooking(service)) === 503, 'the fault affects the first booking')
  expect((await statusOfBooking(service)) === 200, 'the second booking succeeds')
  const faults: components['schemas']['FaultState'][] = await read(GET('/faults'))
  expect(faults[0]?.id === id && faults[0].useCount === 1, 'the fault was used once')
  const { now, pending } = await read(POST('/clock/advance', { body: { by: '49h' } }))
  expect(now.startsWith('2025-06-03') && Array.isArray(pending), 'the time has moved')
  const query = { type: 'labtest.*' }
  const { events } = await read(GET('/events', { params: { query } }))
  expect(events.at(-1)?.user_id === user_id, 'the events are those of the user')
  const sent = await read(POST('/events', { body: { event_type: 'daily.data.sleep.created' } }))
  expect(sent.number > events.length, 'a triggered event is the latest')
  const { requests } = await read(GET('/journal', { params: { query: { on: 'orders.*' } } }))
  expect(requests.map(({ response }) => response?.status).join() === '503,200', 'the journal has both')
  expect(requests[1]?.changes[0]?.action === 'create', 'the booking creates an appointment')
  const path = { user_id }
  const user = await read(PATCH('/users/{user_id}', { params: { path }, body: { time_zone: 'Europe/Berlin' } }))
  expect(user.time_zone === 'Europe/Berlin', 'the user is updated')
  return calls
}
`

const heyApi = `import * as api from './hey'
import { client } from './hey/client.gen'
import type { FaultState } from './hey'
${shared}${readWithHeyApi}
export async function journey(service: Service): Promise<number> {
  client.setConfig({ baseUrl: service.url + '/__mock__/api', auth: ({ name }) => (name === 'x-service-api-key' ? service.apiKey : undefined) })
  const strict = { throwOnError: true } as const
  const seeded = await read(api.seed({ body: fixture, ...strict }))
  expect(seeded.users[0]?.info?.first_name === 'Maria', 'the user has the name of the fixture')
  await read(api.clockUpdate({ body: { mode: 'auto' }, ...strict }))
  const { id } = await read(api.faultsAdd({ body: fault, ...strict }))
  expect((await statusOfBooking(service)) === 503, 'the fault affects the first booking')
  expect((await statusOfBooking(service)) === 200, 'the second booking succeeds')
  const faults: FaultState[] = await read(api.faultsList(strict))
  expect(faults[0]?.id === id && faults[0].useCount === 1, 'the fault was used once')
  const { now, pending } = await read(api.clockAdvance({ body: { by: '49h' }, ...strict }))
  expect(now.startsWith('2025-06-03') && Array.isArray(pending), 'the time has moved')
  const { events } = await read(api.eventsList({ query: { type: 'labtest.*' }, ...strict }))
  expect(events.at(-1)?.user_id === user_id, 'the events are those of the user')
  const sent = await read(api.eventsTrigger({ body: { event_type: 'daily.data.sleep.created' }, ...strict }))
  expect(sent.number > events.length, 'a triggered event is the latest')
  const { requests } = await read(api.journalRequests({ query: { on: 'orders.*' }, ...strict }))
  expect(requests.map(({ response }) => response?.status).join() === '503,200', 'the journal has both')
  expect(requests[1]?.changes[0]?.action === 'create', 'the booking creates an appointment')
  const user = await read(api.usersUpdate({ path: { user_id }, body: { time_zone: 'Europe/Berlin' }, ...strict }))
  expect(user.time_zone === 'Europe/Berlin', 'the user is updated')
  return calls
}
`

/** The programs, keyed by file name. */
export const controlJourneys = {
  'openapi-fetch': openapiFetch,
  'hey-api': heyApi,
}
