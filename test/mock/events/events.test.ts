import { expect, it } from 'vitest'
import { createMock, type Team, type TeamOptions } from '../../../mock/index.ts'
import { Appointment } from '../../../src/contract/appointments.ts'
import type { ConnectionEvent } from '../../../src/contract/events.ts'
import { Order } from '../../../src/contract/orders.ts'
import { issuesOf } from '../../../src/contract/schema-tools/check.ts'
import { findDrift } from '../../../src/contract/schema-tools/drift.ts'
import { Source } from '../../../src/contract/source.ts'
import { ActivitySummary } from '../../../src/contract/summary-records/activity.ts'
import { BodySummary } from '../../../src/contract/summary-records/body.ts'
import { MealSummary } from '../../../src/contract/summary-records/meal.ts'
import { ProfileSummary } from '../../../src/contract/summary-records/profile.ts'
import { SleepSummary } from '../../../src/contract/summary-records/sleep.ts'
import { WorkoutSummary } from '../../../src/contract/summary-records/workout.ts'
import { knownEventTypes, otherEventTypes } from '../../../src/contract/values/event-types.ts'
import { supportedResources } from '../../../src/contract/values/resources.ts'
import { isUnknownEvent, parseEvent, recordsOf, sourceOf } from '../../../src/events/index.ts'
import { orderBody, recipe, userId } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'
import { runsOf } from '../../support/long-tests.ts'

function teamOf(options: TeamOptions = {}): Team {
  const team = createMock({ seed: 5 }).team(options)
  team.users.create({ user_id: userId })
  return team
}

const typesOf = (team: Team, type?: string) =>
  team.events.list(type).map((event) => event.event_type)

/** Returns the resources that the latest connection announced. */
function announcedBy(team: Team): string[] {
  const event = team.events.last('provider.connection.created')?.body as unknown as ConnectionEvent
  return Object.keys(event.data.resource_availability ?? {})
}

/** Returns the types of events without duplicates, in the order of their first event. */
const distinct = (types: string[]) => [...new Set(types)]

it('sends a connection, then all chunks, then one historical event for each resource', async () => {
  const team = teamOf()
  const body = { provider: 'oura', connections: [recipe(userId)], wait_for_completion: true }
  await call(team, 'POST /v2/link/bulk_import', body)
  const types = typesOf(team)
  const resources = announcedBy(team)
  expect(resources).toEqual(expect.arrayContaining(['sleep', 'steps', 'vo2_max', 'sleep_cycle']))
  // Nothing has its data.
  expect(resources).not.toContain('workout_stream')
  expect(distinct(types)).toEqual([
    'provider.connection.created',
    ...resources.map((resource) => `daily.data.${resource}.created`),
    ...resources.map((resource) => `historical.data.${resource}.created`),
  ])
  expect(typesOf(team, 'historical.*')).toHaveLength(resources.length)
  expect(typesOf(team, 'daily.data.sleep.created')).toHaveLength(3)
})

it('sends the events of an import after its end, for every connected user', async () => {
  const team = teamOf({ importTimePerConnection: '1s' })
  const others = [team.users.create(), team.users.create()].map(({ user_id }) => user_id)
  team.connections.create({ user_id: userId, provider: 'strava' })
  team.events.clear()
  const stranger = '00000000-0000-4000-8000-000000000000'
  const connections = [userId, stranger, ...others].map((id) => recipe(id))
  await call(team, 'POST /v2/link/bulk_import', { provider: 'strava', connections })
  await team.clock.advance('3999ms')
  expect(team.events.list()).toEqual([])
  await team.clock.advance('1ms')
  const created = team.events.list('provider.connection.created')
  expect(created.map(({ user_id }) => user_id)).toEqual(others)
  expect(created.map(({ at }) => at)).toEqual([team.clock.now(), team.clock.now()])
})

it('sends the events of connected users when an import is aborted', async () => {
  const team = teamOf({ importTimePerConnection: '1s', clock: 'manual' })
  const users = [userId, team.users.create().user_id]
  const connections = users.map((id) => recipe(id))
  await call(team, 'POST /v2/link/bulk_import', { provider: 'polar', connections })
  await team.clock.advance('1s')
  team.bulkOps.abort(String(team.bulkOps.list()[0]?.id))
  const created = team.events.list('provider.connection.created')
  expect(created.map(({ user_id }) => user_id)).toEqual([userId])
})

it('shows events with the request that caused them', async () => {
  const team = teamOf()
  const connections = [recipe(userId)]
  await call(team, 'POST /v2/link/bulk_import', { provider: 'cronometer', connections })
  await team.clock.advance('1s')
  const { lab_test_ids } = team.orders.create().order_set
  await call(team, 'POST /v3/order', orderBody(String(lab_test_ids?.[0])))
  const resources = ['profile', 'body', 'meal', 'weight', 'carbohydrates', 'caffeine', 'water']
  const causes = team.journal
    .requests()
    .map(({ events }) => distinct(events.map((e) => e.event_type)))
  expect(causes).toEqual([
    [
      'provider.connection.created',
      ...resources.map((resource) => `daily.data.${resource}.created`),
      ...resources.map((resource) => `historical.data.${resource}.created`),
    ],
    ['labtest.order.created', 'labtest.order.updated'],
  ])
})

it.each(['oura', 'garmin'])('sends the records that summaries return (%s)', async (provider) => {
  const team = teamOf()
  team.connections.create({ user_id: userId, provider })
  const days = `start_date=2025-05-23&provider=${provider}`
  const { body } = await call(team, `GET /v2/summary/sleep/${userId}?${days}`)
  const chunks = team.events.list('daily.data.sleep.created')
  const sent = chunks.flatMap(({ body }) => recordsOf(parseEvent(body)))
  expect(sent).toEqual(body.sleep)
  expect(sent.length).toBeGreaterThan(5)
  const [historical] = team.events.list('historical.data.sleep.created')
  expect(recordsOf(parseEvent(historical?.body))).toEqual(sent)
})

it('sends data with the right source for a provider without generated data', () => {
  const team = teamOf()
  team.connections.create({ user_id: userId, provider: 'fitbit' })
  const [sleep] = team.events.list('historical.data.sleep.created')
  const event = parseEvent(sleep?.body)
  expect(sourceOf(event)).toMatchObject({ provider: 'fitbit', type: 'watch' })
  expect(distinct(recordsOf(event).map(({ source }) => (source as Source).provider ?? ''))).toEqual(
    ['fitbit'],
  )
})

it('sends the added rows of a user instead of generated ones', () => {
  const team = teamOf({ generatedData: false })
  const values = (hour: number) => ({ timestamp: `2025-06-01T0${hour}:00:00`, value: 60 + hour })
  for (const hour of [1, 2]) {
    team.data.create({ user_id: userId, resource: 'heartrate', values: values(hour) })
  }
  team.events.clear()
  team.connections.create({ user_id: userId, provider: 'oura' })
  expect(typesOf(team).slice(0, 3)).toEqual([
    'provider.connection.created',
    'daily.data.heartrate.created',
    'historical.data.heartrate.created',
  ])
  const [historical] = team.events.list('historical.data.heartrate.created')
  const sample = { id: expect.any(Number), type: null, unit: 'bpm', timezone_offset: 0 }
  expect(recordsOf(parseEvent(historical?.body))).toEqual([
    { ...sample, timestamp: '2025-06-01T01:00:00+00:00', value: 61 },
    { ...sample, timestamp: '2025-06-01T02:00:00+00:00', value: 62 },
  ])
})

it('sends added rows in an import for the users who have them, and for no other user', async () => {
  const team = teamOf({ importTimePerConnection: 0 })
  const others = [team.users.create(), team.users.create()].map(({ user_id }) => user_id)
  team.data.create({
    user_id: userId,
    resource: 'heartrate',
    values: { value: 61, source_provider: 'garmin' },
  })
  team.events.clear()
  const connections = [others[0], userId, others[1]].map((id) => recipe(String(id)))
  await call(team, 'POST /v2/link/bulk_import', { provider: 'garmin', connections })
  const heartRates = team.events.list('*.heartrate.*').map(({ user_id, body }) => ({
    user_id,
    records: recordsOf(parseEvent(body)).length,
  }))
  const made = [100, 100, 100, 300]
  expect(heartRates).toEqual([
    ...made.map((records) => ({ user_id: others[0], records })),
    ...[1, 1].map((records) => ({ user_id: userId, records })),
    ...made.map((records) => ({ user_id: others[1], records })),
  ])
})

it('does not change an event after later changes', async () => {
  const team = teamOf({ now: '2024-06-01', clock: 'manual' })
  team.connections.create({ user_id: userId, provider: 'garmin' })
  const before = JSON.stringify(team.events.list())
  await team.clock.advance('400d')
  team.data.create({ user_id: userId, resource: 'sleep' })
  team.configure({ deprecatedFields: 'never' })
  expect(JSON.stringify(team.events.list().slice(0, -1))).toBe(before)
})

it('returns a new body for each event, so changing one does not change any other', () => {
  const bodiesOf = (team: Team) => team.events.list().map(({ body }) => body)
  const eventful = () => {
    const team = teamOf()
    for (const type of knownEventTypes) team.trigger(type, { user_id: userId })
    team.connections.create({ user_id: userId, provider: 'fitbit' })
    return team
  }
  const team = eventful()
  const expected = JSON.stringify(bodiesOf(team))
  for (const body of bodiesOf(team)) changeAll(body)
  expect(JSON.stringify(bodiesOf(team))).toBe(expected)
  expect(JSON.stringify(bodiesOf(eventful()))).toBe(expected)
})

function changeAll(value: object): void {
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'object' && inner !== null) changeAll(inner)
    else Reflect.set(value, name, 'changed')
  }
}

it('sends new and changed rows', () => {
  const team = teamOf()
  const source = { source_provider: 'garmin', source_type: 'watch' }
  const values = { title: 'Run', session_start: '2025-06-01T07:00:00', ...source }
  const { id } = team.data.create({ user_id: userId, resource: 'workout', values })
  team.data.update(id, { values: { ...team.data.get(id)?.values, title: 'Long run' } })
  team.data.delete(id)
  const events = team.events.list().map(({ body }) => parseEvent(body))
  expect(events.map(({ event_type }) => event_type)).toEqual([
    'daily.data.workouts.created',
    'daily.data.workouts.updated',
  ])
  expect(events.flatMap(recordsOf).map(({ title }) => title)).toEqual(['Run', 'Long run'])
  expect(sourceOf(events[0] as (typeof events)[0])).toMatchObject({ provider: 'garmin' })
})

it('sends orders and appointments as in responses', async () => {
  const team = teamOf()
  const { id } = team.orders.create({ user_id: userId })
  const key = { booking_key: 'bk_confirm' }
  const booked = await call(team, `POST /v3/order/${id}/phlebotomy/appointment/book`, key)
  team.appointments.transition(booked.body.id, 'in_progress')
  team.orders.complete(id)
  expect(typesOf(team)).toEqual([
    'labtest.order.created',
    'labtest.appointment.created',
    'labtest.appointment.updated',
    'labtest.order.updated',
    'labtest.appointment.updated',
    'labtest.order.updated',
  ])
  const [order, appointment] = team.events.list().map(({ body }) => body['data'])
  expect(issuesOf(Order, order)).toEqual([])
  expect(findDrift(Appointment, appointment)).toEqual([])
  expect(appointment).toEqual(booked.body)
})

const dataTypes = supportedResources.flatMap((resource) => [
  `daily.data.${resource}.created`,
  `daily.data.${resource}.updated`,
  `historical.data.${resource}.created`,
])
const hypnogramTypes = [
  'historical.timeseries.hypnogram.created',
  'daily.timeseries.hypnogram.created',
  'daily.timeseries.hypnogram.updated',
]

it('generates a valid event of every known type, with records if it has data', () => {
  const team = teamOf()
  for (const type of [...dataTypes, ...hypnogramTypes]) {
    const event = parseEvent(team.trigger(type).body)
    expect(isUnknownEvent(event), type).toBe(false)
    expect(recordsOf(event).length, type).toBeGreaterThan(0)
    expect(findDrift(Source, (event.data as { source: unknown }).source), type).toEqual([])
  }
  for (const type of ['provider.connection.created', ...otherEventTypes]) {
    const event = parseEvent(team.trigger(type).body)
    expect(event, type).toMatchObject({ event_type: type, user_id: userId })
    expect(isUnknownEvent(event), type).toBe(false)
  }
})

it.each([
  ['activity', ActivitySummary],
  ['body', BodySummary],
  ['meal', MealSummary],
  ['profile', ProfileSummary],
  ['sleep', SleepSummary],
  ['workouts', WorkoutSummary],
])('generates records of %s like its summaries', (resource, schema) => {
  const event = parseEvent(teamOf().trigger(`daily.data.${resource}.created`).body)
  for (const record of recordsOf(event)) expect(findDrift(schema, record)).toEqual([])
})

it('generates sleep cycles with consecutive stages from the start to the end of a night', () => {
  const event = parseEvent(teamOf().trigger('daily.data.sleep_cycle.created').body)
  const [cycle] = recordsOf(event)
  const starts = cycle?.['stage_start_offset_second'] as number[]
  const ends = cycle?.['stage_end_offset_second'] as number[]
  expect(starts).toEqual([0, ...ends.slice(0, -1)])
  expect(cycle?.['stage_type']).toHaveLength(ends.length)
  const moments = ['session_start', 'session_end'].map((name) => Date.parse(String(cycle?.[name])))
  expect((Number(moments[1]) - Number(moments[0])) / 1000).toBe(ends.at(-1))
})

it('sends an event of an unknown type unchanged', () => {
  const given = { mood: 'fair', data: [1] }
  const { body, user_id } = teamOf().trigger('daily.mood.created', given, { unknown: true })
  expect(body).toEqual({ event_type: 'daily.mood.created', mood: 'fair', data: [1] })
  expect(user_id).toBeUndefined()
  expect(isUnknownEvent(parseEvent(body))).toBe(true)
})

it('creates the records that a triggered event refers to, and sends no other event', () => {
  const team = teamOf()
  const order_id = '6e0bd0a8-9d43-4d47-8e0c-7d2b0f5d5a02'
  team.trigger('daily.data.steps.created', { user_id: userId })
  const connected = { user_id: userId, data: { provider: { name: 'Polar', slug: 'polar' } } }
  team.trigger('provider.connection.created', connected)
  expect(team.connections.has(userId, 'polar')).toBe(true)
  const { body } = team.trigger('labtest.appointment.updated', { user_id: userId })
  const { id } = body['data'] as Appointment
  expect(team.appointments.get(id)?.user_id).toBe(userId)
  team.orders.create({ id: order_id })
  const critical = team.trigger('labtest.result.critical', { data: { order_id } })
  expect(critical.body['data']).toMatchObject({ order_id })
  expect(team.orders.get(order_id)?.results).not.toBeNull()
  expect(typesOf(team)).toEqual([
    'daily.data.steps.created',
    'provider.connection.created',
    'labtest.appointment.updated',
    'labtest.order.created',
    'labtest.result.critical',
  ])
})

it('finds the records of a user whose id is in upper case', () => {
  const team = teamOf()
  const { id } = team.orders.create({ user_id: userId })
  const user_id = userId.toUpperCase()
  const { body } = team.trigger('labtest.order.updated', { user_id })
  expect(body).toMatchObject({ user_id: userId, data: { id } })
  const unknown = team.trigger('mood.created', { user_id }, { unknown: true })
  expect(unknown.user_id).toBe(userId)
})

it('sets single fields of a triggered event', () => {
  const given = { client_user_id: 'c-1', data: { source: { provider: 'whoop_v2', type: 'watch' } } }
  const { body } = teamOf().trigger('daily.data.hrv.created', given)
  expect(body).toMatchObject(given)
  expect(recordsOf(parseEvent(body))).toHaveLength(10)
})

it('rejects an unknown type, and an unknown user', () => {
  const team = teamOf()
  expect(() => team.trigger('daily.data.slep.created')).toThrow(
    "Unknown event type 'daily.data.slep.created'. Did you mean daily.data.sleep.created? Set unknown: true to trigger it anyway.",
  )
  const missing = 'c1b8a6a0-0c6f-4a53-9d36-3d3cf6b1a111'
  expect(() => team.trigger('daily.data.sleep.created', { user_id: missing })).toThrow(
    `No user has the id '${missing}'. Create the user first.`,
  )
  expect(() => team.connections.create({ user_id: missing, provider: 'oura' })).toThrow(
    expect.objectContaining({ code: 'unknown_record' }),
  )
  expect(() => team.insurances.create({ user_id: missing })).toThrow(missing)
  expect(team.events.count).toBe(0)
})

it('rejects an event without a type', () => {
  expect(() => teamOf().trigger('')).toThrow(expect.objectContaining({ code: 'invalid_option' }))
})

it.each(['user_id', ['user_id'], null])(
  'triggers no event with %j instead of its fields',
  (fields) => {
    expect(() => teamOf().trigger('daily.data.sleep.created', fields as never)).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    )
  },
)

it('triggers no event with data that is not JSON', () => {
  const team = teamOf()
  const data = { hrv: 1n }
  expect(() => team.trigger('daily.data.sleep.created', { data })).toThrow(
    /The fields of the event cannot be sent as JSON: .*BigInt/,
  )
  expect(team.events.count).toBe(0)
})

it.each([{ data: { run: () => 1 } }, { note: new URL('http://localhost') }, { note: Symbol('x') }])(
  'triggers no event with values that cannot be copied: %o',
  (fields) => {
    const team = teamOf()
    for (const type of ['daily.data.sleep.created', 'test.event']) {
      expect(() => team.trigger(type, fields, { unknown: true })).toThrow(
        expect.objectContaining({ code: 'invalid_option' }),
      )
    }
    expect(team.events.count).toBe(0)
  },
)

const dates: [now: string, shown: { final: boolean; source: boolean; hypnogram: boolean }][] = [
  ['2024-06-29', { final: true, source: true, hypnogram: true }],
  ['2024-06-30', { final: false, source: true, hypnogram: true }],
  ['2024-07-30', { final: false, source: true, hypnogram: true }],
  ['2024-07-31', { final: false, source: false, hypnogram: true }],
  ['2025-01-30', { final: false, source: false, hypnogram: true }],
  ['2025-01-31', { final: false, source: false, hypnogram: false }],
]

/** Returns the deprecated items in the events of a connection. */
function deprecatedItems(team: Team) {
  team.connections.create({ user_id: userId, provider: 'oura' })
  const content = (type: string) => team.events.last(type)?.body['data'] as Record<string, object>
  const historical = content('historical.data.sleep.created')
  const source = content('provider.connection.created')
  const isSourceShown = ['name', 'slug', 'logo'].every(
    (name) => name in (historical['source'] ?? {}),
  )
  expect('source' in source).toBe(isSourceShown)
  const hypnograms = typesOf(team, '*.timeseries.hypnogram.created')
  expect(hypnograms).toHaveLength(hypnograms.length === 0 ? 0 : 4)
  return {
    final: historical['is_final'] !== undefined,
    source: isSourceShown,
    hypnogram: hypnograms.length > 0,
  }
}

it.each(dates)('sends the deprecated items that are not removed on %s', (now, shown) => {
  expect(deprecatedItems(teamOf({ now }))).toEqual(shown)
})

it.each([
  ['always', true],
  ['never', false],
] as const)('sends deprecated items with the setting %s', (deprecatedFields, isShown) => {
  const team = teamOf({ deprecatedFields, now: isShown ? '2030-01-01' : '2020-01-01' })
  const shown = { final: isShown, source: isShown, hypnogram: isShown }
  expect(deprecatedItems(team)).toEqual(shown)
})

it('keeps the latest events only, with consecutive numbers', () => {
  const team = teamOf({ outboxLimit: 3 })
  for (let nth = 1; nth <= 5; nth += 1) team.trigger('test.event', { nth }, { unknown: true })
  expect(team.events.count).toBe(5)
  expect(team.events.list().map(({ number }) => number)).toEqual([3, 4, 5])
  expect(team.snapshot().outbox.batches.length).toBeLessThan(5)
  team.events.clear()
  expect(team.events.list()).toEqual([])
  expect(team.trigger('test.event', {}, { unknown: true })).toMatchObject({ number: 6 })
})

it('finds events by a part of their type', () => {
  const team = teamOf()
  for (const type of ['daily.data.sleep.created', 'daily.data.sleep.updated', 'dailyXdata']) {
    team.trigger(type, {}, { unknown: true })
  }
  expect(typesOf(team, 'daily.*')).toHaveLength(2)
  expect(typesOf(team, '*.updated')).toEqual(['daily.data.sleep.updated'])
  expect(team.events.last('daily.data.*.created')?.number).toBe(1)
  expect(team.events.last('daily')).toBeUndefined()
})

it('sends the same events for the same seed and the same calls', () => {
  const events = () => {
    const team = teamOf()
    team.connections.create({ user_id: userId, provider: 'garmin' })
    team.trigger('labtest.order.created')
    return JSON.stringify(team.events.list())
  }
  expect(events()).toBe(events())
})

it('restores the events of a snapshot, and continues after them', () => {
  const team = teamOf()
  team.connections.create({ user_id: userId, provider: 'garmin' })
  const events = JSON.stringify(team.events.list())
  const snapshot = JSON.parse(JSON.stringify(team.snapshot()))
  team.trigger('later.event', {}, { unknown: true })
  const other = createMock().team()
  other.restore(snapshot)
  expect(JSON.stringify(other.events.list())).toBe(events)
  expect(other.trigger('later.event', {}, { unknown: true }).id).toBe(team.events.last()?.id)
})

it('keeps little memory for the events of a large import', async () => {
  const team = teamOf({ outboxLimit: 1000, importTimePerConnection: 0 })
  const users = Array.from(
    { length: runsOf(100_000) },
    () => team.users.create({ info: null }).user_id,
  )
  const connections = users.map((id) => recipe(id))
  await call(team, 'POST /v2/link/bulk_import', { provider: 'garmin', connections })
  const perUser = team.events.count / users.length
  expect(perUser).toBeGreaterThan(10)
  expect(Number.isInteger(perUser)).toBe(true)
  expect(team.events.list()).toHaveLength(1000)
  expect(team.events.last()).toMatchObject({ user_id: users.at(-1) })
  const activity = team.events.last('historical.data.activity.created')
  expect(recordsOf(parseEvent(activity?.body)).length).toBeGreaterThan(5)
  expect(team.snapshot().outbox.batches).toHaveLength(1)
  expect(team.journal.last()?.events).toHaveLength(1000)
})

it('dates a changed row at the virtual time, so that consumers can tell versions apart', async () => {
  const team = teamOf()
  const { id } = team.data.create({
    user_id: userId,
    resource: 'sleep',
    values: { state: 'tentative', score: 60 },
  })
  await team.clock.advance('2h')
  team.data.update(id, { values: { state: 'confirmed' } })
  await team.clock.advance('1h')
  team.data.update(id, { values: { score: 71 } })
  const nights = team.events.list().flatMap(({ body }) => recordsOf(parseEvent(body)))
  expect(nights.map(({ state, score }) => [state, score])).toEqual([
    ['tentative', 60],
    ['confirmed', 60],
    ['confirmed', 71],
  ])
  const times = nights.map(({ updated_at }) => Date.parse(String(updated_at)))
  const hoursLater = times.map((time) => (time - Number(times[0])) / 3_600_000)
  expect(hoursLater).toEqual([0, 2, 3])
  expect(new Set(nights.map(({ created_at }) => created_at)).size).toBe(1)
  expect(() => team.data.update(id, { values: { scoer: 1 } })).toThrow("Unknown column 'scoer'")
})

it('gives each version of a row a later time, even when the clock does not move', () => {
  const team = teamOf()
  const values = { state: 'tentative', source_provider: 'freestyle_libre' }
  const { id } = team.data.create({ user_id: userId, resource: 'sleep', values })
  team.data.update(id, { values: { state: 'confirmed' } })
  team.data.update(id, { values: { score: 71 } })
  const nights = team.events.list().flatMap(({ body }) => recordsOf(parseEvent(body)))
  const times = nights.map(({ updated_at }) => String(updated_at))
  // Consumers compare them as strings or as moments.
  expect(times.toSorted()).toEqual(times)
  expect(new Set(times.map((time) => Date.parse(time))).size).toBe(3)
})

it.each([5, true, {}, ['x'], ''])(
  'refuses to trigger an event with the user_id %j, and creates no such user',
  (wrong) => {
    const team = createMock().team()
    // What JSON allows.
    const trigger = () => team.trigger('daily.data.sleep.created', { user_id: wrong as string })
    expect(trigger).toThrow('Create the user first')
    expect(team.users.list()).toEqual([])
    expect(createMock().team().restore(team.snapshot())).toBeUndefined()
  },
)
