import { expect, it } from 'vitest'
import { createMock, explainDifference, type Team } from '../../../mock/index.ts'
import { RowStore } from '../../support/row-store.ts'

/** Returns a team with a living user whose data has arrived for a day. */
async function livingTeam() {
  const team = createMock({ seed: 1 }).team({ outboxLimit: 100_000 })
  const { user_id } = team.users.create({ living: true, connections: ['oura', 'garmin'] })
  await team.clock.advance('1d')
  return { team, user_id }
}

/** Returns what a consumer has stored that keeps the version with the later `updated_at`. */
function consume(team: Team) {
  const store = new RowStore()
  for (const { body } of team.events.list()) store.receive(body as never)
  return store.rows()
}

it.each([
  'daily.data.sleep.created',
  'daily.data.activity.updated',
  'daily.data.workouts.updated',
  'daily.data.heartrate.created',
  'historical.data.profile.created',
])('has the same rows as a consumer after %s was triggered', async (type) => {
  const { team, user_id } = await livingTeam()
  team.trigger(type, { user_id })
  await team.clock.advance('1d')
  expect(explainDifference(team, consume(team))).toBeUndefined()
})

it('does not replace a row with an older version that is triggered', async () => {
  const { team, user_id } = await livingTeam()
  const [row] = team.truth(user_id, 'activity').slice(-1)
  const data = { data: [{ ...row, updated_at: '2020-01-01T00:00:00+00:00', calories_total: 1 }] }
  team.trigger('daily.data.activity.updated', { user_id, data })
  expect(team.truth(user_id, 'activity')).toContainEqual(row)
  expect(explainDifference(team, consume(team))).toBeUndefined()
})

it('compares the versions of triggered rows as times, whatever their offset', async () => {
  const team = createMock().team()
  const { user_id } = team.users.create()
  for (const updated_at of ['2025-06-01T11:00:00+00:00', '2025-06-01T12:00:00+02:00']) {
    const data = { data: [{ id: 'night', user_id, updated_at }], source: { provider: 'oura' } }
    team.trigger('daily.data.sleep.updated', { user_id, data })
  }
  const [row] = team.truth(user_id, 'sleep')
  expect(row?.['updated_at']).toBe('2025-06-01T11:00:00+00:00')
})

it('sends a triggered update of a living user with the current time', async () => {
  const { team, user_id } = await livingTeam()
  const count = team.truth(user_id, 'activity').length
  team.trigger('daily.data.activity.updated', { user_id })
  const rows = team.truth(user_id, 'activity')
  expect(rows).toHaveLength(count)
  expect(rows.filter((row) => row['updated_at'] === '2025-06-02T09:00:00+00:00')).toHaveLength(1)
})

it('sends an update that is triggered when data arrives with a later time', () => {
  const team = createMock().team()
  const { user_id } = team.users.create({ living: true, connections: ['oura'] })
  const [item] = Object(team.trigger('daily.data.sleep.updated', { user_id }).body['data']).data
  expect(item.updated_at).toBe('2025-06-01T09:00:00.001+00:00')
  expect(team.truth(user_id, 'sleep')).toContainEqual(expect.objectContaining(item))
})
