import { expect, it } from 'vitest'
import { createMock, type Team } from '../../../../mock/index.ts'
import { call } from '../../../support/call.ts'

const ok = () => new Response(null, { status: 200 })

function types(team: Team): string[] {
  return team.clock.pending().map(({ type }) => type)
}

it('removes no arrivals of health data with a webhook of the id data', async () => {
  const team = createMock({ seed: 3 }).team({ clock: 'manual' })
  const webhook = team.webhooks.add({ id: 'other', handler: ok })
  team.webhooks.add({ id: 'data', handler: () => new Response(null, { status: 500 }) })
  team.users.create({ living: true, connections: ['oura'] })
  await team.webhooks.idle()
  const before = webhook.deliveries().length
  team.webhooks.remove('data')
  expect(types(team)).toEqual(['data.arrival'])
  await team.clock.advance('2d')
  expect(webhook.deliveries().length).toBeGreaterThan(before)
})

it('delivers a retry of a webhook with the id data even if health data arrivals are rescheduled', async () => {
  const team = createMock({ seed: 3 }).team({ clock: 'manual' })
  const webhook = team.webhooks.add({
    id: 'data',
    types: ['labtest.*'],
    handler: () => new Response(null, { status: 500 }),
  })
  team.users.create({ living: true, connections: ['oura'] })
  team.trigger('labtest.order.created')
  await team.webhooks.idle()
  team.users.create({ living: true, connections: ['fitbit'] })
  await team.clock.advance('5s')
  expect(webhook.deliveries()).toHaveLength(2)
})

it('confirms a booking even if a webhook with its id is removed', async () => {
  const team = createMock({ seed: 3 }).team({ clock: 'manual' })
  const { id } = team.orders.create()
  const response = call(team, `POST /v3/order/${id}/phlebotomy/appointment/book`, {
    booking_key: 'bk_confirm_after_5m',
    async_confirmation: true,
    sync_confirmation_timeout_millisecond: 1000,
  })
  await team.clock.whenWaiting()
  await team.clock.advance('1s')
  await response
  const [visit] = team.appointments.list()
  team.webhooks.add({ id: visit?.id ?? '', handler: ok })
  team.webhooks.remove(visit?.id ?? '')
  await team.clock.advance('5m')
  expect(team.appointments.list()).toMatchObject([{ status: 'confirmed' }])
})
