import { expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import type { Appointment } from '../../../src/contract/appointments.ts'
import { findDrift } from '../../../src/contract/schema-tools/drift.ts'
import { Source } from '../../../src/contract/source.ts'
import { ActivitySummary } from '../../../src/contract/summary-records/activity.ts'
import { BodySummary } from '../../../src/contract/summary-records/body.ts'
import { MealSummary } from '../../../src/contract/summary-records/meal.ts'
import { ProfileSummary } from '../../../src/contract/summary-records/profile.ts'
import { SleepSummary } from '../../../src/contract/summary-records/sleep.ts'
import { WorkoutSummary } from '../../../src/contract/summary-records/workout.ts'
import { otherEventTypes } from '../../../src/contract/values/event-types.ts'
import { supportedResources } from '../../../src/contract/values/resources.ts'
import { isUnknownEvent, parseEvent, recordsOf } from '../../../src/events/index.ts'
import { userId } from '../../support/bodies.ts'
import { teamOf, typesOf } from './event-team.ts'

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
