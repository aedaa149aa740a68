import { expect, it } from 'vitest'
import { createMock, type Snapshot, type Team } from '../../../mock/index.ts'
import { insuranceBody, recipe, userId, userInfoBody } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

/** A team with a pending booking, a running import, a used key and a changed catalogue. */
async function busyTeam(): Promise<{ team: Team; orderId: string }> {
  const team = createMock({ seed: 7 }).team({ importTimePerConnection: '1s' })
  const { id: orderId } = team.orders.create({ user_id: userId })
  await call(team, `PATCH /v2/user/${userId}/info`, userInfoBody())
  await call(team, `POST /v2/user/${userId}/insurance`, insuranceBody())
  await call(team, `POST /v3/order/${orderId}/phlebotomy/appointment/book`, {
    booking_key: 'bk_confirm_after_60s',
    async_confirmation: true,
  })
  const connections = Array.from({ length: 100 }, () => recipe(userId))
  await call(team, 'POST /v2/link/bulk_import', { provider: 'oura', connections })
  team.catalogue.markers.delete(1001)
  team.data.create({ user_id: userId, resource: 'sleep', values: { score: 81 } })
  team.bookings.next({ outcome: 'fail' })
  return { team, orderId }
}

/** The next responses of the service. */
async function future(team: Team, orderId: string) {
  await team.clock.advance('2m')
  const responses = [
    await call(team, `GET /v3/order/${orderId}/phlebotomy/appointment`),
    await call(team, 'GET /v2/link/bulk_op'),
    await call(team, 'GET /v3/lab_tests/markers?size=3'),
    await call(team, `GET /v2/summary/sleep/${userId}?start_date=2025-05-30`),
    await call(team, `POST /v2/user/${userId}/insurance`, insuranceBody()),
    await call(team, `POST /v2/user/${userId}/sign_in_token`),
  ]
  return responses.map(({ status, body }) => ({ status, body }))
}

it('restores a team with its due events', async () => {
  const { team, orderId } = await busyTeam()
  const snapshot = JSON.parse(JSON.stringify(team.snapshot())) as Snapshot
  const expected = await future(team, orderId)
  team.restore(snapshot)
  expect(team.appointments.list({ order_id: orderId })).toMatchObject([{ status: 'pending' }])
  expect(await future(team, orderId)).toEqual(expected)
})

it('restores into a team of another mock', async () => {
  const { team, orderId } = await busyTeam()
  const snapshot = team.snapshot()
  const expected = await future(team, orderId)
  const other = createMock({ seed: 8 }).team({ importTimePerConnection: '1s' })
  other.restore(snapshot)
  expect(await future(other, orderId)).toEqual(expected)
})

it('returns plain JSON that later changes do not affect', async () => {
  const { team } = await busyTeam()
  const snapshot = team.snapshot()
  const text = JSON.stringify(snapshot)
  await team.clock.advance('1h')
  team.users.delete(userId)
  expect(JSON.stringify(snapshot)).toBe(text)
  expect(snapshot).toMatchObject({ format: 'health-lab-mock', version: 3 })
})

it('resets a team to its initial state', async () => {
  const { team, orderId } = await busyTeam()
  const twin = createMock({ seed: 7 }).team({ importTimePerConnection: '1s' })
  team.faults.add({ then: 'html' })
  team.override('link.listProviders', () => ({ status: 204 }))
  team.configure({ aggregate: false })
  team.reset()
  expect(team.snapshot()).toEqual(twin.snapshot())
  expect(team.journal.count).toBe(0)
  expect((await call(team, 'GET /v2/providers')).status).toBe(200)
  expect(team.orders.has(orderId)).toBe(false)
})

it('fails the requests that wait when a team is reset', async () => {
  const team = createMock().team({ clock: 'manual' })
  const { id } = team.orders.create()
  const route = `POST /v3/order/${id}/phlebotomy/appointment/book`
  const waiting = call(team, route, { booking_key: 'bk_confirm_after_30s' })
  await team.clock.whenWaiting()
  team.reset()
  await expect(waiting).rejects.toMatchObject({ code: 'invalid_state' })
  expect(team.orders.has(id)).toBe(false)
})

it.each([
  [null],
  [{}],
  [{ format: 'other', version: 1, records: {} }],
  [{ format: 'health-lab-mock', version: 99, records: {} }],
  [{ format: 'health-lab-mock', version: 3, records: {} }],
])('does not restore %j', (foreign) => {
  const team = createMock().team()
  const before = team.snapshot()
  // Callers without types can pass any value.
  expect(() => team.restore(foreign as unknown as Snapshot)).toThrow(
    expect.objectContaining({
      code: 'invalid_snapshot',
      message: expect.stringMatching(/version 3/),
    }),
  )
  expect(team.snapshot()).toEqual(before)
})

it('prints a line that reproduces the team', async () => {
  const { team, orderId } = await busyTeam()
  team.faults.add({ on: 'link.listProviders', when: { nth: 2 }, then: { status: 503 } })
  await call(team, 'GET /v2/providers')
  const line = team.reproduction()
  expect(line).not.toContain('\n')
  const make = new Function('createMock', `return ${line}`)
  const again = make(createMock) as Team
  expect((await call(again, 'GET /v2/providers')).status).toBe(503)
  expect((await call(team, 'GET /v2/providers')).status).toBe(503)
  expect(await future(again, orderId)).toEqual(await future(team, orderId))
})

it('restores the valid keys, the outcome of the next booking and the open bookings', async () => {
  const team = createMock().team()
  const book = (order: string, booking_key: string, more = {}) =>
    call(team, `POST /v3/order/${order}/phlebotomy/appointment/book`, { booking_key, ...more })
  const [first, second, third] = [1, 2, 3].map(() => team.orders.create().id) as [
    string,
    string,
    string,
  ]
  const key = team.bookings.key()
  team.bookings.next({ outcome: 'fail' })
  const snapshot = team.snapshot()
  const later = team.bookings.key()
  await book(first, 'bk_never', { async_confirmation: true })
  expect((await book(second, key)).status).toBe(500)
  team.restore(snapshot)
  expect((await book(third, later)).status).toBe(400)
  expect((await book(second, key)).status).toBe(500)
  expect((await book(second, key)).status).toBe(400)
  expect((await book(first, 'bk_confirm')).status).toBe(200)
})
