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
