import { expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { History } from '../../../mock/snapshot/history.ts'

it('keeps no more batches with added data than the team', () => {
  const team = createMock().team()
  const { user_id } = team.users.create()
  const history = new History(team.state)
  const addPoint = () => history.addPoint({ kind: 'control', title: 'trigger' })
  const trigger = (count: number) => {
    for (let at = 0; at < count; at += 1) {
      team.trigger('daily.data.activity.created', { user_id })
    }
    addPoint()
  }
  trigger(100_000)
  trigger(30_000)
  // The oldest points are dropped.
  for (let at = 0; at < 1000; at += 1) addPoint()
  const [first] = history.points()
  const { outbox } = history.stateAt(Number(first?.number)).snapshot
  expect(outbox.added?.length).toBe(team.snapshot().outbox.added?.length)
})
