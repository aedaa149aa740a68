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

it('restores the time zone, so that living users and their events stay the same', async () => {
  const team = createMock().team()
  const { user_id } = team.users.create({ living: true })
  await team.clock.advance('2d')
  const other = createMock().team({ timeZone: 'Pacific/Auckland' })
  other.restore(team.snapshot())
  for (const each of [team, other]) await each.clock.advance('1d')
  expect(other.events.list()).toEqual(team.events.list())
  expect(other.truth(user_id)).toEqual(team.truth(user_id))
  other.reset()
  expect(other.snapshot().timeZone).toBe('Pacific/Auckland')
})

it('keeps the time zone of a team when it restores a snapshot without one', () => {
  const { timeZone: _, ...snapshot } = createMock().team().snapshot()
  const team = createMock().team({ timeZone: 'Pacific/Auckland' })
  team.restore(snapshot)
  expect(team.snapshot().timeZone).toBe('Pacific/Auckland')
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

it('says why a snapshot that is not JSON cannot be restored', () => {
  const team = createMock().team()
  // Callers without types can pass any value.
  const foreign = { ...team.snapshot(), records: 1n } as unknown as Snapshot
  expect(() => team.restore(foreign)).toThrow(/ serialize a BigInt\. Pass a version 3 snapshot /)
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

it.each([['*'], ['daily.data.*']])(
  'skips dropped events of a restored outbox for a webhook of %s, however many they are',
  async (type) => {
    const team = createMock().team()
    team.webhooks.add({ url: 'http://127.0.0.1:1/events', types: [type] })
    const snapshot = team.snapshot()
    const outbox = { count: 1e12, cleared: 0, batches: [] }
    const webhooks = snapshot.webhooks.map((webhook) => ({ ...webhook, next: 1 }))
    team.restore({ ...snapshot, outbox, webhooks })
    await team.webhooks.idle()
    expect(team.webhooks.list()[0]?.pending).toBe(0)
    expect(team.events.count).toBe(1e12)
  },
)

it('does not restore numbers of events that cannot be counted exactly', () => {
  const team = createMock().team()
  const outbox = { count: Number.MAX_SAFE_INTEGER, cleared: 0, batches: [] }
  expect(() => team.restore({ ...team.snapshot(), outbox })).toThrow('Its events are inconsistent.')
})

const longAgo = Date.parse('1990-01-01')

it.each([
  ['a connection from long ago, which is not in the arrivals', { from: longAgo }, { feeds: 0 }],
  ['arrivals that were last processed long ago', { from: longAgo }, { processed: longAgo }],
  ['a connection from before the calendar', { from: -8.64e15 }, {}],
  ['a connection in the future', { from: Date.parse('2100-01-01') }, {}],
])('does not restore %s: to emit its events would take long', (_, changes, progress) => {
  const team = createMock().team()
  team.users.create({ living: true, connections: ['oura'] })
  const snapshot = team.snapshot()
  const { living: { users = [], connections = [] } = {}, arrivals } = snapshot
  const crafted = {
    ...snapshot,
    living: { users, connections: connections.map((one) => ({ ...one, ...changes })) },
    arrivals: { feeds: 1, processed: 0, ...arrivals, ...progress },
  }
  expect(() => team.restore(crafted)).toThrow('Its living users are inconsistent.')
  expect(team.snapshot()).toEqual(snapshot)
})

it('restores an aborted import that ends before it begins, as earlier versions saved it', async () => {
  const team = createMock().team({ importTimePerConnection: '1h' })
  const body = { provider: 'oura', connections: [recipe(userId)] }
  await call(team, 'POST /v2/link/bulk_import', body)
  await call(team, 'POST /v2/link/bulk_import', body)
  team.bulkOps.abort(team.bulkOps.list()[1]?.id ?? '')
  const snapshot = team.snapshot()
  const imports = snapshot.imports.map((run) =>
    run.status === 'aborted' ? { ...run, begins: run.ends + 3_600_000 } : run,
  )
  team.restore({ ...snapshot, imports })
  expect(team.snapshot()).toEqual(snapshot)
})

it.each([
  ['no due event', []],
  ['a due event before its end', [{ type: 'import.end', at: Date.parse('2025-06-01T09:00:01Z') }]],
  ['a due event of another type', [{ type: 'webhook.due', at: Date.parse('2025-07-01') }]],
] as const)(
  'does not restore an import in progress with %s: it would never end',
  async (_, due) => {
    const team = createMock().team({ importTimePerConnection: '1h' })
    await call(team, 'POST /v2/link/bulk_import', {
      provider: 'oura',
      connections: [recipe(userId)],
    })
    const snapshot = team.snapshot()
    const subject = snapshot.imports[0]?.id ?? ''
    const crafted = { ...snapshot, due: due.map((event) => ({ ...event, subject })) }
    expect(() => team.restore(crafted)).toThrow(
      'Its imports and scheduled events are inconsistent.',
    )
    expect(team.snapshot()).toEqual(snapshot)
  },
)

it.each([[true], [[]], [{}], [5n], [Number.NaN], [Number.POSITIVE_INFINITY]])(
  'has no row with the value %s, which it could not restore',
  (cell) => {
    const team = createMock().team()
    // What JavaScript allows.
    const values = { score: cell as unknown as number }
    const row = { user_id: userId, resource: 'sleep' }
    const invalid = expect.objectContaining({ code: 'invalid_option' })
    expect(() => team.data.create({ ...row, values })).toThrow(invalid)
    const { id } = team.data.create(row)
    expect(() => team.data.update(id, { values })).toThrow(invalid)
  },
)
