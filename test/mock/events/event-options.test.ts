import { expect, it } from 'vitest'
import { createMock, explainDifference, type Team, type TeamOptions } from '../../../mock/index.ts'
import type { ConnectionEvent } from '../../../src/contract/events.ts'
import { parseEvent, recordsOf, sourceOf } from '../../../src/events/index.ts'
import { recipe, userId } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

function connectedTeam(provider: string, options: TeamOptions = {}): Team {
  const team = createMock().team(options)
  team.users.create({ user_id: userId })
  team.connections.create({ user_id: userId, provider })
  return team
}

function announcedBy(team: Team): string[] {
  const event = team.events.last('provider.connection.created')?.body as unknown as ConnectionEvent
  return Object.keys(event.data.resource_availability ?? {})
}

function typesOf(team: Team, type?: string): string[] {
  return team.events.list(type).map(({ event_type }) => event_type)
}

const historical = (resource: string) => `historical.data.${resource}.created`

it.each(['oura', 'strava', 'dexcom_v3', 'apple_health_kit', 'manual'])(
  'sends one historical event for each resource that %s announces, without data too',
  (provider) => {
    for (const generatedData of [true, false]) {
      const team = connectedTeam(provider, { generatedData })
      const announced = announcedBy(team)
      expect(announced.length).toBeGreaterThan(3)
      expect(typesOf(team, 'historical.*').toSorted()).toEqual(announced.map(historical).toSorted())
    }
  },
)

it('sends the historical event of a resource without data with an empty list', () => {
  const team = connectedTeam('oura', { generatedData: false })
  const { body } = team.events.last(historical('workouts')) ?? {}
  expect(body?.['data']).toMatchObject({ data: [], source: { provider: 'oura' } })
})

it('announces hypnograms until their removal, and never after it', () => {
  const [before, after] = ['2025-01-30', '2025-02-01'].map((now) =>
    connectedTeam('apple_health_kit', { now }),
  ) as [Team, Team]
  const type = 'historical.timeseries.hypnogram.created'
  expect(announcedBy(before)).toContain('hypnogram')
  expect(typesOf(before, type)).toHaveLength(1)
  expect(announcedBy(after)).not.toContain('hypnogram')
  expect(typesOf(after, '*hypnogram*')).toEqual([])
})

it('sends notices without chunks and data with historicalEvents notice', async () => {
  const team = connectedTeam('oura', { historicalEvents: 'notice' })
  expect(typesOf(team)).toEqual(['provider.connection.created', ...typesOf(team, 'historical.*')])
  expect(typesOf(team, 'historical.*').toSorted()).toEqual(
    announcedBy(team).map(historical).toSorted(),
  )
  const event = team.events.last(historical('sleep'))
  expect(event?.body).toEqual({
    event_type: historical('sleep'),
    user_id: userId,
    data: {
      user_id: userId,
      start_date: '2025-05-22T09:00:00.000Z',
      end_date: '2025-06-01T09:00:00.000Z',
      provider: 'oura',
    },
  })
  expect(recordsOf(parseEvent(event?.body))).toEqual([])
})

it('sends one summary record in each chunk with summaryEvents record', async () => {
  const lists = connectedTeam('oura')
  const team = createMock().team({ summaryEvents: 'record' })
  team.users.create({ user_id: userId })
  const body = { provider: 'oura', connections: [recipe(userId)], wait_for_completion: true }
  await call(team, 'POST /v2/link/bulk_import', body)
  for (const resource of ['sleep', 'activity', 'workouts', 'profile', 'sleep_cycle']) {
    const type = `daily.data.${resource}.created`
    const single = team.events.list(type).map(({ body }) => body['data'])
    expect(single.length).toBeGreaterThan(0)
    const records = lists.events.list(type).flatMap(({ body }) => recordsOf(parseEvent(body)))
    expect(single, resource).toEqual(records)
    const event = parseEvent(team.events.last(type)?.body)
    expect(recordsOf(event)).toEqual(single.slice(-1))
    expect(sourceOf(event)).toMatchObject({ provider: 'oura', type: 'ring' })
    expect(team.events.last(historical(resource))?.body['data']).toMatchObject({ data: records })
  }
  expect(team.events.last('daily.data.heartrate.created')?.body['data']).toMatchObject({
    data: expect.any(Array),
  })
})

it('sends an added summary as the record itself with summaryEvents record', () => {
  const team = createMock().team({ summaryEvents: 'record' })
  team.users.create({ user_id: userId })
  team.data.create({ user_id: userId, resource: 'sleep', values: { score: 81 } })
  expect(team.events.last('daily.data.sleep.created')?.body['data']).toMatchObject({
    score: 81,
    source: { provider: 'oura' },
  })
})

it.each([
  ['sleep', { id: expect.any(String), bedtime_stop: expect.any(String) }],
  ['sleep_cycle', { stage_type: expect.any(Array) }],
  ['heartrate', { data: expect.any(Array), source: { provider: 'oura' } }],
])('triggers an event of %s like a real one with summaryEvents record', (resource, data) => {
  const team = createMock().team({ summaryEvents: 'record' })
  const { body } = team.trigger(`daily.data.${resource}.created`)
  expect(body['data']).toMatchObject(data)
  expect(team.trigger(historical(resource)).body['data']).toMatchObject({ data: expect.any(Array) })
})

it.each(['sleep', 'heartrate', 'profile', 'vo2_max'])(
  'triggers a historical event of %s without data with historicalEvents notice',
  (resource) => {
    const team = connectedTeam('oura', { historicalEvents: 'notice' })
    const real = team.events.last(historical(resource))?.body
    const { body } = team.trigger(historical(resource), { user_id: userId })
    expect(body).toEqual(real)
    const { body: changed } = team.trigger(historical(resource), { data: { provider: 'garmin' } })
    expect(changed['data']).toMatchObject({ provider: 'garmin', start_date: expect.any(String) })
  },
)

it('finds the event of a row that a consumer lacks with summaryEvents record', () => {
  const team = createMock().team({ summaryEvents: 'record' })
  team.users.create({ user_id: userId })
  const { id } = team.data.create({ user_id: userId, resource: 'sleep', values: { score: 81 } })
  expect(team.truth(userId, 'sleep')).toMatchObject([{ id, score: 81 }])
  const difference = explainDifference(team, [])
  expect(difference).toMatchObject({ kind: 'lost', expected: { id } })
  expect(difference?.event?.event_type).toBe('daily.data.sleep.created')
})

it('contains the client user id as of the event, even after a restore', () => {
  const team = createMock().team({ eventEnvelope: 'extended' })
  const { user_id } = team.users.create({ user_id: userId, client_user_id: 'c-1' })
  team.orders.create({ user_id })
  team.users.update(user_id, { client_user_id: 'c-2' })
  team.orders.create({ user_id })
  team.trigger('daily.data.sleep.created', { user_id })
  const shown = (of: Team) => of.events.list().map(({ body }) => body['client_user_id'])
  expect(shown(team)).toEqual(['c-1', 'c-2', 'c-2'])
  const other = createMock().team()
  other.restore(team.snapshot())
  expect(shown(other)).toEqual(['c-1', 'c-2', 'c-2'])
  team.users.delete(user_id)
  expect(shown(team)).toEqual(['c-1', 'c-2', 'c-2'])
})

it('contains the client user id as of the event in what arrived before anybody read it', async () => {
  for (const change of ['update', 'delete'] as const) {
    const team = createMock().team({ eventEnvelope: 'extended' })
    const { user_id } = team.users.create({ user_id: userId, living: true, client_user_id: 'c-1' })
    await team.clock.advance('1d')
    if (change === 'update') team.users.update(user_id, { client_user_id: 'c-2' })
    else team.users.delete(user_id)
    const shown = new Set(team.events.list().map(({ body }) => body['client_user_id']))
    expect([change, ...shown]).toEqual([change, 'c-1'])
  }
})

it.each(['extended', 'specification'] as const)(
  'describes the error of a connection with the envelope %s (assumption)',
  (eventEnvelope) => {
    const team = createMock().team({ eventEnvelope })
    team.users.create({ user_id: userId })
    const { body } = team.trigger('provider.connection.error', { user_id: userId })
    const named = team.trigger('provider.connection.error', { data: { provider: 'garmin' } })
    const { user_id, ...data } = body['data'] as Record<string, unknown>
    expect(user_id).toBe(userId)
    expect(data).toEqual(
      eventEnvelope === 'extended'
        ? {
            provider: 'oura',
            error_type: 'token_refresh_failed',
            message: expect.any(String),
            error_details: null,
          }
        : {
            provider: expect.objectContaining({ slug: 'oura' }),
            error_type: 'token_refresh_failed',
            error_message: null,
          },
    )
    expect(JSON.stringify(named.body['data'])).toContain('garmin')
  },
)

it('adds the team and the client user id with the extended envelope, to all events', () => {
  const team = connectedTeam('oura', { eventEnvelope: 'extended' })
  team.orders.create({ user_id: userId })
  const bodies = team.events.list().map(({ body }) => body)
  const ids = new Set(bodies.map(({ team_id }) => team_id))
  expect([...ids]).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)])
  expect(bodies.every(({ client_user_id }) => client_user_id === null)).toBe(true)
  team.configure({ eventEnvelope: 'specification' })
  expect(team.events.list()[0]?.body['team_id']).toBeDefined()
  team.orders.create({ user_id: userId })
  expect(team.events.last()?.body).not.toHaveProperty('team_id')
  const restored = createMock({ seed: 9 }).team()
  restored.restore(team.snapshot())
  expect(restored.events.list().map(({ body }) => body)).toEqual(
    team.events.list().map(({ body }) => body),
  )
})
