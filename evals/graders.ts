import assert from 'node:assert/strict'
import {
  type ConnectionRecipe,
  mean,
  past,
  query,
  rows,
  ServiceClient,
  ServiceError,
} from 'health-lab-sdk'
import { certify, toTable } from 'health-lab-sdk/certify'
import { createMock } from 'health-lab-sdk/mock'
import { type ExploreOptions, explore } from 'health-lab-sdk/mock/explore'
import { memoryStore } from 'health-lab-sdk/stores'
import { orderOf } from '../test/explore/corpus/kit.ts'

/** Judges the function of a solution. It throws when the solution is wrong. */
// biome-ignore lint/suspicious/noExplicitAny: the compiler has checked the type of each solution.
type Grader = (solution: any) => Promise<void>

/** The grader of each task, by its name. */
export const graders: Record<string, { exports: string; grade: Grader }> = {
  'book-visit': { exports: 'bookVisit', grade: gradeBooking },
  'place-order': { exports: 'placeOrder', grade: gradeOrder },
  'receive-events': { exports: 'createReceiver', grade: gradeReceiver },
  'list-markers': { exports: 'markerNames', grade: gradeListing },
  'import-connections': { exports: 'importConnections', grade: gradeImport },
  'mean-scores': { exports: 'meanScores', grade: gradeScores },
  'advise-on-error': { exports: 'adviseOn', grade: gradeAdvice },
  'log-failure': { exports: 'logFailure', grade: gradeLog },
  'label-status': { exports: 'labelOf', grade: gradeLabels },
  'sign-in': { exports: 'signIn', grade: gradeSignIn },
  'keep-newest': { exports: 'keepNights', grade: gradeNights },
  'test-a-visit': { exports: 'statusAfter', grade: gradeStatus },
}

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

async function search<Context extends object>(options: ExploreOptions<Context>): Promise<void> {
  await explore({ ...options, print: () => {}, budget: { runs: 120, seconds: 20 } })
}

async function gradeBooking(bookVisit: Parameters<Grader>[0]): Promise<void> {
  await search({
    setup: ({ connection, team }) => ({
      client: new ServiceClient(connection),
      order: team.orders.create().id,
      bookingKey: team.bookings.key(),
      states: [] as string[],
    }),
    scenario: async ({ client, order, bookingKey, states }) => {
      states.push(await bookVisit(client, order, bookingKey))
    },
    check: ({ team, states }) => {
      const visits = team.appointments.list().map(({ status }) => status)
      const confirmed = visits.filter((status) => status === 'confirmed').length
      const open = visits.filter((status) => status !== 'cancelled').length
      assert.ok(open <= 1, 'two visits')
      const [state] = states
      if (state === 'booked') assert.equal(confirmed, 1, 'no visit is confirmed')
      else if (state !== 'ask a person') assert.equal(open, 0, 'there is a visit')
    },
  })
  // The response is lost, and nobody can read the appointment.
  const team = createMock({ clock: 'auto' }).team()
  team.faults.add({ on: 'orders.bookPhlebotomyAppointment', then: 'lose_response' })
  const connection = team.connection()
  const client = new ServiceClient({
    ...connection,
    fetch: (request) => {
      const isBooking = request.url.endsWith('/book')
      if (isBooking) {
        team.faults.add({ on: 'orders.getPhlebotomyAppointment', then: { status: 500 } })
      }
      return connection.fetch(request)
    },
  })
  const state = await bookVisit(client, team.orders.create().id, 'bk_confirm')
  assert.equal(state, 'ask a person')
}

async function gradeOrder(placeOrder: Parameters<Grader>[0]): Promise<void> {
  const options: ExploreOptions<{ client: ServiceClient; store: object; known: string[] }> = {
    setup: ({ connection }) => ({
      client: new ServiceClient(connection),
      store: memoryStore(),
      known: [],
    }),
    scenario: async (context) => {
      const { client, store, known } = context
      known.push(await placeOrder(client, store, 'basket-17', orderOf(context)))
    },
    check: ({ team, known }) => {
      assert.ok(team.orders.size <= 1, 'two orders')
      for (const id of known) assert.ok(team.orders.has(id), 'an unknown order')
    },
  }
  await search({ ...options, restart: options.scenario })
}

async function gradeReceiver(createReceiver: Parameters<Grader>[0]): Promise<void> {
  const records = new Map<string, Record<string, unknown>>()
  const handler = createReceiver(secret, records)
  const report = await certify({ handler, secret, probe: () => [...records.values()] })
  assert.equal(report.failed, 0, toTable(report, { quiet: true }))
}

async function gradeListing(markerNames: Parameters<Grader>[0]): Promise<void> {
  const team = createMock().team()
  const client = new ServiceClient(team.connection())
  const expected: string[] = []
  for await (const { name } of client.labTests.listMarkers()) expected.push(name)
  assert.deepEqual(await markerNames(client), expected)
  team.faults.add({ on: 'labTests.listMarkers', when: { nth: 2 }, then: { status: 401 } })
  await assert.rejects(markerNames(client), ServiceError)
}

async function gradeImport(importConnections: Parameters<Grader>[0]): Promise<void> {
  const team = createMock().team()
  const client = new ServiceClient(team.connection())
  const recipes: ConnectionRecipe[] = Array.from({ length: 8 }, () => ({
    user_id: team.users.create().user_id,
    ...{ provider_id: 'id', access_token: 'access', refresh_token: 'refresh' },
    expires_at: 2_147_483_647,
  }))
  team.faults.add({ on: 'link.bulkImport', when: { nth: 3 }, then: { status: 401 } })
  const checkpoints: unknown[] = []
  await importConnections(client, recipes, checkpoints).catch(() => {})
  await team.clock.advance('1h')
  assert.equal(team.connections.size, 4, 'the import went on after a failed batch')
  await importConnections(client, recipes, checkpoints)
  await team.clock.advance('1h')
  const imported = team.connections.list({ provider: 'oura' })
  assert.equal(imported.length, recipes.length)
  const sent = team.journal
    .requests()
    .filter(({ response }) => response?.status !== 401)
    .flatMap(({ request }) => JSON.stringify(request.body).match(/user_id/g) ?? [])
  assert.equal(sent.length, recipes.length, 'a connection was sent twice')
}

async function gradeScores(meanScores: Parameters<Grader>[0]): Promise<void> {
  const team = createMock({ now: '2025-06-01T09:00:00Z' }).team()
  const client = new ServiceClient(team.connection())
  const slept = [team.users.create(), team.users.create()].map(({ user_id }) => user_id)
  const request = {
    timeframe: past(7, 'day', '2025-06-01'),
    queries: [query(mean('sleep', 'score'))],
  } as const
  const expected = new Map<string, unknown>()
  for (const id of slept) {
    const { results } = await client.aggregate.query(id, request)
    expected.set(id, rows(results[0])[0]?.mean ?? null)
  }
  const awake = team.users.create().user_id
  const failing = crypto.randomUUID()
  const connection = team.connection()
  const fetch = async (request: Request) => {
    if (request.url.includes(failing)) return new Response('{}', { status: 403 })
    const response = await connection.fetch(request)
    return request.url.includes(awake)
      ? new Response((await response.text()).replace(/("mean":\[)[\d.]+/, '$1null'), response)
      : response
  }
  const other = new ServiceClient({ ...connection, fetch })
  const found: Map<string, number | null> = await meanScores(
    other,
    [slept[0], failing, awake, slept[1]],
    '2025-06-01',
  )
  for (const [id, score] of expected) assert.equal(found.get(id), score)
  assert.equal(found.get(awake), null, 'a score of a user without one')
  assert.ok(!found.has(failing), 'a user that failed')
}

async function gradeAdvice(adviseOn: Parameters<Grader>[0]): Promise<void> {
  const team = createMock().team()
  const client = new ServiceClient({ ...team.connection(), maxRetries: 0 })
  const { id } = team.orders.create()
  const failing = async (then: 'lose_response' | 'refuse_connection' | { status: number }) => {
    team.faults.clear()
    team.faults.add({ then })
    const booking = { booking_key: 'bk_confirm' }
    return client.orders.bookPhlebotomyAppointment(id, booking).catch((error: unknown) => error)
  }
  const invalid = await client.users.createSignInToken('nobody').catch((error: unknown) => error)
  assert.equal(adviseOn(invalid), 'fix')
  assert.equal(adviseOn(await failing({ status: 404 })), 'fix')
  assert.equal(adviseOn(await failing({ status: 429 })), 'retry later')
  assert.equal(adviseOn(await failing('refuse_connection')), 'retry later')
  assert.equal(adviseOn(await failing({ status: 500 })), 'check first')
  assert.equal(adviseOn(await failing('lose_response')), 'check first')
  assert.throws(() => adviseOn(new RangeError('a mistake')), RangeError)
}

async function gradeLog(logFailure: Parameters<Grader>[0]): Promise<void> {
  const fetch = async () =>
    Response.json(
      { detail: 'Zq9secret is not a name' },
      { status: 400, headers: { 'x-request-id': 'req_7' } },
    )
  const client = new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test', fetch })
  const input = { booking_key: 'Zq9input' }
  const error = await client.orders
    .bookPhlebotomyAppointment(crypto.randomUUID(), input)
    .catch((reason: unknown) => reason)
  const lines: string[] = []
  logFailure((line: string) => lines.push(line), error, input)
  assert.equal(lines.length, 1)
  assert.match(lines.join(), /orders\.bookPhlebotomyAppointment/)
  assert.match(lines.join(), /rejected/)
  assert.match(lines.join(), /req_7/)
  assert.doesNotMatch(lines.join(), /Zq9/)
}

async function gradeLabels(labelOf: Parameters<Grader>[0]): Promise<void> {
  const labels = { pending: 'Waiting', confirmed: 'Confirmed', cancelled: 'Cancelled' }
  for (const [status, label] of Object.entries(labels)) assert.equal(labelOf(status), label)
  for (const status of ['completed', 'rescheduled_by_lab']) {
    assert.equal(labelOf(status), 'See details')
  }
}

async function gradeSignIn(signIn: Parameters<Grader>[0]): Promise<void> {
  const team = createMock().team()
  const client = new ServiceClient({ ...team.connection(), maxRetries: 0 })
  const users = [team.users.create(), team.users.create()]
  for (const { user_id } of users) {
    const given: { userId: string; token: string } = await signIn(client, user_id)
    assert.deepEqual(Object.keys(given).toSorted(), ['token', 'userId'])
    assert.equal(given.userId, user_id)
    assert.equal((await team.signIn(given.token)).user_id, user_id)
  }
  team.faults.add({ then: { status: 500 } })
  await assert.rejects(signIn(client, users[0]?.user_id), ServiceError)
}

async function gradeNights(keepNights: Parameters<Grader>[0]): Promise<void> {
  const versions = [
    { id: 'a', updated_at: '2025-06-01T08:00:00+00:00', score: 90 },
    { id: 'a', updated_at: '2025-06-01T07:00:00-03:00', score: 70 },
    { id: 'a', updated_at: '2025-06-01T11:00:00+02:00', score: 80 },
  ]
  const other = { id: 'b', updated_at: '2025-06-01T08:00:00+00:00', score: null }
  for (const [one, two, three] of [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ]) {
    const database = new Map()
    const at = (index = 0) => versions[index]
    keepNights(database, [at(one), other])
    keepNights(database, [at(two), at(three), at(one)])
    assert.deepEqual([...database.values()], [versions[1], other])
  }
}

async function gradeStatus(statusAfter: Parameters<Grader>[0]): Promise<void> {
  const started = performance.now()
  const cases = [
    ['bk_confirm_after_5m', '5m', 'confirmed'],
    ['bk_confirm_after_10m', '5m', 'pending'],
    ['bk_confirm_after_10m', '10m', 'confirmed'],
    ['bk_fail', '1h', 'cancelled'],
  ]
  for (const [key, time, status] of cases) {
    const team = createMock().team()
    const { id } = team.orders.create()
    assert.equal(await statusAfter(team, id, key, time), status)
  }
  assert.ok(performance.now() - started < 4000, 'it waits in real time')
}
