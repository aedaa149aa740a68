import { expect, it } from 'vitest'
import { createMock, explainDifference, type UserInput } from '../../../mock/index.ts'
import { call } from '../../support/call.ts'
import { RowStore, sortRows, storeEvents } from '../../support/row-store.ts'

const someone: UserInput = {
  persona: 'office_worker',
  time_zone: 'America/New_York',
  connections: ['eight_sleep', 'withings', 'my_fitness_pal_v2'],
  living: true,
}

function makeTeam(seed = 3) {
  return createMock({ seed }).team({ now: '2025-10-30T09:00:00Z', outboxLimit: 100_000 })
}

it('returns what a consumer of all events has, with every delivery fault', async () => {
  const team = makeTeam()
  const store = storeEvents(team)
  const { user_id } = team.users.create(someone)
  await team.clock.advance('6d')
  // Events that are delayed or retried.
  const truth = team.truth(user_id)
  team.users.delete(user_id)
  await team.clock.advance('2d')
  expect(truth.length).toBeGreaterThan(1000)
  expect(sortRows(store.rows(user_id))).toEqual(sortRows(truth))
})

it('finds no difference in the rows of a correct consumer', async () => {
  const team = makeTeam()
  team.users.create({ ...someone, connections: ['withings', 'my_fitness_pal_v2'] })
  const store = new RowStore()
  await team.clock.advance('20d')
  for (const { body } of team.events.list()) store.receive(body as never)
  expect(explainDifference(team, store.rows())).toBeUndefined()
})

it.each([
  ['latest event', 'stale'],
  ['append', 'doubled'],
  ['without updates', 'stale'],
] as const)('explains what is wrong with a consumer that stores "%s"', async (storing, kind) => {
  const team = makeTeam()
  team.users.create({ ...someone, connections: ['eight_sleep'] })
  await team.clock.advance('10d')
  const store = new RowStore(storing)
  const events = team.events.list('daily.data.sleep.*')
  for (const { body } of storing === 'latest event'
    ? events.toReversed()
    : [...events, ...events]) {
    store.receive(body as never)
  }
  const others = team.events.list().filter(({ event_type }) => !/\.sleep\./.test(event_type))
  const rest = new RowStore()
  for (const { body } of others) rest.receive(body as never)
  const difference = explainDifference(team, [...store.rows(), ...rest.rows()])
  expect(difference).toMatchObject({ kind, resource: 'sleep' })
  expect(difference?.event?.event_type).toMatch(/^daily\.data\.sleep/)
  expect(difference?.message).toMatch(
    /^A row of sleep is (outdated|stored).* arrived in daily\.data\.sleep/,
  )
})

it('explains a lost row with its event', async () => {
  const team = makeTeam()
  team.users.create({ ...someone, connections: ['withings'] })
  await team.clock.advance('20d')
  const events = team.events.list()
  const lost = events.find(({ event_type }) => event_type === 'daily.data.weight.created')
  const store = new RowStore()
  for (const event of events) {
    if (event.body !== lost?.body && event.number !== lost?.number)
      store.receive(event.body as never)
  }
  const difference = explainDifference(
    team,
    store.rows().filter((row) => row['timestamp'] !== Object(lost?.body.data).data[0].timestamp),
  )
  expect(difference).toMatchObject({ kind: 'lost', resource: 'weight' })
  expect(difference?.event?.number).toBe(lost?.number)
})

it('contains the rows that a test adds', () => {
  const team = createMock().team()
  const { user_id } = team.users.create()
  const row = team.data.create({ user_id, resource: 'sleep', values: { score: 81 } })
  expect(team.truth(user_id, 'sleep')).toMatchObject([{ resource: 'sleep', id: row.id, score: 81 }])
  expect(team.truth(user_id, 'activity')).toEqual([])
})

it('refuses rows without what identifies them', () => {
  const team = createMock().team()
  expect(() => explainDifference(team, [{ score: 81 }])).toThrow(
    "Expected the resource of every stored row to be a string such as 'sleep', but got nothing.",
  )
})

it('contains what was sent of a user until the deletion', async () => {
  const team = makeTeam()
  const { user_id } = team.users.create({ ...someone, connections: ['withings'] })
  await team.clock.advance('20d')
  const truth = team.truth(user_id)
  const store = new RowStore()
  for (const { body } of team.events.list()) store.receive(body as never)
  team.users.delete(user_id)
  await team.clock.advance('2d')
  expect(team.truth(user_id)).toEqual(truth)
  expect(explainDifference(team, store.rows())).toBeUndefined()
})

it('names the notice after which a consumer reads a row', async () => {
  const team = createMock({ historicalEvents: 'notice' }).team()
  const { user_id } = team.users.create({ ...someone, connections: ['oura', 'withings'] })
  const [first, ...others] = team.truth(user_id, 'body')
  const difference = explainDifference(team, [
    ...team.truth(user_id).filter(({ resource }) => resource !== 'body'),
    ...others,
  ])
  expect(difference).toMatchObject({ kind: 'lost', expected: first })
  expect(difference?.event).toMatchObject({
    event_type: 'historical.data.body.created',
    body: { data: { provider: 'withings' } },
  })
})

it('keeps the times of arrived summaries when a test adds one', async () => {
  const team = makeTeam()
  const { user_id } = team.users.create({ ...someone, connections: ['eight_sleep'] })
  await team.clock.advance('4d')
  const path = `GET /v2/summary/sleep/${user_id}?start_date=2025-10-01`
  const before = (await call(team, path)).body.sleep
  const { id } = team.data.create({ user_id, resource: 'sleep', values: { score: 81 } })
  const after = (await call(team, path)).body.sleep
  expect(after.filter((night: { id: string }) => night.id !== id)).toEqual(before)
  expect(after.find((night: { id: string }) => night.id === id)).toMatchObject({
    score: 81,
    created_at: expect.stringMatching(/^2025-11-03/),
  })
})

it('has one sample of each time, also when clocks are set back and the provider sends local time only', async () => {
  const team = createMock().team({ now: '2025-10-31T09:00:00Z' })
  team.users.create({ ...someone, connections: ['freestyle_libre'] })
  await team.clock.advance('4d')
  const values = new Map<string, Set<number>>()
  for (const { body } of team.events.list('daily.data.glucose.created')) {
    for (const { timestamp, value } of Object(body['data']).data) {
      values.set(timestamp, (values.get(timestamp) ?? new Set()).add(value))
    }
  }
  // A provider may send an event twice.
  expect([...values.values()].every(({ size }) => size === 1)).toBe(true)
  const repeated = [...values.keys()].filter((time) => time.startsWith('2025-11-02T01'))
  expect(repeated).toHaveLength(12)
})

it('refuses an unknown user and an unknown resource, which would have no rows', () => {
  const team = createMock().team()
  const { user_id } = team.users.create()
  const other = team.users.create({ living: true, connections: ['withings'] })
  team.users.delete(other.user_id)
  expect(team.truth(other.user_id)).not.toEqual([])
  expect(team.truth(user_id.toUpperCase())).toEqual([])
  expect(team.truth(other.user_id.toUpperCase(), 'meal')).toEqual([])
  expect(() => team.truth('nobody')).toThrow(
    expect.objectContaining({
      code: 'unknown_record',
      message: 'No record in users has the key nobody. Use a key from list().',
    }),
  )
  expect(() => team.truth(user_id, 'workout')).toThrow(
    expect.objectContaining({
      code: 'invalid_option',
      message: 'Unknown resource "workout". Did you mean workouts?',
    }),
  )
  expect(() => team.truth(user_id, 'dreams')).toThrow(
    /^Unknown resource "dreams"\. Use one of profile, /,
  )
})

it('returns the rows of a resource that only a triggered event has', () => {
  const team = createMock().team()
  const { user_id } = team.users.create()
  const source = { provider: 'oura', type: 'ring' }
  const dream = { user_id, data: { source, data: [{ id: 'dream' }] } }
  team.trigger('daily.data.dreams.created', dream, { unknown: true })
  expect(team.truth(user_id, 'dreams')).toMatchObject([{ resource: 'dreams', id: 'dream' }])
})
