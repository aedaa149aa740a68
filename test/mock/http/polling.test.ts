import { expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { ServiceClient } from '../../../src/index.ts'

it('responds with the present record however often it was read before', async () => {
  const team = createMock().team()
  const client = new ServiceClient(team.connection())
  const { id, order_id } = team.appointments.create()
  const found = []
  for (const status of ['pending', 'confirmed', 'confirmed', 'completed'] as const) {
    team.appointments.update(id, { status })
    for (let read = 0; read < 2; read += 1) {
      found.push((await client.orders.getPhlebotomyAppointment(order_id)).status)
    }
  }
  expect(found.join(' ')).toBe(
    'pending pending confirmed confirmed confirmed confirmed completed completed',
  )
})

it('responds to reads of more records than it keeps serialized', async () => {
  const team = createMock().team()
  const client = new ServiceClient(team.connection())
  const created = Array.from({ length: 1100 }, () => team.appointments.create())
  for (const { id, order_id } of [...created, ...created.slice(0, 3)]) {
    expect((await client.orders.getPhlebotomyAppointment(order_id)).id).toBe(id)
  }
})
