import { expect, it } from 'vitest'
import { createMock, type Team } from '../../../mock/index.ts'
import { orderBody } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

const now = '2025-06-01T09:00:00Z'

function teamWithOrder(options: Parameters<ReturnType<typeof createMock>['team']>[0] = {}) {
  const team = createMock({ now }).team(options)
  return { team, order: team.orders.create().id }
}

function book(team: Team, order: string, booking: object) {
  return call(team, `POST /v3/order/${order}/phlebotomy/appointment/book`, booking)
}

function appointmentOf(team: Team, order: string) {
  return call(team, `GET /v3/order/${order}/phlebotomy/appointment`)
}

/** Milliseconds since the team began. */
function elapsed(team: Team): number {
  return team.clock.now().getTime() - Date.parse(now)
}

it('books at once by default and shows the appointment (4.8)', async () => {
  const { team, order } = teamWithOrder()
  expect((await appointmentOf(team, order)).status).toBe(404)
  const { status, body } = await book(team, order, {
    booking_key: team.bookings.key(),
    appointment_notes: 'Ring twice',
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    order_id: order,
    status: 'confirmed',
    event_status: 'scheduled',
    appointment_notes: 'Ring twice',
    can_reschedule: true,
    events: [{ status: 'scheduled', created_at: '2025-06-01T09:00:00.000Z' }],
  })
  expect(Date.parse(body.end_at)).toBeGreaterThan(Date.parse(body.start_at))
  expect((await appointmentOf(team, order)).body).toEqual(body)
  expect(elapsed(team)).toBe(0)
})

it('waits for the confirmation of a synchronous booking (4.8, rule 1)', async () => {
  const { team, order } = teamWithOrder()
  const { status, body } = await book(team, order, { booking_key: 'bk_confirm_after_59s' })
  expect([status, body.status]).toEqual([200, 'confirmed'])
  expect(elapsed(team)).toBe(59_000)
})

it.each([
  ['bk_fail', 0],
  ['bk_fail_after_3s', 3000],
  ['bk_never', 60_000],
  ['bk_confirm_after_61s', 60_000],
])(
  'responds with 500 to a synchronous booking with %s, after %i ms (4.8, rule 1; 7)',
  async (key, after) => {
    const { team, order } = teamWithOrder()
    const { status, body } = await book(team, order, { booking_key: key })
    expect([status, body]).toEqual([500, { detail: 'The appointment could not be booked' }])
    expect(elapsed(team)).toBe(after)
    expect((await appointmentOf(team, order)).status).toBe(404)
    expect(team.clock.pending()).toEqual([])
    expect((await book(team, order, { booking_key: 'bk_confirm' })).status).toBe(200)
  },
)

it('responds to a failed booking in plain text with bookingFailure text (7)', async () => {
  const { team, order } = teamWithOrder({ bookingFailure: 'text' })
  const { status, headers, body } = await book(team, order, { booking_key: 'bk_fail' })
  expect([status, headers.get('content-type')]).toEqual([500, 'text/plain'])
  expect(body).toBe('The appointment could not be booked')
})

it.each([
  [{ booking_key: 'bk_confirm_after_2500ms' }, 'confirmed', 2500],
  [{ booking_key: 'bk_confirm_after_2501ms' }, 'pending', 2500],
  [{ booking_key: 'bk_never', sync_confirmation_timeout_millisecond: 1000 }, 'pending', 1000],
  [{ booking_key: 'bk_fail', sync_confirmation_timeout_millisecond: 10_000 }, 'pending', 10_000],
  [{ booking_key: 'bk_never', sync_confirmation_timeout_millisecond: null }, 'pending', 2500],
])(
  'responds to the asynchronous booking %j with %s after %i ms (3.1, 4.8)',
  async (booking, status, after) => {
    const { team, order } = teamWithOrder()
    const response = await book(team, order, { ...booking, async_confirmation: true })
    expect([response.status, response.body.status]).toEqual([200, status])
    expect(elapsed(team)).toBe(after)
  },
)

it('confirms a pending appointment in the background (3.1)', async () => {
  const { team, order } = teamWithOrder()
  const booking = { booking_key: 'bk_confirm_after_5m', async_confirmation: true }
  const pending = await book(team, order, booking)
  expect(pending.body).toMatchObject({ status: 'pending', start_at: null, can_reschedule: false })
  await team.clock.advanceTo('2025-06-01T09:04:59.999Z')
  expect((await appointmentOf(team, order)).body.status).toBe('pending')
  await team.clock.advance('1ms')
  const confirmed = await appointmentOf(team, order)
  expect(confirmed.body).toMatchObject({
    id: pending.body.id,
    status: 'confirmed',
    events: [{ status: 'pending' }, { status: 'scheduled' }],
  })
  expect(confirmed.body.start_at).not.toBeNull()
  await team.clock.advance('48h')
  expect((await appointmentOf(team, order)).body.status).toBe('confirmed')
})

it.each([
  [{}, '2025-06-01T09:15:00Z'],
  [{ async_confirmation_timeout_millisecond: 60_000 }, '2025-06-01T09:01:00Z'],
  [{ async_confirmation_timeout_millisecond: 172_800_000 }, '2025-06-03T09:00:00Z'],
])('cancels a pending appointment with %j at %s (3.1, 4.8, rule 3)', async (timeout, moment) => {
  const { team, order } = teamWithOrder()
  await book(team, order, { booking_key: 'bk_never', async_confirmation: true, ...timeout })
  await team.clock.advanceTo(Date.parse(moment) - 1)
  expect((await appointmentOf(team, order)).body.status).toBe('pending')
  await team.clock.advance(1)
  expect((await appointmentOf(team, order)).body).toMatchObject({
    status: 'cancelled',
    event_status: 'cancelled',
    start_at: null,
  })
  expect((await book(team, order, { booking_key: 'bk_confirm' })).status).toBe(200)
})

it('applies both timeouts with async_confirmation only (4.8, rule 4)', async () => {
  const { team, order } = teamWithOrder()
  const { body } = await book(team, order, {
    booking_key: 'bk_confirm_after_30s',
    sync_confirmation_timeout_millisecond: 1000,
    async_confirmation_timeout_millisecond: 60_000,
  })
  expect([body.status, elapsed(team)]).toEqual(['confirmed', 30_000])
})

it.each([
  { sync_confirmation_timeout_millisecond: 999 },
  { sync_confirmation_timeout_millisecond: 10_001 },
  { async_confirmation_timeout_millisecond: 59_999 },
  { async_confirmation_timeout_millisecond: 172_800_001 },
  { appointment_notes: 'n'.repeat(1001) },
  { booking_key: undefined },
])('rejects a booking with a value out of bounds (4.8, part 8)', async (change) => {
  const { team, order } = teamWithOrder()
  expect((await book(team, order, { booking_key: 'bk_confirm', ...change })).status).toBe(422)
})

it('accepts a booking key once, and only before it expires (gaps: booking keys)', async () => {
  const { team, order } = teamWithOrder()
  const rejected = { status: 400, body: { detail: 'Invalid or expired booking key' } }
  expect(await book(team, order, { booking_key: 'unheard of' })).toMatchObject(rejected)
  const expired = team.bookings.key({ expiresIn: '5m' })
  await team.clock.advance('5m')
  expect(await book(team, order, { booking_key: expired })).toMatchObject(rejected)
  const key = team.bookings.key({ expiresIn: '5m' })
  expect((await book(team, order, { booking_key: key })).status).toBe(200)
  const other = team.orders.create().id
  expect(await book(team, other, { booking_key: key })).toMatchObject(rejected)
})

it('ends the next bookings with the outcomes of the test, in order', async () => {
  const { team, order } = teamWithOrder()
  team.bookings.next({ outcome: 'fail', after: '2s' })
  team.bookings.next({ outcome: 'confirm', after: '3s' })
  expect((await book(team, order, { booking_key: team.bookings.key() })).status).toBe(500)
  expect((await book(team, order, { booking_key: team.bookings.key() })).status).toBe(200)
  expect(elapsed(team)).toBe(5000)
})

it('rejects an unknown order, one of another collection method, and a booked one (gaps: booking errors)', async () => {
  const { team, order } = teamWithOrder()
  const booking = { booking_key: 'bk_confirm' }
  const unknown = '00000000-0000-4000-8000-000000000000'
  expect((await book(team, unknown, booking)).status).toBe(404)
  const testkit = team.orders.create({ collection_method: 'testkit' }).id
  expect((await book(team, testkit, booking)).status).toBe(404)
  await book(team, order, booking)
  const again = await book(team, order, booking)
  expect([again.status, again.body.detail]).toEqual([400, 'The order is already booked'])
})

it('rejects a second booking of an order while the first one is pending', async () => {
  const { team, order } = teamWithOrder({ clock: 'manual' })
  const first = book(team, order, { booking_key: 'bk_confirm_after_3s' })
  await team.clock.whenWaiting()
  expect((await book(team, order, { booking_key: 'bk_confirm' })).status).toBe(400)
  await team.clock.advance('3s')
  expect((await first).status).toBe(200)
})

it('creates an order by order_set and by the deprecated lab_test_id (4.12, part 9)', async () => {
  const team = createMock().team()
  const [test = { id: '' }] = team.catalogue.labTests.list()
  const { order_set: _, ...deprecated } = orderBody(test.id)
  for (const body of [orderBody(test.id), { ...deprecated, lab_test_id: test.id }]) {
    const { status, body: created } = await call(team, 'POST /v3/order', body)
    expect(status).toBe(200)
    expect(created.order.order_set.lab_test_ids).toEqual([test.id])
    expect(created.order.collection_method).toBe('at_home_phlebotomy')
    expect(team.orders.has(created.order.id)).toBe(true)
  }
})

it.each([
  [{ order_set: { lab_test_ids: [] } }, 400],
  [{ order_set: { lab_test_ids: ['00000000-0000-4000-8000-000000000999'] } }, 404],
  [{ patient_details: { ...orderBody('').patient_details, first_name: '@' } }, 422],
  [{ patient_address: { ...orderBody('').patient_address, zip: 'SW1A 1AA' } }, 422],
])('rejects an order with %j (4.12)', async (change, status) => {
  const team = createMock().team()
  const [test = { id: '' }] = team.catalogue.labTests.list()
  expect((await call(team, 'POST /v3/order', orderBody(test.id, change))).status).toBe(status)
})

it('reports an unknown user before an empty order set, if autoCreateUsers is off', async () => {
  const team = createMock().team({ autoCreateUsers: false })
  const { status, body } = await call(team, 'POST /v3/order', orderBody('', { order_set: {} }))
  expect([status, body]).toEqual([404, { detail: 'User not found' }])
})

it('returns the requisition form as PDF (4.12)', async () => {
  const { team, order } = teamWithOrder()
  const { headers, body } = await call(team, `GET /v3/order/${order}/requisition/pdf`)
  expect(headers.get('content-type')).toBe('application/pdf')
  expect(body).toMatch(/^%PDF-1\.4/)
})

it('signs the deprecated requisition URL for 7 days (part 8, part 9)', async () => {
  const team = createMock({ now }).team()
  const [test = { id: '' }] = team.catalogue.labTests.list()
  const { body } = await call(team, 'POST /v3/order', orderBody(test.id))
  const url = body.order.requisition_form_url
  const { fetch } = team.connection()
  await team.clock.advance('7d')
  const form = await fetch(url)
  expect([form.status, form.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const posted = await fetch(url, { method: 'POST' })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET'])
  expect(await (await fetch(url, { method: 'HEAD' })).text()).toBe('')
  await team.clock.advance('1ms')
  expect((await fetch(url)).status).toBe(403)
  expect((await fetch(url.replace(/signature=../, 'signature=00'))).status).toBe(403)
})

it('signs different requisition URLs for teams with the same orders (part 8)', async () => {
  const mock = createMock({ now })
  const teams = [mock.team(), mock.team()] as const
  const [test = { id: '' }] = teams[0].catalogue.labTests.list()
  const { body } = await call(teams[0], 'POST /v3/order', orderBody(test.id))
  teams[1].restore(teams[0].snapshot())
  const { id, requisition_form_url: url } = body.order
  teams[0].orders.delete(id)
  expect((await mock.fetch(url)).status).toBe(403)
  teams[1].orders.update(id, { status: 'seen' })
  const event = teams[1].events.last('labtest.order.updated')
  expect(event?.body).not.toHaveProperty('data.requisition_form_url', url)
  const own = Object(event?.body['data']).requisition_form_url
  expect((await mock.fetch(own)).status).toBe(200)
})

it('keeps signed requisition URLs when a mock with another seed restores the team (part 8)', async () => {
  const team = createMock({ now, seed: 1 }).team()
  const [test = { id: '' }] = team.catalogue.labTests.list()
  const { body } = await call(team, 'POST /v3/order', orderBody(test.id))
  const other = createMock({ now, seed: 2 })
  other.team().restore(team.snapshot())
  expect((await other.fetch(body.order.requisition_form_url)).status).toBe(200)
})

it('omits deprecated order fields with deprecatedFields never (part 9)', async () => {
  const team = createMock().team({ deprecatedFields: 'never' })
  const [test = { id: '' }] = team.catalogue.labTests.list()
  const { body } = await call(team, 'POST /v3/order', orderBody(test.id))
  expect(body.order).not.toHaveProperty('requisition_form_url')
})

it('moves appointments as the state machine allows, and explains every rejection (3.1)', async () => {
  const { team } = teamWithOrder()
  const { id } = team.appointments.create({ status: 'pending' })
  const way = ['reserved', 'confirmed', 'confirmed', 'in_progress', 'completed'] as const
  for (const status of way) expect(team.appointments.transition(id, status).status).toBe(status)
  expect(team.appointments.get(id)?.events.map(({ status }) => status)).toEqual([
    'pending',
    'reserved',
    'scheduled',
    'scheduled',
    'in_progress',
    'completed',
  ])
  expect(() => team.appointments.transition(id, 'cancelled')).toThrow(
    "An appointment's status cannot change from completed to cancelled, because completed is final.",
  )
  const pending = team.appointments.create({ status: 'pending' })
  expect(() => team.appointments.transition(pending.id, 'completed')).toThrow(
    'to completed. Allowed next: reserved, confirmed, cancelled.',
  )
})

it('ends the background booking of an appointment whose status a test changes', async () => {
  const { team, order } = teamWithOrder()
  const booking = { booking_key: 'bk_confirm_after_5m', async_confirmation: true }
  const { body } = await book(team, order, booking)
  team.appointments.transition(body.id, 'cancelled')
  await team.clock.advance('48h')
  expect((await appointmentOf(team, order)).body.status).toBe('cancelled')
})

it('rejects unknown appointments and orders', () => {
  const { team } = teamWithOrder()
  const nobody = '00000000-0000-4000-8000-000000000000'
  expect(() => team.appointments.transition(nobody, 'confirmed')).toThrow(
    expect.objectContaining({
      code: 'unknown_record',
      message: `No appointment has the id '${nobody}'. Use an id from appointments.list().`,
    }),
  )
  expect(() => team.appointments.create({ order_id: nobody })).toThrow(
    expect.objectContaining({
      code: 'unknown_record',
      message: `No order has the id '${nobody}'. Create the order first, or omit order_id.`,
    }),
  )
})

it('returns no time for an appointment before it is reserved or after it is cancelled', () => {
  const { team } = teamWithOrder()
  const { id, start_at } = team.appointments.create({ status: 'pending' })
  expect(start_at).toBeNull()
  expect(team.appointments.transition(id, 'cancelled')).toMatchObject({
    start_at: null,
    end_at: null,
  })
  const other = team.appointments.create({ status: 'pending' })
  const reserved = team.appointments.transition(other.id, 'reserved')
  expect(Date.parse(reserved.start_at ?? '')).toBeGreaterThan(team.clock.now().getTime())
  expect(team.appointments.transition(other.id, 'confirmed').start_at).toBe(reserved.start_at)
})

it('visits the address of the order', () => {
  const { team } = teamWithOrder()
  const patient_address = {
    first_line: '1 Main Street',
    second_line: 'Floor 2',
    city: 'Phoenix',
    state: 'AZ',
    zip: '85004',
    country: 'US',
    access_notes: 'Ring twice',
  }
  const { id } = team.orders.create({ patient_address })
  expect(team.appointments.create({ order_id: id }).address).toEqual({
    first_line: '1 Main Street',
    second_line: 'Floor 2',
    city: 'Phoenix',
    state: 'AZ',
    zip_code: '85004',
    unit: null,
    access_notes: 'Ring twice',
  })
  const bare = { ...patient_address, second_line: null, access_notes: null }
  const { id: other } = team.orders.create({ patient_address: bare })
  const { address } = team.appointments.create({ order_id: other })
  expect(address).toMatchObject({ second_line: null, access_notes: null })
})

it('creates keys in the format of the service', () => {
  const { team } = teamWithOrder()
  const keys = [team.bookings.key(), team.bookings.key()]
  for (const key of keys) expect(key).toMatch(/^bk_[0-9a-f]{32}$/)
  expect(new Set(keys).size).toBe(2)
})

const statuses = [
  'pending',
  'reserved',
  'confirmed',
  'in_progress',
  'completed',
  'cancelled',
] as const

it.each<[(typeof statuses)[number], readonly string[]]>([
  ['pending', ['reserved', 'confirmed', 'cancelled']],
  ['reserved', ['confirmed', 'cancelled']],
  ['confirmed', ['confirmed', 'in_progress', 'cancelled']],
  ['in_progress', ['completed', 'cancelled']],
  ['completed', []],
  ['cancelled', []],
])('allows an appointment that is %s to become %j and nothing else (3.1)', (from, legal) => {
  const { team } = teamWithOrder()
  const reached = statuses.filter((to) => {
    const { id } = team.appointments.create({ status: from })
    try {
      return team.appointments.transition(id, to).status === to
    } catch (error) {
      expect(error).toMatchObject({ code: 'illegal_transition' })
      return false
    }
  })
  expect(new Set(reached)).toEqual(new Set(legal))
})

it('schedules visits of two hours between 13 and 21 hours UTC, one to five days ahead', async () => {
  const { team } = teamWithOrder()
  const visits = Array.from({ length: 60 }, () => team.appointments.create())
  const midnight = Date.parse('2025-06-01')
  for (const { start_at, end_at } of visits) {
    const hours = (Date.parse(start_at ?? '') - midnight) / 3_600_000
    expect([1, 2, 3, 4, 5]).toContain(Math.floor(hours / 24))
    expect([13, 14, 15, 16, 17, 18, 19, 20, 21]).toContain(hours % 24)
    expect(Date.parse(end_at ?? '') - Date.parse(start_at ?? '')).toBe(7_200_000)
  }
  expect(new Set(visits.map(({ start_at }) => start_at)).size).toBeGreaterThan(10)
  const [first] = visits
  await team.clock.advance('12h')
  await team.clock.advance('12h')
  const moved = team.appointments.transition(first?.id ?? '', 'confirmed')
  expect(moved.start_at).toBe(first?.start_at)
})

it.each(['xbk_confirm', 'bk_confirmx', 'bk_confirm_after_5y', 'bk_confirm_after_', 'bk_'])(
  'does not accept %s as a magic booking key',
  async (booking_key) => {
    const { team, order } = teamWithOrder()
    expect((await book(team, order, { booking_key })).status).toBe(400)
  },
)

it('responds to a booking that ends at once without virtual time, and records its collections', async () => {
  const { team, order } = teamWithOrder({ clock: 'manual' })
  expect((await book(team, order, { booking_key: 'bk_confirm' })).status).toBe(200)
  expect(team.journal.last()?.changes).toContainEqual(
    expect.objectContaining({ collection: 'appointments', action: 'create' }),
  )
})

it('allows a second booking after a pending appointment was deleted', async () => {
  const { team, order } = teamWithOrder()
  const { body } = await book(team, order, { booking_key: 'bk_never', async_confirmation: true })
  team.appointments.delete(body.id)
  expect(team.clock.pending()).toEqual([])
  expect((await book(team, order, { booking_key: 'bk_confirm' })).status).toBe(200)
})

it('accepts further fields of the patient, and restores an order with them', async () => {
  const team = createMock({ now }).team()
  const body = orderBody(team.catalogue.labTests.list()[0]?.id ?? '')
  const patient_details = { ...body.patient_details, race: null }
  const { status } = await call(team, 'POST /v3/order', { ...body, patient_details })
  expect(status).toBe(200)
  const copy = createMock().team()
  copy.restore(team.snapshot())
  expect(copy.orders.list()).toMatchObject([{ patient_details }])
})

it.each(['2021-02-29', '17 May 1990', '1990-05-17T00:00:00Z', ''])(
  "rejects the patient's date of birth %j (assumption)",
  async (dob) => {
    const { team } = teamWithOrder()
    const [test] = team.catalogue.labTests.list()
    const body = orderBody(test?.id ?? '')
    const patient_details = { ...body.patient_details, dob }
    const response = await call(team, 'POST /v3/order', { ...body, patient_details })
    expect(response.status).toBe(422)
    expect(response.body.detail).toMatchObject([
      { type: 'date_parsing', loc: ['body', 'patient_details', 'dob'] },
    ])
    expect(() => team.orders.create({ patient_details })).toThrow(
      'Expected patient_details.dob of orders.create to be a date (YYYY-MM-DD).',
    )
  },
)
