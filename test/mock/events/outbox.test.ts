import { expect, it } from 'vitest'
import { createMock, type Team } from '../../../mock/index.ts'
import { knownEventTypes } from '../../../src/contract/values/event-types.ts'
import { parseEvent, recordsOf } from '../../../src/events/index.ts'
import { recipe, userId } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'
import { runsOf } from '../../support/long-tests.ts'
import { teamOf, typesOf } from './event-team.ts'

function changeAll(value: object): void {
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'object' && inner !== null) changeAll(inner)
    else Reflect.set(value, name, 'changed')
  }
}

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
