import { countAndExpect, readWithHeyApi, readWithOpenapiFetch } from './journey-parts.ts'

/** Programs that follow the quickstart with generated clients. Each returns the number of its calls. */

/** The values that both programs send, and the interface that they receive. */
const shared = `
export interface Service {
  url: string
  apiKey: string
  /** Advances the time of the service, such as by 5m. */
  advance(by: string): Promise<unknown>
}
const user_id = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'
const contact = { email: 'maria@example.com', phone_number: '+16025550100' }
const person = { first_name: 'Maria', last_name: "O'Connor", gender: 'female', dob: '1954-03-08' }
const street = { first_line: '1 Main Street', city: 'Phoenix', state: 'AZ' }
const address = { ...street, zip: '85004', country: 'US' }
const info = { ...person, ...contact, address: { ...street, zip_code: '85004', floor: 3 } }
const insurance = {
  payor_code: 'MEDFED',
  member_id: 'M-1954',
  relationship: 'Self',
  insured: { ...person, ...contact, address },
}
const tokens = { access_token: 'access', refresh_token: 'refresh', expires_at: 2147483647 }
const connections = [{ user_id, ...tokens, provider_id: 'member-1' }]
const scores = ['mean', 'min', 'max'].map((func) => ({ arg: { sleep: 'score' }, func }))
const statistics = {
  timeframe: { type: 'relative', anchor: '2025-06-01', past: { unit: 'week', value: 6 } },
  queries: [
    {
      select: scores,
      group_by: [{ date_trunc: { unit: 'week', value: 1 }, arg: { index: 'sleep' } }],
    },
  ],
}
const newOrder = (lab_test_id: string) => ({
  user_id,
  patient_details: { ...person, ...contact },
  patient_address: address,
  order_set: { lab_test_ids: [lab_test_id] },
})
const booking = { booking_key: 'bk_confirm_after_300s', async_confirmation: true }
${countAndExpect}`

const openapiFetch = `import createClient from 'openapi-fetch'
import type { paths } from './schema'
${shared}${readWithOpenapiFetch}
export async function journey({ url, apiKey, advance }: Service): Promise<number> {
  const { GET, POST, PATCH, DELETE } = createClient<paths, 'application/json'>({
    baseUrl: url,
    headers: { 'x-service-api-key': apiKey },
  })
  const path = { user_id }
  const user = await read(PATCH('/v2/user/{user_id}/info', { params: { path }, body: info }))
  expect(user.first_name === 'Maria', 'the name is stored')
  await read(POST('/v2/user/{user_id}/sign_in_token', { params: { path } }))
  const insured = await read(POST('/v2/user/{user_id}/insurance', { params: { path }, body: insurance }))
  expect(insured.payor_code === 'MEDAZ', 'the regional plan is inferred')
  const query = { lab_slug: 'northlab', page: 2, size: 50 }
  await read(GET('/v3/lab_tests/markers', { params: { query } }))
  const tests = await read(GET('/v3/lab_test', { params: { query: { collection_method: 'at_home_phlebotomy' } } }))
  const lab_test_id = tests.data[0]?.id ?? ''
  await read(GET('/v3/lab_tests/{lab_test_id}/markers', { params: { path: { lab_test_id } } }))
  await read(POST('/v3/lab_tests/list_order_set_markers', { body: { lab_test_ids: [lab_test_id] } }))
  const { order } = await read(POST('/v3/order', { body: newOrder(lab_test_id) }))
  const ofOrder = { path: { order_id: order.id } }
  const pending = await read(
    POST('/v3/order/{order_id}/phlebotomy/appointment/book', { params: ofOrder, body: booking }),
  )
  expect(pending.status === 'pending', 'the appointment is pending')
  await advance('5m')
  const booked = await read(GET('/v3/order/{order_id}/phlebotomy/appointment', { params: ofOrder }))
  expect(booked.status === 'confirmed', 'the appointment is confirmed')
  await read(GET('/v2/providers'))
  await read(POST('/v2/link/bulk_import', { body: { provider: 'oura', connections, wait_for_completion: true } }))
  await read(DELETE('/v2/user/{user_id}/{provider}', { params: { path: { user_id, provider: 'oura' } } }))
  const { results } = await read(
    POST('/aggregate/v1/user/{user_id}/query', { params: { path }, body: statistics }),
  )
  expect((results[0]?.table['mean']?.length ?? 0) >= 6, 'every week has a row')
  const days = { start_date: '2025-05-01' }
  const { sleep } = await read(GET('/v2/summary/sleep/{user_id}', { params: { path, query: days } }))
  expect(typeof sleep[0]?.hr_average === 'number', 'a night has a heart rate')
  await read(GET('/v2/summary/profile/{user_id}', { params: { path } }))
  return calls
}
`

const heyApi = `import * as api from './hey'
import { client } from './hey/client.gen'
${shared}${readWithHeyApi}
export async function journey({ url, apiKey, advance }: Service): Promise<number> {
  client.setConfig({ baseUrl: url, auth: apiKey })
  const path = { user_id }
  const strict = { throwOnError: true } as const
  const user = await read(api.usersUpdateInfo({ path, body: info, ...strict }))
  expect(user.first_name === 'Maria', 'the name is stored')
  await read(api.usersCreateSignInToken({ path, ...strict }))
  const insured = await read(api.insuranceCreate({ path, body: insurance, ...strict }))
  expect(insured.payor_code === 'MEDAZ', 'the regional plan is inferred')
  await read(api.labTestsListMarkers({ query: { lab_slug: 'northlab', page: 2, size: 50 }, ...strict }))
  const tests = await read(api.labTestsList({ query: { collection_method: 'at_home_phlebotomy' }, ...strict }))
  const lab_test_id = tests.data[0]?.id ?? ''
  await read(api.labTestsListTestMarkers({ path: { lab_test_id }, ...strict }))
  await read(api.labTestsListOrderSetMarkers({ body: { lab_test_ids: [lab_test_id] }, ...strict }))
  const { order } = await read(api.ordersCreate({ body: newOrder(lab_test_id), ...strict }))
  const ofOrder = { order_id: order.id }
  const pending = await read(
    api.ordersBookPhlebotomyAppointment({ path: ofOrder, body: booking, ...strict }),
  )
  expect(pending.status === 'pending', 'the appointment is pending')
  await advance('5m')
  const booked = await read(api.ordersGetPhlebotomyAppointment({ path: ofOrder, ...strict }))
  expect(booked.status === 'confirmed', 'the appointment is confirmed')
  await read(api.linkListProviders(strict))
  const body = { provider: 'oura', connections, wait_for_completion: true }
  await read(api.linkBulkImport({ body, ...strict }))
  await read(api.linkDeleteConnection({ path: { user_id, provider: 'oura' }, ...strict }))
  const { results } = await read(api.aggregateQuery({ path, body: statistics, ...strict }))
  expect((results[0]?.table['mean']?.length ?? 0) >= 6, 'every week has a row')
  const { sleep } = await read(
    api.summariesListSleep({ path, query: { start_date: '2025-05-01' }, ...strict }),
  )
  expect(typeof sleep[0]?.hr_average === 'number', 'a night has a heart rate')
  await read(api.summariesListProfile({ path, ...strict }))
  return calls
}
`

/** The programs, keyed by file name. */
export const journeys = {
  'openapi-fetch': openapiFetch,
  'hey-api': heyApi,
}

/** Serves a mock from the packed package, and runs the journey of a bundled program. */
export const journeyRunner = `import { serve } from 'health-lab-sdk/mock/server'
import { createMock } from 'health-lab-sdk/mock'

const mock = createMock({ seed: 42, now: '2025-06-01T09:00:00Z' })
const team = mock.team()
const server = await serve(mock, { port: 0 })
const { journey } = await import(process.argv[2])
const advance = (by) => team.clock.advance(by)
try {
  console.log(await journey({ url: server.url, apiKey: team.connection().apiKey, advance }), 'calls')
} finally {
  await server.close()
}
`
