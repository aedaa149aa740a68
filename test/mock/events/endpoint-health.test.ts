import { expect, it } from 'vitest'
import { createMock, type Team } from '../../../mock/index.ts'

const hour = 3_600_000

/** A team with a receiver that responds with a status. */
function start(status: { current: number }) {
  const team = createMock().team({ clock: 'manual' })
  const hook = team.webhooks.add({ handler: () => new Response(null, { status: status.current }) })
  return { team, hook }
}

/** Sends an event and waits for its first attempt. */
async function send(team: Team): Promise<void> {
  team.trigger('daily.mood.created', { mood: 'fair' }, { unknown: true })
  await team.webhooks.idle()
}

it('disables a receiver that fails for five days, on the clock of the team', async () => {
  const { team, hook } = start({ current: 500 })
  await send(team)
  // The sixth attempt fails after 7 h 35 min, the seventh after 17 h 35 min: then the five days begin.
  await team.clock.advance('18h')
  expect(hook.deliveries()).toHaveLength(7)
  await team.clock.advanceTo(Date.parse('2025-06-01T09:00:00Z') + 5 * 24 * hour + 17 * hour)
  expect(hook.isDisabled).toBe(false)
  await team.clock.advance('1h')
  expect(hook.isDisabled).toBe(true)
  const before = hook.deliveries().length
  await send(team)
  await team.clock.advance('2d')
  expect(hook.deliveries()).toHaveLength(before)
  expect(hook.pending).toBe(0)
})

it('delivers the events after it is enabled', async () => {
  const status = { current: 500 }
  const { team, hook } = start(status)
  await send(team)
  await team.clock.advance('7d')
  await send(team)
  status.current = 200
  const before = hook.deliveries().length
  hook.enable()
  await send(team)
  expect(hook.isDisabled).toBe(false)
  expect(hook.deliveries().slice(before)).toMatchObject([{ outcome: 'delivered' }])
})

it('counts again after a success', async () => {
  const status = { current: 500 }
  const { team, hook } = start(status)
  await send(team)
  await team.clock.advance('2d')
  status.current = 200
  await send(team)
  status.current = 500
  await send(team)
  await team.clock.advance('4d')
  expect(hook.isDisabled).toBe(false)
})

it('does not count failures that last less than 12 hours', async () => {
  const { team, hook } = start({ current: 500 })
  await send(team)
  await team.clock.advance('11h')
  const snapshot = team.snapshot()
  expect(snapshot.webhooks[0]?.health?.failingSince).toBeNull()
  expect(hook.isDisabled).toBe(false)
})

it('keeps a disabled receiver disabled in a snapshot', async () => {
  const { team } = start({ current: 500 })
  await send(team)
  await team.clock.advance('7d')
  const other = createMock({ seed: 2 }).team()
  other.restore(JSON.parse(JSON.stringify(team.snapshot())))
  expect(other.webhooks.list().map(({ isDisabled }) => isDisabled)).toEqual([true])
})

it('reports a message that used up its attempts to the other receivers, once', async () => {
  const { team, hook } = start({ current: 500 })
  const received: string[] = []
  team.webhooks.add({
    types: ['daily.*', 'message.attempt.exhausted'],
    handler: async (request) => {
      received.push((await request.json()).event_type)
      return new Response()
    },
  })
  await send(team)
  await team.clock.advance('3d')
  const [event] = team.events.list('message.attempt.exhausted')
  expect(event?.body).toMatchObject({
    data: {
      webhook_id: hook.id,
      message_id: hook.deadLetters()[0]?.id,
      event_type: 'daily.mood.created',
      attempts: 8,
    },
  })
  expect(received).toEqual(['daily.mood.created', 'message.attempt.exhausted'])
  expect(hook.deadLetters()).toHaveLength(1)
})
