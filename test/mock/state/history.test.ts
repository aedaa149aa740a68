import { expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { History } from '../../../mock/snapshot/history.ts'
import { present } from '../../../src/shared/narrow.ts'
import { orderBody } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

it('shares booking keys and stored responses between points', async () => {
  const team = createMock().team()
  const [test] = team.catalogue.labTests.list()
  const order = (key: string) =>
    call(team, 'POST /v3/order', orderBody(present(test).id), { 'x-idempotency-key': key })
  team.bookings.key()
  await order('one')
  const history = new History(team.state)
  const addPoint = () => {
    history.addPoint({ kind: 'control', title: 'none' })
    return history.stateAt(history.count).snapshot
  }
  const first = addPoint()
  team.bookings.key()
  await order('two')
  const second = addPoint()
  expect(second.bookings.keys[0]).toBe(first.bookings.keys[0])
  expect(second.idempotency?.[0]).toBe(first.idempotency?.[0])
  expect([second.bookings.keys.length, second.idempotency?.length]).toEqual([2, 2])
  expect([first.bookings.keys.length, first.idempotency?.length]).toEqual([1, 1])
})

it('shares living users and connections between points', async () => {
  const team = createMock().team()
  const kept = team.users.create({ living: true })
  const removed = team.users.create({ living: true })
  const history = new History(team.state)
  const addPoint = () => {
    history.addPoint({ kind: 'control', title: 'none' })
    return present(history.stateAt(history.count).snapshot.living)
  }
  const first = addPoint()
  const before = structuredClone(first)
  const [connection] = team.connections.list({ user_id: kept.user_id })
  team.connections.delete(kept.user_id, present(connection).provider)
  team.users.delete(removed.user_id)
  const second = addPoint()
  expect(first).toEqual(before)
  expect(second.users[0]).toBe(first.users[0])
  expect(second.users[1]).toMatchObject({ isCurrent: false, isDeleted: true })
  const shared = second.connections.filter((connection) => first.connections.includes(connection))
  expect(shared.every(({ to }) => to === null)).toBe(true)
  expect(shared).toHaveLength(team.connections.list({ user_id: kept.user_id }).length)
})
