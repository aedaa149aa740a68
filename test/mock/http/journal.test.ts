import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { insuranceBody, recipe, userId, userInfoBody } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

it('stores each request with its response and its changes', async () => {
  const team = createMock().team()
  await call(team, `PATCH /v2/user/${userId}/info`, userInfoBody())
  await call(team, `POST /v2/user/${userId}/insurance`, insuranceBody({ member_id: 'M-7' }))
  const entry = team.journal.last('insurance.create')
  expect(entry).toMatchObject({
    number: 2,
    operation: 'insurance.create',
    method: 'POST',
    path: '/v2/user/{user_id}/insurance',
    at: team.clock.now(),
    outcome: 'responded',
    request: { params: { user_id: userId }, body: { member_id: 'M-7' } },
    response: { status: 200, body: { member_id: 'M-7', company: {} } },
    changes: [{ collection: 'insurances', action: 'create', after: { user_id: userId } }],
  })
  expect(team.journal.requests('users.*').map(({ number }) => number)).toEqual([1])
  expect(team.journal.lines()).toEqual(['users.updateInfo 200', 'insurance.create 200'])
})

it('stores the ids of a path as they were sent', async () => {
  const team = createMock().team()
  const params = { user_id: userId.toUpperCase() }
  await call(team, `PATCH /v2/user/${params.user_id}/info`, userInfoBody())
  expect(team.journal.last()).toMatchObject({ outcome: 'responded', request: { params } })
  expect(team.users.has(userId)).toBe(true)
})

it('adds background changes to the request that caused them', async () => {
  const team = createMock().team()
  team.users.create({ user_id: userId })
  await call(team, 'POST /v2/link/bulk_import', { provider: 'oura', connections: [recipe(userId)] })
  const changes = () => team.journal.last()?.changes.map(({ collection }) => collection)
  expect(changes()).toEqual([])
  await team.clock.advance('1s')
  team.connections.list()
  expect(changes()).toEqual(['connections'])
})

it('does not add changes of the test itself to a request', async () => {
  const team = createMock().team()
  await call(team, 'GET /v2/providers')
  team.users.create()
  expect(team.journal.last()?.changes).toEqual([])
})

it('stores rejections, unknown routes and aborted requests', async () => {
  const team = createMock().team({ clock: 'manual' })
  await call(team, 'GET /nowhere')
  await call(team, 'PATCH /v2/user/1/info', {})
  const { id } = team.orders.create()
  const { apiKey, baseUrl, fetch } = team.connection()
  const leaving = new AbortController()
  const left = fetch(`${baseUrl}/v3/order/${id}/phlebotomy/appointment/book`, {
    method: 'POST',
    headers: { 'x-service-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ booking_key: 'bk_never' }),
    signal: leaving.signal,
  })
  await team.clock.whenWaiting()
  expect(team.journal.lines().at(-1)).toBe('orders.bookPhlebotomyAppointment waiting')
  leaving.abort()
  await expect(left).rejects.toThrow()
  expect(team.journal.lines()).toEqual([
    'GET unknown 404',
    'users.updateInfo 422',
    'orders.bookPhlebotomyAppointment aborted',
  ])
})

it('stores journalLimit requests, and counts all of them', async () => {
  const team = createMock().team({ journalLimit: 3 })
  for (let at = 0; at < 5; at += 1) await call(team, 'GET /v2/providers?source_type=lab')
  expect(team.journal.requests().map(({ number }) => number)).toEqual([3, 4, 5])
  expect(team.journal.count).toBe(5)
  await call(team, `PATCH /v2/user/${userId}/info`, userInfoBody())
  expect(team.journal.last()?.changes).not.toEqual([])
  team.journal.clear()
  expect(team.journal.requests()).toEqual([])
})

it('attributes later effects to their request after it was cleared', async () => {
  const team = createMock().team()
  const order = team.orders.create().id
  await call(team, `POST /v3/order/${order}/phlebotomy/appointment/book`, {
    booking_key: 'bk_confirm_after_5m',
    async_confirmation: true,
  })
  team.journal.clear()
  await call(team, 'GET /v2/providers')
  await team.clock.advance('10m')
  expect(team.appointments.list()).toMatchObject([{ status: 'confirmed' }])
  expect(team.journal.requests()).toMatchObject([{ number: 2, changes: [], events: [] }])
  expect(team.journal.count).toBe(1)
  team.reset()
  await call(team, 'GET /v2/providers')
  expect(team.journal.requests()).toMatchObject([{ number: 1 }])
})

it('exports no secrets or health data', async () => {
  const team = createMock({ baseUrl: 'https://mock.health-lab.test' }).team()
  const planted = 'Zq9secret'
  const first_name = planted
  await call(team, `PATCH /v2/user/${userId}/info`, userInfoBody({ first_name, gender: planted }))
  await call(team, `GET /v3/lab_tests/markers?name=${planted}`)
  await call(team, `GET /nowhere/${planted}`)
  await call(team, `PATCH /v2/user/${planted}/info`, `${planted}{`)
  const har = await team.journal.har()
  const text = inspect(har, { depth: 12 }) + JSON.stringify(har)
  for (const secret of [planted, team.apiKey, userId]) expect(text).not.toContain(secret)
  const [entry] = har.log.entries
  expect(entry?.request.url).toBe('https://mock.health-lab.test/v2/user/{user_id}/info')
  expect(JSON.parse(entry?.request.postData?.text ?? '')).toMatchObject({ first_name: 'string' })
  expect(entry?.response.status).toBe(200)
})

it('rejects a pattern that matches no operation', () => {
  const { journal } = createMock().team()
  // A caller without types may give anything.
  expect(() => journal.requests('orders.book' as never)).toThrow(/Unknown operation 'orders\.book'/)
})
