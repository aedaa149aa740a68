import { expect, it } from 'vitest'
import { createMock, type Team } from '../../../mock/index.ts'

const userId = '00000000-0000-4000-8000-000000000001'

/** What a test does between the first delivery of a message and its retry. */
const changes: [string, (team: Team) => unknown][] = [
  [
    'changing the user',
    (team) => team.users.update(userId, { persona: 'athlete', time_zone: 'Asia/Tokyo' }),
  ],
  ['deleting the user', (team) => team.users.delete(userId)],
  [
    'changing the user twice',
    (team) => {
      team.users.update(userId, { persona: 'older_adult' })
      team.trigger('test.event', {}, { unknown: true })
      team.users.update(userId, { persona: 'athlete' })
    },
  ],
  ['deleting the connection', (team) => team.connections.delete(userId, 'oura')],
  [
    'changing the provider',
    (team) => team.providers.update('oura', { name: 'Ring', supported_resources: [] }),
  ],
  ['deleting the provider', (team) => team.providers.delete('oura')],
  [
    'adding data',
    (team) => team.data.create({ user_id: userId, resource: 'sleep', values: { score: 1 } }),
  ],
  [
    'changing data',
    (team) => {
      for (const { id } of team.data.list()) team.data.update(id, { values: { score: 2 } })
    },
  ],
]

/** A team whose webhook responds with 500, and the bodies that it gets by message. */
function failingTeam(living: boolean) {
  const team = createMock({ seed: 3 }).team({ clock: 'manual', deprecatedFields: 'always' })
  const bodies = new Map<string, Set<string>>()
  const handler = async (request: Request) => {
    const id = request.headers.get('webhook-id') ?? ''
    bodies.set(id, (bodies.get(id) ?? new Set()).add(await request.text()))
    return new Response(null, { status: 500 })
  }
  team.webhooks.add({ id: 'one', handler })
  team.users.create({ user_id: userId, living, persona: 'typical', connections: [] })
  team.data.create({ user_id: userId, resource: 'sleep', values: { score: 81 } })
  team.connections.create({ user_id: userId, provider: 'oura' })
  return { team, bodies }
}

it.each(
  changes.flatMap(([name, change]) => [true, false].map((living) => ({ name, change, living }))),
)('sends the same data in a retry after $name (living: $living)', async ({ change, living }) => {
  const { team, bodies } = failingTeam(living)
  await team.webhooks.idle()
  const messages = bodies.size
  change(team)
  team.restore(team.snapshot())
  await team.clock.advance('6m')
  expect(messages).toBeGreaterThan(20)
  expect([...bodies.values()].filter(({ size }) => size > 1)).toEqual([])
})

it.each(changes)('keeps the bodies of events after %s', async (_, change) => {
  const { team } = failingTeam(false)
  const bodies = () => team.events.list().map(({ body }) => body)
  const before = bodies()
  change(team)
  expect(bodies().slice(0, before.length)).toEqual(before)
})

it('keeps the body of an event about a user who is created again', async () => {
  const team = createMock({ seed: 3 }).team()
  team.users.create({ user_id: userId })
  team.connections.create({ user_id: userId, provider: 'oura' })
  const bodies = () => team.events.list().map(({ body }) => body)
  const before = bodies()
  team.users.delete(userId)
  team.users.create({ user_id: userId, time_zone: 'Asia/Tokyo', persona: 'athlete' })
  expect(bodies()).toEqual(before)
})

it('redelivers a message with the data of its first delivery', async () => {
  const { team, bodies } = failingTeam(false)
  await team.webhooks.idle()
  team.users.delete(userId)
  for (const { id } of team.events.list()) team.webhooks.get('one')?.redeliver(id)
  await team.webhooks.idle()
  expect([...bodies.values()].filter(({ size }) => size > 1)).toEqual([])
})

it('keeps the body of an event about a provider whose record was invalid', () => {
  const team = createMock({ seed: 3 }).team({ strictResponses: false })
  team.users.create({ user_id: userId })
  team.providers.update('oura', { auth_type: 7 as unknown as string })
  team.connections.create({ user_id: userId, provider: 'oura' })
  team.providers.update('oura', { auth_type: 'oauth', name: 'Ring' })
  const before = team.events.list().map(({ body }) => body)
  team.restore(team.snapshot())
  expect(team.events.list().map(({ body }) => body)).toEqual(before)
})

const ends: typeof changes = [
  [
    'clearing the events and changing the user',
    (team) => {
      team.events.clear()
      team.users.update(userId, { persona: 'athlete' })
      team.providers.update('oura', { name: 'Ring' })
    },
  ],
  ['a reset', (team) => team.reset()],
  ['restoring another state', (team) => team.restore(createMock().team().snapshot())],
]

it.each(ends.flatMap(([name, end]) => [true, false].map((living) => ({ name, end, living }))))(
  'keeps the bodies of events that a test holds after $name (living: $living)',
  ({ end, living }) => {
    const { team } = failingTeam(living)
    const events = team.events.list()
    const before = events.map(({ body }) => body)
    expect(before.length).toBeGreaterThan(20)
    end(team)
    expect(events.map(({ body }) => body)).toEqual(before)
  },
)
