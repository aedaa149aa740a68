import { expect, it } from 'vitest'
import { createMock, type Team } from '../../../mock/index.ts'
import { ServiceClient } from '../../../src/index.ts'
import { recipe } from '../../support/bodies.ts'

const minute = 60_000

/** Returns a team with three imports of a minute each, in manual time. */
async function teamWithImports() {
  const options = { clock: 'manual', importTimePerConnection: minute } as const
  const team = createMock().team(options)
  const client = new ServiceClient(team.connection())
  const { user_id } = team.users.create()
  for (const provider of ['oura', 'fitbit', 'garmin']) {
    await client.link.bulkImport({
      provider,
      connections: [recipe(user_id)],
      wait_for_completion: false,
    })
  }
  return { team, ids: team.bulkOps.list().map(({ id }) => id), start: team.clock.now().getTime() }
}

/** Returns the minutes until each due event. */
function minutesUntilDue(team: Team, start: number): number[] {
  return team.clock.pending().map(({ at }) => (at.getTime() - start) / minute)
}

it('lists the ends of queued imports, and moves them when an import before them is aborted', async () => {
  const { team, ids, start } = await teamWithImports()
  expect(minutesUntilDue(team, start)).toEqual([1, 2, 3])
  expect(team.clock.pending().map(({ subject }) => subject)).toEqual(ids)
  team.bulkOps.abort(ids[1] ?? '')
  expect(minutesUntilDue(team, start)).toEqual([1, 2])
  await team.clock.advance(minute / 2)
  team.bulkOps.abort(ids[0] ?? '')
  expect(minutesUntilDue(team, start)).toEqual([1.5])
  await team.clock.advance('1h')
  expect(team.bulkOps.list().map(({ status }) => status)).toEqual(['aborted', 'aborted', 'success'])
})

it('continues queued imports after a restore, as without it', async () => {
  const { team, start } = await teamWithImports()
  const snapshot = team.snapshot()
  const copy = createMock().team({ importTimePerConnection: minute })
  copy.restore(snapshot)
  expect(copy.snapshot()).toEqual(snapshot)
  expect(minutesUntilDue(copy, start)).toEqual([1, 2, 3])
  for (const one of [team, copy]) await one.clock.advance('2m')
  expect(copy.snapshot()).toEqual(team.snapshot())
  expect(minutesUntilDue(copy, start)).toEqual([3])
})

it('generates the same person whenever it is read', () => {
  const create = () =>
    createMock()
      .team()
      .users.create({ info: { gender: 'other' } })
  const [read, unread] = [create(), create()]
  const { info } = read
  expect(read.info).toBe(info)
  expect(Object.keys(unread)).toEqual(['user_id', 'info', 'created_at'])
  expect(structuredClone(unread)).toEqual(read)
  expect(unread.info?.gender).toBe('other')
  expect(() => Object.assign(unread, { info: null })).toThrow(TypeError)
  expect(() => Object.assign(create(), { info: null })).toThrow(TypeError)
  expect(() => Object.assign(create(), { created_at: '' })).toThrow(TypeError)
})

it('lists changed records on the next page', async () => {
  const team = createMock().team()
  const client = new ServiceClient(team.connection())
  const created = ['a', 'b', 'c', 'd'].map((name) =>
    team.catalogue.labTests.create({ name: `walk ${name}` }),
  )
  const query = { name: 'walk', lab_test_limit: 2 }
  const first = await client.labTests.list(query)
  team.catalogue.labTests.delete(created[2]?.id ?? '')
  team.catalogue.labTests.create({ name: 'walk e' })
  const second = await client.labTests.list({ ...query, next_cursor: first.next_cursor })
  expect(second.data.map(({ name }) => name)).toEqual(['walk d', 'walk e'])
})

it('counts the undelivered events of a webhook by type while they are delivered and emitted', async () => {
  const team = createMock().team()
  const webhook = team.webhooks.add({
    handler: () => new Response(),
    delay: '1m',
    types: ['daily.*'],
  })
  const daily = 'daily.data.steps.created'
  const other = 'historical.data.steps.created'
  const trigger = (...types: string[]) => types.map((type) => team.trigger(type))
  trigger(daily, other, daily)
  expect(webhook.pending).toBe(2)
  await team.clock.advance('30s')
  trigger(daily, other)
  expect(webhook.pending).toBe(3)
  await team.clock.advance('30s')
  expect(webhook.pending).toBe(1)
  expect(webhook.deliveries()).toHaveLength(2)
})

it('redelivers an event by its id as long as it is listed', async () => {
  const team = createMock({ outboxLimit: 2 }).team()
  const webhook = team.webhooks.add({ handler: () => new Response() })
  const [dropped, ...listed] = ['a', 'b', 'c'].map(
    (type) => team.trigger(type, {}, { unknown: true }).id,
  )
  await team.webhooks.idle()
  for (const id of listed) webhook.redeliver(id)
  await team.webhooks.idle()
  expect(webhook.deliveries().map(({ id }) => id)).toEqual(listed)
  expect(() => webhook.redeliver(dropped)).toThrow('No message has the id')
})

it('returns the latest event of a type without making the others', () => {
  const team = createMock().team()
  for (const type of ['a.one', 'b.one', 'a.two', 'b.two']) team.trigger(type, {}, { unknown: true })
  expect([team.events.last()?.event_type, team.events.last('a.*')?.number]).toEqual(['b.two', 3])
  expect(team.events.last('c')).toBeUndefined()
  team.events.clear()
  expect(team.events.last()).toBeUndefined()
})
