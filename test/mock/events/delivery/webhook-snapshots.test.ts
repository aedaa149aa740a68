import { expect, it } from 'vitest'
import { createMock, type Snapshot } from '../../../../mock/index.ts'
import { careful, respond, scripted, secret, send, teamOf } from './webhook-team.ts'

it('continues the deliveries of a snapshot', async () => {
  const team = teamOf()
  const { requests, handler } = scripted(500, 500, 200)
  team.webhooks.add({ id: 'one', handler, secret, types: ['*'] })
  send(team, 2)
  await team.clock.advance('1s')
  const snapshot = JSON.parse(JSON.stringify(team.snapshot())) as Snapshot
  await team.clock.advance('1h')
  expect(requests).toHaveLength(4)
  team.restore(snapshot)
  await team.clock.advance('1h')
  expect(requests).toHaveLength(6)

  const other = createMock().team()
  other.restore(snapshot)
  await other.clock.advance('1h')
  const waiting = other.webhooks.get('one')
  expect(waiting).toMatchObject({ pending: 2, secret, types: ['*'] })
  const { handled, handler: late } = careful()
  other.webhooks.add({ id: 'one', handler: late })
  await other.webhooks.idle()
  expect(handled).toEqual([1, 2])
})

it('retries an attempt that was in progress at the time of the snapshot', async () => {
  const team = teamOf()
  const other = createMock().team({ clock: 'manual' })
  const { handled, handler } = careful()
  team.webhooks.add({
    id: 'one',
    secret,
    handler: () => {
      other.restore(team.snapshot())
      return respond(200)
    },
  })
  send(team, 1)
  await team.webhooks.idle()
  other.webhooks.add({ id: 'one', handler })
  await other.webhooks.idle()
  expect(handled).toEqual([1])
})

it('ignores the response to an attempt from before a restore', async () => {
  const team = teamOf()
  const [started, restored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let asked = 0
  team.webhooks.add({
    id: 'one',
    handler: async () => {
      asked += 1
      if (asked > 1) return respond(200)
      started.resolve()
      await restored.promise
      return respond(500)
    },
  })
  send(team, 1)
  await started.promise
  team.restore(team.snapshot())
  restored.resolve()
  await team.clock.advance('1h')
  expect(asked).toBe(2)
  expect(team.webhooks.get('one')?.deliveries()).toMatchObject([{ attempt: 1, status: 200 }])
})

it('removes webhooks and events when a team is reset', async () => {
  const team = teamOf()
  const { requests, handler } = scripted(500)
  team.webhooks.add({ handler })
  send(team, 1)
  await team.clock.advance('1s')
  team.reset()
  await team.clock.advance('1h')
  expect(requests).toHaveLength(1)
  expect(team.webhooks.list()).toEqual([])
  expect(team.events.count).toBe(0)
})
