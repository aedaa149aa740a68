import { expect, it } from 'vitest'
import { createMock, explainDifference, type Team } from '../../../mock/index.ts'
import { History } from '../../../mock/snapshot/history.ts'
import { ServiceClient } from '../../../src/index.ts'
import { recipe } from '../../support/bodies.ts'
import { RowStore } from '../../support/row-store.ts'

/** Returns a team that stores few events, and a consumer that receives them. */
function smallTeam() {
  const team = createMock().team({ outboxLimit: 3 })
  const store = new RowStore()
  team.webhooks.add({ handler: store.handler })
  return { team, store }
}

function addNights(team: Team, userId: string, count: number): void {
  for (let score = 1; score <= count; score += 1) {
    team.data.create({ user_id: userId, resource: 'sleep', values: { score } })
  }
}

function scoresOf(team: Team, userId: string): unknown[] {
  return team.truth(userId, 'sleep').map((row) => row['score'])
}

it('keeps the truth about added and triggered data after their events are dropped', async () => {
  const { team, store } = smallTeam()
  const { user_id } = team.users.create()
  addNights(team, user_id, 5)
  team.trigger('daily.data.workouts.created', { user_id })
  addNights(team, team.users.create().user_id, 5)
  await team.webhooks.idle()
  expect(scoresOf(team, user_id)).toEqual([1, 2, 3, 4, 5])
  expect(team.truth(user_id, 'workouts')).toHaveLength(1)
  expect(explainDifference(team, store.rows())).toBeUndefined()
  const [, ...others] = store.rows()
  const difference = explainDifference(team, others)
  expect(difference).toMatchObject({ kind: 'lost', resource: 'sleep', event: undefined })
})

it('keeps the truth about connections and imports after their events are dropped', async () => {
  const { team, store } = smallTeam()
  const client = new ServiceClient(team.connection())
  const users = Array.from({ length: 3 }, () => team.users.create().user_id)
  const connections = users.map((userId) => recipe(userId))
  await client.link.bulkImport({ provider: 'oura', connections, wait_for_completion: true })
  await team.clock.advance('1h')
  team.users.create({ connections: ['withings'] })
  addNights(team, team.users.create().user_id, 5)
  await team.webhooks.idle()
  expect(team.truth(users[1] ?? '', 'sleep').length).toBeGreaterThan(5)
  expect(explainDifference(team, store.rows())).toBeUndefined()
})

it('keeps the content that dropped events had before users and providers changed', async () => {
  const team = createMock().team({ outboxLimit: 3, deprecatedFields: 'always' })
  const { user_id } = team.users.create({ connections: ['oura'], persona: 'athlete' })
  const truth = team.truth(user_id)
  team.users.update(user_id, { persona: 'new_parent' })
  team.providers.update('oura', { name: 'Other' })
  addNights(team, team.users.create().user_id, 5)
  expect(team.truth(user_id)).toEqual(truth)
})

it('keeps the truth when the events are cleared', () => {
  const { team } = smallTeam()
  const { user_id } = team.users.create()
  addNights(team, user_id, 2)
  team.events.clear()
  expect(scoresOf(team, user_id)).toEqual([1, 2])
  expect(team.events.list()).toEqual([])
})

/** Returns a team without webhooks that stores few events, and a user with five nights. */
function teamWithNights(mock = createMock({ outboxLimit: 3 })) {
  const team = mock.team()
  const { user_id } = team.users.create()
  addNights(team, user_id, 5)
  return { team, user_id }
}

it('keeps the truth in a snapshot, but not after a reset', () => {
  const { team, user_id } = teamWithNights()
  const snapshot = team.snapshot()
  const copy = createMock().team({ outboxLimit: 3 })
  copy.restore(snapshot)
  expect(copy.snapshot()).toEqual(snapshot)
  addNights(copy, user_id, 4)
  expect(scoresOf(copy, user_id)).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4])
  copy.reset()
  expect(() => copy.truth(user_id)).toThrow('No record in users')
})

it('keeps the truth in the points of a history', () => {
  const mock = createMock({ outboxLimit: 3 })
  const { team, user_id } = teamWithNights(mock)
  const history = new History(team.state)
  for (let point = 0; point < 1001; point += 1) {
    if (point < 4) team.data.create({ user_id, resource: 'sleep', values: { score: 10 + point } })
    history.addPoint({ kind: 'control', title: 'data.create' })
  }
  const [first] = history.points()
  const copy = mock.reproduce({ apiKey: 'copy', ...history.stateAt(Number(first?.number) + 1) })
  expect(scoresOf(copy, user_id)).toEqual([1, 2, 3, 4, 5, 10, 11, 12])
})

it.each([
  ['the events overlap', { first: 1 }],
  ['an event comes later', { first: 99 }],
])('refuses a snapshot in which %s', (_, change) => {
  const { team } = teamWithNights()
  const { outbox, ...rest } = team.snapshot()
  const added = outbox.added?.map((batch, at) => (at === 1 ? { ...batch, ...change } : batch))
  const broken = { ...rest, outbox: { ...outbox, added } }
  expect(() => team.restore(broken as never)).toThrow('Its events are inconsistent.')
})

it('knows a deleted user for whom it sent data', () => {
  const team = createMock().team()
  const { user_id } = team.users.create()
  addNights(team, user_id, 1)
  team.users.delete(user_id)
  expect(scoresOf(team, user_id)).toEqual([1])
  expect(team.truth(user_id, 'workouts')).toEqual([])
})
