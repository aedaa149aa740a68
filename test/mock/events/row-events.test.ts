import { expect, it } from 'vitest'
import { parseEvent, recordsOf, sourceOf } from '../../../src/events/index.ts'
import { recipe, userId } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'
import { teamOf, typesOf } from './event-team.ts'

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
