import { expect, it } from 'vitest'
import { createMock, MockError, type Team } from '../../../mock/index.ts'
import { call } from '../../support/call.ts'

const inBackground = { booking_key: 'bk_confirm_after_2h', async_confirmation: true }
const longBackground = { ...inBackground, async_confirmation_timeout_millisecond: 172_800_000 }

function book(team: Team, order: string, booking: object) {
  return call(team, `POST /v3/order/${order}/phlebotomy/appointment/book`, booking)
}

/** A team with an order that has a pending appointment, and will be confirmed in two hours. */
async function pendingBooking() {
  const team = createMock({ seed: 5 }).team({ clock: 'manual' })
  const order = team.orders.create().id
  const response = book(team, order, longBackground)
  await team.clock.advance('10s')
  const { body } = await response
  return { team, order, id: body.id as string }
}

/** Whether the booking of {@link pendingBooking} is confirmed after two hours. */
async function isConfirmedLater(team: Team, id: string): Promise<boolean> {
  await team.clock.advance('2h')
  return team.appointments.get(id)?.status === 'confirmed'
}

/** Changes that make the booking of an order impossible. */
const ends: [name: string, change: (team: Team, order: string) => void][] = [
  ['is cancelled', (team, order) => team.orders.update(order, { status: 'cancelled' })],
  [
    'is cancelled with an unknown reason',
    (team, order) => team.orders.update(order, { status: 'cancelled.by_clinic' }),
  ],
  ['is completed', (team, order) => team.orders.update(order, { status: 'completed' })],
  ['is deleted', (team, order) => team.orders.delete(order)],
  [
    'gets another collection method',
    (team, order) => team.orders.update(order, { collection_method: 'testkit' }),
  ],
  [
    'gets another appointment',
    (team, order) => team.appointments.create({ order_id: order, status: 'reserved' }),
  ],
  [
    'gets another pending appointment',
    (team, order) => team.appointments.create({ order_id: order, status: 'pending' }),
  ],
]

it.each(ends)('ends the pending booking of an order that %s', async (_, change) => {
  const { team, order, id } = await pendingBooking()
  change(team, order)
  expect(team.clock.pending().filter(({ subject }) => subject === id)).toEqual([])
  expect(await isConfirmedLater(team, id)).toBe(false)
})

it.each(ends)('responds at once to the waiting booking of an order that %s', async (_, change) => {
  const team = createMock().team({ clock: 'manual' })
  const order = team.orders.create().id
  const response = book(team, order, { booking_key: 'bk_confirm_after_30s' })
  await team.clock.whenWaiting()
  change(team, order)
  expect(await response).toMatchObject({
    status: 500,
    body: { detail: 'The appointment could not be booked' },
  })
  expect(team.clock.pending()).toEqual([])
})

it.each(['completed', 'in_progress', 'cancelled'])(
  'ends the booking of a pending appointment that is changed to %s',
  async (status) => {
    const { team, id } = await pendingBooking()
    team.appointments.update(id, { status })
    expect(team.clock.pending()).toEqual([])
    expect(await isConfirmedLater(team, id)).toBe(false)
    expect(team.appointments.get(id)?.status).toBe(status)
  },
)

it('keeps the booking of a pending appointment that changes otherwise', async () => {
  const { team, id } = await pendingBooking()
  team.appointments.update(id, { appointment_notes: 'bell' })
  expect(await isConfirmedLater(team, id)).toBe(true)
  expect(team.appointments.get(id)?.appointment_notes).toBe('bell')
})

it.each<[string, (team: Team, order: string) => void]>([
  ['changes', (team, order) => team.orders.update(order, { updated_at: '2025-06-01T10:00:00Z' })],
  [
    'gets an unknown status',
    (team, order) => team.orders.update(order, { status: 'form.completed' }),
  ],
  [
    'gets an appointment that is cancelled',
    (team, order) => team.appointments.create({ order_id: order, status: 'cancelled' }),
  ],
  [
    'loses an earlier appointment',
    (team, order) => {
      const { id } = team.appointments.create({ order_id: order, status: 'cancelled' })
      team.appointments.delete(id)
    },
  ],
  ['is not the changed one', (team) => team.orders.complete(team.orders.create().id)],
])('keeps the booking of an order that %s', async (_, change) => {
  const { team, order, id } = await pendingBooking()
  change(team, order)
  expect(await isConfirmedLater(team, id)).toBe(true)
})

it('keeps the booking of a cancelled order that is scheduled again', async () => {
  const team = createMock().team({ clock: 'manual' })
  const order = team.orders.create({ status: 'cancelled' }).id
  const response = book(team, order, { booking_key: 'bk_confirm_after_3s' })
  await team.clock.whenWaiting()
  team.orders.update(order, { updated_at: '2025-06-01T10:00:00Z' })
  await team.clock.advance('3s')
  expect((await response).status).toBe(200)
})

it.each<[string, (team: Team, order: string) => void]>([
  ['is deleted', (team, order) => team.orders.delete(order)],
  [
    'gets another collection method',
    (team, order) => team.orders.update(order, { collection_method: 'testkit' }),
  ],
])('ends the booking of a cancelled order that %s', async (_, change) => {
  const team = createMock().team({ clock: 'manual' })
  const order = team.orders.create({ status: 'cancelled' }).id
  const response = book(team, order, { booking_key: 'bk_confirm_after_3s' })
  await team.clock.whenWaiting()
  change(team, order)
  expect((await response).status).toBe(500)
  expect(team.clock.pending()).toEqual([])
})

it('changes nothing when a booking would end after the latest time', async () => {
  const team = createMock().team({ clock: 'manual' })
  const order = team.orders.create().id
  team.bookings.next({ outcome: 'confirm', after: 8_640_000_000_000_000 })
  const booking = { ...longBackground, booking_key: team.bookings.key() }
  await expect(book(team, order, booking)).rejects.toThrow('latest time')
  expect(team.clock.pending()).toEqual([])
  expect((await book(team, order, { booking_key: 'bk_confirm' })).status).toBe(200)
})

it('drops the oldest of more than 100,000 unused keys', async () => {
  const team = createMock().team()
  const keys = Array.from({ length: 100_001 }, () => team.bookings.key())
  expect(await statusOf(keys[0])).toBe(400)
  expect(await statusOf(keys[1])).toBe(200)
  expect(await statusOf(keys.at(-1))).toBe(200)
  team.reset()
  const kept = Array.from({ length: 100_000 }, () => team.bookings.key())
  expect(await statusOf(kept[0])).toBe(200)

  async function statusOf(key = ''): Promise<number> {
    return (await book(team, team.orders.create().id, { booking_key: key })).status
  }
})

it.each<[string, (team: Team) => void]>([
  [
    "Unknown option 'expires' in the options of a booking key. Did you mean expiresIn?",
    ({ bookings }) => bookings.key({ expires: '5m' } as never),
  ],
  [
    'Expected outcome.outcome to be one of confirm, fail, never, but got "maybe".',
    ({ bookings }) => bookings.next({ outcome: 'maybe' } as never),
  ],
])('explains wrong options of bookings: %s', (message, act) => {
  const team = createMock().team()
  expect(() => act(team)).toThrow(expect.objectContaining({ code: 'invalid_option', message }))
})

it.each([
  { outcome: 'maybe' },
  { outcome: 'fail', after: -1 },
  { outcome: 'fail', later: '1s' },
  null,
])('cannot end as %j', (outcome) => {
  const team = createMock().team()
  // Callers without types can pass any value.
  expect(() => team.bookings.next(outcome as never)).toThrow(MockError)
  expect(() => createMock({ bookingOutcome: outcome as never })).toThrow(MockError)
})

it('does not keep used keys', async () => {
  const team = createMock().team()
  const before = team.snapshot().bookings.keys.length
  const key = team.bookings.key()
  await book(team, team.orders.create().id, { booking_key: key })
  expect(team.snapshot().bookings.keys).toHaveLength(before)
  expect((await book(team, team.orders.create().id, { booking_key: key })).status).toBe(400)
})

it('generates each appointment differently', () => {
  const team = createMock().team()
  const [one, other] = [team.appointments.create(), team.appointments.create()]
  expect(one.external_id).not.toBe(other.external_id)
})

it.each([
  ['an unknown appointment', '00000000-0000-4000-8000-000000000000'],
  ['no id', ''],
])('rejects an update of %s', (_, id) => {
  const team = createMock().team()
  const act = () => team.appointments.update(id, { status: 'confirmed' })
  expect(act).toThrow(expect.objectContaining({ code: 'unknown_record' }))
})

it('leaves an order where it is when its appointment changes without a new status', async () => {
  const { team, order, id } = await pendingBooking()
  await team.clock.advance('2h')
  team.orders.update(order, { status: 'sample_with_lab' })
  team.appointments.update(id, { appointment_notes: 'Ring twice.' })
  expect(team.orders.get(order)?.status).toBe('sample_with_lab')
})

it('moves no order with an earlier appointment, or after the order was deleted', async () => {
  const team = createMock().team()
  const order = team.orders.create().id
  const earlier = team.appointments.create({ order_id: order, status: 'in_progress' })
  const latest = team.appointments.create({ order_id: order, status: 'reserved' })
  team.appointments.transition(earlier.id, 'completed')
  expect(team.orders.get(order)?.status).toBe('collecting_sample')
  team.orders.delete(order)
  team.appointments.transition(latest.id, 'confirmed')
  expect(team.orders.get(order)).toBeUndefined()
})

it.each(['completed', 'cancelled', 'lost'])('ends an appointment that is %s', (status) => {
  const team = createMock().team()
  const { id } = team.appointments.create({ status })
  expect(() => team.appointments.transition(id, 'confirmed')).toThrow(
    `, because ${status} is final.`,
  )
})

it('starts the collection of an order whose appointment is in progress', () => {
  const team = createMock().team()
  const order = team.orders.create().id
  team.appointments.create({ order_id: order, status: 'in_progress' })
  expect(team.orders.get(order)?.status).toBe('collecting_sample')
})

it('keeps the results and the steps of an order that an appointment moves nowhere', async () => {
  const team = createMock().team()
  const order = team.orders.create().id
  const { id } = team.appointments.create({ order_id: order })
  await team.clock.advance('1h')
  const scheduled = team.orders.get(order)
  team.appointments.transition(id, 'confirmed')
  expect(team.orders.get(order)).toEqual(scheduled)
  team.appointments.transition(id, 'in_progress')
  expect(team.orders.get(order)).toEqual(scheduled)
  const completed = team.orders.complete(order)
  await team.clock.advance('1h')
  team.appointments.transition(id, 'completed')
  expect(team.orders.get(order)).toEqual(completed)
})
