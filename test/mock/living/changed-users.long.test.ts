import { expect, it } from 'vitest'
import { createMock, type Team, type User } from '../../../mock/index.ts'
import { ServiceClient } from '../../../src/index.ts'
import { present } from '../../../src/shared/narrow.ts'
import { recipe } from '../../support/bodies.ts'
import { RowStore, sortRows } from '../../support/row-store.ts'

const past = { type: 'relative', anchor: '2025-12-31', past: { unit: 'year' } } as const

async function countSamples(team: Team, userId: string, series: string): Promise<unknown> {
  const client = new ServiceClient(team.connection())
  const queries = [{ select: [{ arg: { [series]: 'value' }, func: 'count' }] }]
  const { results } = await client.aggregate.query(userId, { timeframe: past, queries } as never)
  return Object(results[0]).table.count[0]
}

function countEventSamples(team: Team, series: string): number {
  const times = team.events
    .list(`*.data.${series}.*`)
    .flatMap(({ body }) => Object(body['data']).data as { timestamp: string }[])
  return new Set(times.map(({ timestamp }) => timestamp)).size
}

it.each<[string, Partial<User>[]]>([
  ['another time zone', [{ time_zone: 'Asia/Kolkata' }]],
  [
    'another time zone, and the first one again',
    [{ time_zone: 'Asia/Kolkata' }, { time_zone: 'America/New_York' }],
  ],
  ['another persona', [{ persona: 'athlete' }]],
  ['another date of birth', [{ born: '1950-01-01' }]],
  ['a pause', [{ living: false }, { living: true }]],
])('aggregates the sent samples of a user with %s', async (_, changes) => {
  const team = createMock({ seed: 5 }).team({ outboxLimit: 100_000, timeZone: 'America/New_York' })
  // One provider sends the moments, and the other one only the local times.
  const providers = ['oura', 'freestyle_libre'] as const
  const { user_id } = team.users.create({ living: true, connections: [...providers] })
  await team.clock.advance('1d')
  for (const change of changes) {
    team.users.update(user_id, change)
    await team.clock.advance('1d')
  }
  for (const series of ['hrv', 'glucose']) {
    const count = await countSamples(team, user_id, series)
    expect(count).toBe(team.truth(user_id, series).length)
    expect(count).toBe(countEventSamples(team, series))
  }
})

it.each(['record', 'import'])(
  'sends only data that the API knows if a user who stopped living is connected by %s',
  async (by) => {
    const team = createMock().team({ outboxLimit: 100_000, importTimePerConnection: 0 })
    const client = new ServiceClient(team.connection())
    const { user_id } = team.users.create({ living: true, connections: ['oura'] })
    await team.clock.advance('1d')
    team.users.update(user_id, { living: false })
    const values = { source_provider: 'withings', calories: 500 }
    const { id } = team.data.create({ user_id, resource: 'meal', values })
    if (by === 'record') team.connections.create({ user_id, provider: 'withings' })
    else {
      const connections = [recipe(team.users.create().user_id), recipe(user_id)]
      await client.link.bulkImport({ provider: 'withings', connections, wait_for_completion: true })
    }
    expect(team.events.last('historical.data.body.created')).toMatchObject({
      user_id,
      body: { data: { data: [] } },
    })
    const withings = team.truth(user_id).filter(({ source }) => source.provider === 'withings')
    expect(withings).toMatchObject([{ resource: 'meal', id }])
    const span = { start_date: '2025-01-01', end_date: '2026-01-01' }
    expect(await client.summaries.list(user_id, 'body', span)).toEqual({ body: [] })
    expect(await client.summaries.list(user_id, 'meal', span)).toMatchObject({ meals: [{ id }] })
  },
)

/** Returns the time at which data of the first user of a new team arrives. */
async function arrivalTime(): Promise<Date> {
  const team = createMock().team()
  team.users.create({ living: true, connections: ['oura'] })
  await team.clock.advance('1d')
  return present(team.events.last('daily.data.*.updated')).at
}

const start = async () => new Date('2025-06-01T09:00:00Z')

it.each<[string, Partial<User>, () => Promise<Date>]>([
  ['persona changes when it connects', { persona: 'athlete' }, start],
  ['time zone changes when data arrives', { time_zone: 'Asia/Kathmandu' }, arrivalTime],
])('sends later versions of the records of a user whose %s', async (_, change, timeOf) => {
  const team = createMock().team({ outboxLimit: 100_000 })
  const { user_id } = team.users.create({ living: true, connections: ['oura'] })
  const at = await timeOf()
  await team.clock.advanceTo(at)
  team.users.update(user_id, change)
  team.users.update(user_id, { born: '1950-01-01' })
  const rows = team.truth(user_id).filter(({ updated_at }) => updated_at !== undefined)
  const times = rows.map(({ updated_at }) => Date.parse(String(updated_at)))
  expect(Math.max(...times)).toBe(at.getTime() + 2)
  const store = new RowStore()
  for (const { body } of team.events.list().toReversed()) store.receive(body as never)
  const stored = store.rows().filter(({ updated_at }) => updated_at !== undefined)
  expect(sortRows(stored)).toEqual(sortRows(rows))
  const span = { start_date: '2025-05-01', end_date: '2025-06-02' }
  const { sleep } = await new ServiceClient(team.connection()).summaries.list(
    user_id,
    'sleep',
    span,
  )
  const nights = rows.filter(({ resource }) => resource === 'sleep')
  const read = sleep.map((night) => ({ resource: 'sleep', ...night }))
  expect(sortRows(read)).toEqual(sortRows(nights))
  const copy = createMock().team()
  copy.restore(team.snapshot())
  expect(copy.truth(user_id)).toEqual(team.truth(user_id))
})
