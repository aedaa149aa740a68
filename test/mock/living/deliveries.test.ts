import { expect, it } from 'vitest'
import { createMock, type Delivery, type Team, type Webhook } from '../../../mock/index.ts'

const ok = () => new Response(null, { status: 200 })

function teamOf(): Team {
  return createMock({ seed: 3 }).team({ clock: 'manual' })
}

/** Returns the deliveries of a user's daily data to a webhook. */
function dataOf(team: Team, webhook: Webhook, userId: string): Delivery[] {
  const numbers = team.events
    .list('daily.*')
    .filter(({ user_id }) => user_id === userId)
    .map(({ number }) => number)
  return webhook.deliveries().filter(({ number }) => numbers.includes(number))
}

it('delivers the data of a user who begins to live at the moment at which a webhook is removed', async () => {
  const team = teamOf()
  team.users.create({ living: true, connections: ['oura'] })
  const { user_id } = team.users.create({ connections: ['fitbit'] })
  team.webhooks.add({ id: 'one', handler: ok })
  const webhook = team.webhooks.add({ id: 'two', handler: ok })
  await team.clock.advance('1d')
  expect(team.events.count).toBeGreaterThan(0)
  team.users.update(user_id, { living: true })
  team.webhooks.remove('one')
  await team.clock.advance('3d')
  expect(dataOf(team, webhook, user_id)).not.toEqual([])
})

it('delivers the data of a user who is seeded at a moment until which everything arrived', async () => {
  const team = teamOf()
  team.users.create({ living: true, connections: ['oura'] })
  const webhook = team.webhooks.add({ handler: ok })
  await team.clock.advance('1d')
  expect(team.events.count).toBeGreaterThan(0)
  const { users } = await team.seed({ users: [{ living: true, connections: ['fitbit'] }] })
  await team.clock.advance('3d')
  expect(dataOf(team, webhook, users[0]?.user_id ?? '')).not.toEqual([])
})

it('delivers at once the historical pulls of a user who is changed', async () => {
  const team = teamOf()
  const { user_id } = team.users.create({ living: true, connections: ['oura'] })
  const webhook = team.webhooks.add({ handler: ok })
  await team.clock.advance('1d')
  const before = webhook.deliveries().length
  team.users.update(user_id, { persona: 'athlete' })
  await team.webhooks.idle()
  const types = webhook
    .deliveries()
    .slice(before)
    .map(({ event_type }) => event_type)
  expect(types[0]).toBe('provider.connection.created')
  expect(types).toContain('historical.data.sleep.created')
})

it('schedules the next arrival after a user is deleted', async () => {
  const team = teamOf()
  const { user_id } = team.users.create({ living: true, connections: ['oura'] })
  team.webhooks.add({ handler: ok })
  await team.clock.advance('1d')
  team.users.delete(user_id)
  expect(team.clock.pending()).toEqual([])
})

it.each(['snapshot', 'reproduction'])(
  'keeps a living user without a connection in a %s',
  async (form) => {
    const mock = createMock({ seed: 3 })
    const team = mock.team({ clock: 'manual' })
    const { user_id } = team.users.create({ living: true, connections: [] })
    let other = mock.team({ clock: 'manual' })
    if (form === 'snapshot') other.restore(team.snapshot())
    else {
      const [, json = ''] = /reproduce\((.*)\)$/s.exec(team.reproduction()) ?? []
      other = createMock({ seed: 3 }).reproduce(JSON.parse(json))
    }
    const connect = async (one: Team) => {
      const webhook = one.webhooks.add({ handler: ok })
      one.connections.create({ user_id, provider: 'oura' })
      await one.clock.advance('2d')
      return webhook.deliveries().map(({ event_type, at }) => ({ event_type, at }))
    }
    const expected = await connect(team)
    expect(expected.map(({ event_type }) => event_type)).toContain('daily.data.sleep.created')
    expect(await connect(other)).toEqual(expected)
  },
)
