/** Follows one patient through every namespace of the client, against the mock: `npm run quickstart`. */

import {
  type ConnectionRecipe,
  dateTrunc,
  type InsuranceInput,
  max,
  mean,
  min,
  type OrderInput,
  past,
  query,
  rows,
  ServiceClient,
  type UserInfoInput,
} from 'health-lab-sdk'
import { createMock } from 'health-lab-sdk/mock'
import { check, fact, part, printSummary, progress, range, table } from './support/terminal.ts'

const team = createMock({ seed: 42, now: '2025-06-01T09:00:00Z' }).team()
const client = new ServiceClient(team.connection())
const userId = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'

part('1. The patient')
const contact = { email: 'maria@example.com', phone_number: '+16025550100' }
const person = { first_name: 'Maria', last_name: "O'Connor", gender: 'female', dob: '1954-03-08' }
const info: UserInfoInput = {
  ...person,
  ...contact,
  address: { first_line: '1 Main Street', zip_code: '85004', state: 'AZ', city: 'Phoenix' },
}
const user = await client.users.updateInfo(userId, info)
fact('name', `${user.first_name} ${user.last_name}, born ${user.dob}`)
fact('lives in', `${user.address.city}, ${user.address.state}`)
const { sign_in_token } = await client.users.createSignInToken(userId)
check('her phone can sign in with the token', team.signIn(sign_in_token).user_id === userId)

part('2. Insurance')
const address = { first_line: '1 Main Street', city: 'Phoenix', state: 'AZ', zip: '85004' }
const patientAddress: OrderInput['patient_address'] = { ...address, country: 'US' }
const federal: InsuranceInput = {
  payor_code: 'MEDFED',
  member_id: 'M-1954',
  relationship: 'Self',
  insured: { ...person, ...contact, address: { ...address, country: 'US' } },
}
const insurance = await client.insurance.create(userId, federal)
fact('sent', 'MEDFED, the federal plan for the elderly')
fact('stored', `${insurance.payor_code}, ${insurance.company.name}`)
check('the regional plan was inferred from her address', insurance.payor_code === 'MEDAZ')
check('it is her primary insurance by default', insurance.is_primary === true)

part('3. Lab tests and their markers')
let listed = 0
let total: number | null | undefined
for await (const page of client.labTests.listMarkers({ lab_slug: 'northlab', size: 50 }).pages()) {
  fact(`page ${page.page}`, `${page.markers.length} markers, from ${page.markers[0]?.name}`)
  listed += page.markers.length
  total = page.total
}
check(`the pages together contain all ${total} markers of the lab`, listed === total)
const { data: tests } = await client.labTests.list({ collection_method: 'at_home_phlebotomy' })
const test = tests.find(({ name }) => name === 'General Wellness')
if (!test) throw new Error('The lab does not offer General Wellness.')
check('its samples can be collected at home', test.method === 'at_home_phlebotomy')
const markers = await client.labTests.listTestMarkers(test.id)
fact('General Wellness', markers.markers.map(({ name }) => name).join(', '))

part('4. An appointment')
const newOrder: OrderInput = {
  user_id: userId,
  patient_details: { ...person, ...contact },
  patient_address: patientAddress,
  order_set: { lab_test_ids: [test.id] },
}
const { order } = await client.orders.create(newOrder)
const pending = await client.orders.bookPhlebotomyAppointment(order.id, {
  booking_key: 'bk_confirm_after_300s',
  appointment_notes: 'Ring twice.',
  async_confirmation: true,
  sync_confirmation_timeout_millisecond: 1000,
})
fact('after 1 s', pending.status)
check('the booking continues in the background', pending.status === 'pending')
await team.clock.advance('5m')
const appointment = await client.orders.getPhlebotomyAppointment(order.id)
fact('after 5 min', `${appointment.status}, ${appointment.start_at}`)
check(
  'after five minutes of virtual time the appointment is confirmed',
  appointment.status === 'confirmed',
)

part('5. A bulk import')
const providers = await client.link.listProviders()
fact('providers', `${providers.length}, such as ${providers[0]?.name} and ${providers[1]?.name}`)
const unknownUsers = 12
function* recipes(): Generator<ConnectionRecipe> {
  const tokens = { access_token: 'access', refresh_token: 'refresh', expires_at: 2_147_483_647 }
  for (let at = 0; at < 5000; at += 1) {
    const user_id = at === 0 ? userId : at < 5000 - unknownUsers ? newUser() : unknownUser(at)
    yield { user_id, ...tokens, provider_id: `member-${at}` }
  }
}
const newUser = () => team.users.create({ info: null }).user_id
const unknownUser = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
const report = await client.link.bulkImportAll('oura', recipes(), {
  batchSize: 500,
  waitForCompletion: true,
  onProgress: ({ imported, failed }) =>
    progress(imported + failed, 5000, failed > 0 ? `, ${failed} failed` : ''),
})
check('every recipe has an outcome', report.imported + report.failed === 5000)
check('only the recipes of unknown users failed', report.failed === unknownUsers)

part('6. A deleted connection')
const { success } = await client.link.deleteConnection(userId, 'oura')
check('the connection is deleted', success && !team.connections.has(userId, 'oura'))

part('7. Sleep scores by week')
const { results } = await client.aggregate.query(userId, {
  timeframe: past(6, 'week', '2025-06-01'),
  queries: [
    query(mean('sleep', 'score'), min('sleep', 'score'), max('sleep', 'score')).groupBy(
      dateTrunc('sleep', 1, 'week'),
    ),
  ],
})
const weeks = rows(results[0]).map(({ index, mean, min, max }) => ({
  week: String(index).slice(0, 10),
  mean: Number(mean),
  min: Number(min),
  max: Number(max),
}))
table(
  ['week of', 'mean', 'min', 'max', 'score from 60 to 100'],
  weeks.map(({ week, ...score }) => [
    week,
    score.mean.toFixed(1),
    String(score.min),
    String(score.max),
    range(score, { from: 60, to: 100 }),
  ]),
)
check('every week has a row', weeks.length >= 6)
check(
  'every mean is between the minimum and the maximum of its week',
  weeks.every((week) => week.min <= week.mean && week.mean <= week.max),
)

part('8. Bookings that fail')
const book = 'orders.bookPhlebotomyAppointment'
const slot = { booking_key: 'bk_confirm_after_5m', async_confirmation: true }
const { order: second } = await client.orders.create(newOrder)
const lost = team.faults.add({ on: book, then: 'lose_response' })
const recovered = await client.orders.bookAndWait(second.id, slot)
lost.remove()
check(
  'a booking whose response was lost is found when it is confirmed',
  recovered.result === 'booked',
)
const { order: third } = await client.orders.create(newOrder)
const failed = await client.orders.bookAndWait(third.id, { booking_key: 'bk_fail' })
console.log(`  ${failed.error?.name}: ${failed.error?.message}`)
check(
  'after 16 minutes without an appointment, a person must check',
  failed.result === 'unresolved',
)
check('no booking is sent twice', team.journal.lines(book).length === 3)

printSummary()
