import { expect, it, onTestFinished, vi } from 'vitest'
import { createMock, type Team } from '../../../mock/index.ts'
import {
  insuranceBody,
  insuredBody,
  orderBody,
  userId,
  userInfoBody,
} from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

/** Creates an order over HTTP. */
async function orderOf(team: Team, changes: object = {}): Promise<string> {
  const [test] = team.catalogue.labTests.list({ method: 'at_home_phlebotomy' })
  const { body } = await call(team, 'POST /v3/order', { ...orderBody(test?.id ?? ''), ...changes })
  return body.order.id
}

function book(team: Team, order: string, booking: object = {}) {
  const body = { booking_key: 'bk_confirm', ...booking }
  return call(team, `POST /v3/order/${order}/phlebotomy/appointment/book`, body)
}

function stepsOf(team: Team, order: string) {
  return team.orders.get(order)?.events.map(({ status }) => status)
}

/** The latest step in each event of orders. */
function sentSteps(team: Team): string[] {
  return team.events.list('labtest.order.*').map(({ event_type, body }) => {
    const { last_event } = body['data'] as { last_event: { status: string } }
    return `${event_type.split('.')[2]} ${last_event.status}`
  })
}

const created = [
  'received.at_home_phlebotomy.ordered',
  'received.at_home_phlebotomy.requisition_created',
]
const scheduled = 'collecting_sample.at_home_phlebotomy.appointment_scheduled'

it('collects the samples of an order in the way of its first lab test', () => {
  const { catalogue, orders } = createMock().team()
  const [kit] = catalogue.labTests.list({ method: 'testkit' })
  const { collection_method } = orders.create({ order_set: { lab_test_ids: [kit?.id ?? ''] } })
  expect(collection_method).toBe('testkit')
})

it('creates an order with its requisition form', async () => {
  const team = createMock().team()
  const id = await orderOf(team)
  expect(stepsOf(team, id)).toEqual(created)
  expect(sentSteps(team)).toEqual([`created ${created[0]}`, `updated ${created[1]}`])
})

it('moves an order on when its booking is confirmed, and when its appointment completes', async () => {
  const team = createMock().team()
  const id = await orderOf(team)
  const { body } = await book(team, id)
  expect(body.provider).toBe('getlabs')
  expect(team.orders.get(id)?.status).toBe('collecting_sample')
  team.appointments.transition(body.id, 'in_progress')
  team.appointments.transition(body.id, 'completed')
  const completed = 'completed.at_home_phlebotomy.completed'
  expect(stepsOf(team, id)).toEqual([...created, scheduled, completed])
  expect(team.orders.get(id)).toMatchObject({ status: 'completed', results: expect.any(Array) })
  expect(sentSteps(team).slice(2)).toEqual([`updated ${scheduled}`, `updated ${completed}`])
})

it('moves an order on when a pending booking is confirmed later', async () => {
  const team = createMock().team()
  const id = await orderOf(team)
  await book(team, id, { booking_key: 'bk_confirm_after_5m', async_confirmation: true })
  expect(stepsOf(team, id)).toEqual(created)
  await team.clock.advance('5m')
  expect(stepsOf(team, id)).toEqual([...created, scheduled])
})

it('cancels an order with its confirmed appointment, and schedules it again', async () => {
  const team = createMock().team()
  const id = await orderOf(team)
  const { body } = await book(team, id)
  team.appointments.transition(body.id, 'cancelled')
  const cancelled = 'cancelled.at_home_phlebotomy.cancelled'
  expect(stepsOf(team, id)).toEqual([...created, scheduled, cancelled])
  expect((await book(team, id)).status).toBe(200)
  expect(stepsOf(team, id)?.at(-1)).toBe(scheduled)
})

it.each(['completed', 'cancelled'])(
  'keeps an order %s when its visit takes place later',
  async (status) => {
    const team = createMock().team()
    const { user_id } = team.users.create({ living: true })
    const id = await orderOf(team, { user_id })
    await book(team, id)
    team.orders.update(id, { status })
    const ended = team.orders.get(id)
    await team.clock.advance('8d')
    expect(team.appointments.list()).toMatchObject([{ status: 'completed' }])
    expect(team.orders.get(id)).toEqual(ended)
  },
)

it('keeps a completed order when it is booked', async () => {
  const team = createMock().team()
  const id = await orderOf(team)
  const { results } = team.orders.complete(id)
  expect((await book(team, id)).status).toBe(200)
  expect(team.orders.get(id)).toMatchObject({ status: 'completed', results })
})

it('does not cancel an order when a booking is abandoned', async () => {
  const team = createMock().team()
  const id = await orderOf(team)
  await book(team, id, { booking_key: 'bk_never', async_confirmation: true })
  await team.clock.advance('15m')
  expect(team.appointments.list()).toMatchObject([{ status: 'cancelled' }])
  expect(stepsOf(team, id)).toEqual(created)
})

it('sends appointment events for the creation and each status', async () => {
  const team = createMock().team()
  const id = await orderOf(team)
  const { body } = await book(team, id, {
    booking_key: 'bk_confirm_after_5m',
    async_confirmation: true,
  })
  await team.clock.advance('5m')
  team.appointments.transition(body.id, 'confirmed')
  const sent = team.events.list('labtest.appointment.*').map(({ event_type, body }) => {
    return `${event_type.split('.')[2]} ${(body['data'] as { status: string }).status}`
  })
  expect(sent).toEqual([
    'created pending',
    'updated pending',
    'updated confirmed',
    'updated confirmed',
  ])
})

it.each(['testkit', 'walk_in_test'])(
  'collects by the method of the lab test: %s',
  async (method) => {
    const team = createMock().team()
    const [test] = team.catalogue.labTests.list({ method })
    const patient_address = { ...orderBody('').patient_address, zip: 'K1A 0B1', country: 'CA' }
    const order_set = { lab_test_ids: [test?.id ?? ''] }
    const id = await orderOf(team, { order_set, patient_address })
    expect(team.orders.get(id)?.collection_method).toBe(method)
    expect(stepsOf(team, id)?.[0]).toBe(`received.${method}.ordered`)
  },
)

it('requires a ZIP code if the lab test is a visit', async () => {
  const team = createMock().team()
  const [test] = team.catalogue.labTests.list({ method: 'at_home_phlebotomy' })
  const patient_address = { ...orderBody('').patient_address, zip: 'K1A 0B1' }
  const body = { ...orderBody(test?.id ?? ''), patient_address }
  expect((await call(team, 'POST /v3/order', body)).status).toBe(422)
  expect(team.orders.size).toBe(0)
})

it('requires a guarantor and stored information with strictInsurance', async () => {
  const team = createMock().team({ strictInsurance: true })
  const route = `POST /v2/user/${userId}/insurance`
  expect((await call(team, route, insuranceBody())).status).toBe(400)
  await call(team, `PATCH /v2/user/${userId}/info`, userInfoBody())
  expect((await call(team, route, insuranceBody())).status).toBe(200)
  const spouse = insuranceBody({ relationship: 'Spouse' })
  const { status, body } = await call(team, route, spouse)
  expect([status, body.detail[0].loc]).toEqual([422, ['body', 'guarantor']])
  const { first_name, last_name, address, phone_number } = insuredBody()
  const guarantor = { first_name, last_name, address, phone_number }
  expect((await call(team, route, { ...spouse, guarantor })).status).toBe(200)
  expect(team.insurances.list()).toHaveLength(2)
})

it('requires a guarantor with strictInsurance before it looks for the user', async () => {
  const team = createMock().team({ strictInsurance: true, autoCreateUsers: false })
  const route = `POST /v2/user/${userId}/insurance`
  const spouse = insuranceBody({ relationship: 'Spouse' })
  expect((await call(team, route, spouse)).status).toBe(422)
  expect((await call(team, route, insuranceBody())).status).toBe(404)
})

it('describes the team, the lab test, the details and the steps of an order (assumption)', async () => {
  const team = createMock().team({ eventEnvelope: 'extended' })
  const id = await orderOf(team)
  team.orders.update(id, { has_abn: true })
  const [created, , updated] = team.events.list('labtest.order.*').map(({ body }) => body)
  const [labTest] = team.catalogue.labTests.list({ method: 'at_home_phlebotomy' })
  const { slug, name, description, method, sample_type } = labTest ?? {}
  expect(created?.['data']).toMatchObject({
    team_id: created?.['team_id'],
    lab_test: { id: labTest?.id, slug, name, description, method, sample_type },
    details: { type: 'at_home_phlebotomy', data: null },
    has_abn: false,
    events: [{ id: expect.any(Number) }],
  })
  expect(updated?.['data']).toMatchObject({ has_abn: true })
  const first = created?.['data'] as { events: { id: number }[] }
  const last = updated?.['data'] as { events: { id: number }[]; last_event: { id: number } }
  expect(last.events[0]).toEqual(first.events[0])
  expect(last.last_event.id).toBe((first.events[0]?.id ?? 0) + 1)
})

it('has no lab test in an order of markers only', () => {
  const team = createMock().team()
  team.orders.create({ order_set: { add_on: { marker_ids: [1001] } } })
  expect(team.events.last('labtest.order.created')?.body['data']).toMatchObject({ lab_test: null })
})

it('sends every change of an order with a later updated_at', async () => {
  const team = createMock().team()
  const id = await orderOf(team)
  await book(team, id)
  team.orders.complete(id)
  const results = team.orders.get(id)?.results?.map((result) => ({ ...result, result: '1' }))
  team.orders.update(id, { results: results ?? null })
  await team.clock.advance('1h')
  team.orders.update(id, { has_abn: true })
  const times = team.events
    .list('labtest.order.*')
    .map(({ body }) => Object(body['data']).updated_at as string)
  expect(times).toHaveLength(6)
  expect(times).toEqual([...new Set(times)].toSorted())
  expect(times.at(-1)).toBe('2025-06-01T10:00:00.000Z')
})

it.each([
  ['2100-01-01T12:00:00', '2100-01-01T12:00:00.001Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('follows an updated_at of %s with %s in any time zone', (updated_at, next) => {
  vi.stubEnv('TZ', 'Asia/Tokyo')
  onTestFinished(() => void vi.unstubAllEnvs())
  const team = createMock().team()
  const { id } = team.orders.create({ updated_at })
  expect(team.orders.update(id, { status: 'cancelled' }).updated_at).toBe(next)
})

it('keeps the updated_at that a test sets', () => {
  const team = createMock().team()
  const { id } = team.orders.create()
  const updated_at = '2025-01-01T00:00:00Z'
  expect(team.orders.update(id, { updated_at })).toMatchObject({ updated_at })
})
