import { expect, it } from 'vitest'
import { createMock } from '../../../../mock/index.ts'
import { verifyEvent } from '../../../../src/events/index.ts'
import { scripted, secret, send, teamOf } from './webhook-team.ts'

it('retries failed deliveries by the schedule in virtual time, then stops', async () => {
  const team = teamOf()
  const start = team.clock.now().getTime()
  const hook = team.webhooks.add({ handler: scripted(500, 404, 302).handler, id: 'broken' })
  send(team, 1)
  await team.clock.advance('100h')
  const seconds = hook.deliveries().map(({ at }) => (at.getTime() - start) / 1000)
  const waits = seconds.map((at, nth) => at - (seconds[nth - 1] ?? 0))
  expect(waits).toEqual([0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000])
  expect(hook.deliveries().map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(hook.deliveries().map(({ status }) => status)).toEqual([500, 404, ...Array(6).fill(302)])
  expect(hook.deadLetters()).toMatchObject([{ number: 1, body: { nth: 1 } }])
  expect(hook.pending).toBe(0)
})

it('retries an event that the outbox no longer lists', async () => {
  const team = createMock().team({ clock: 'manual', outboxLimit: 1 })
  const { requests, handler } = scripted(500, 200)
  team.webhooks.add({ handler })
  send(team, 1)
  await team.webhooks.idle()
  send(team, 3)
  await team.clock.advance('5s')
  const bodies = await Promise.all(requests.map((request) => request.json()))
  expect(bodies.map(({ nth }) => nth)).toEqual([1, 1, 2, 3, 1])
})

it('keeps the id of a message in all attempts, and signs each attempt', async () => {
  const team = teamOf()
  const { requests, handler } = scripted(500, 500, 200)
  team.webhooks.add({ handler, secret })
  send(team, 1)
  await team.clock.advance('1h')
  expect(new Set(requests.map(({ headers }) => headers.get('webhook-id'))).size).toBe(1)
  expect(requests).toHaveLength(3)
  for (const request of requests) await verifyEvent(await request.text(), request.headers, secret)
})

it('delivers a dead letter again, though its event is no longer kept', async () => {
  const team = createMock().team({ clock: 'manual', outboxLimit: 1 })
  const statuses = [...Array(8).fill(500), 200]
  const { requests, handler } = scripted(...statuses)
  const hook = team.webhooks.add({ handler })
  send(team, 1)
  await team.clock.advance('100h')
  const [letter] = hook.deadLetters()
  send(team, 2)
  await team.webhooks.idle()
  hook.redeliver()
  await team.webhooks.idle()
  expect(hook.deadLetters()).toEqual([])
  const last = requests.at(-1)
  expect(last?.headers.get('webhook-id')).toBe(letter?.id)
  expect(await last?.json()).toEqual({ event_type: 'test.event', nth: 1 })
})

it('delivers any message again by its id', async () => {
  const team = teamOf()
  const { requests, handler } = scripted(200)
  const hook = team.webhooks.add({ handler })
  send(team, 2)
  await team.webhooks.idle()
  hook.redeliver(team.events.list()[0]?.id)
  await team.webhooks.idle()
  const bodies = await Promise.all(requests.map((request) => request.json()))
  expect(bodies.map(({ nth }) => nth)).toEqual([1, 2, 1])
  expect(() => hook.redeliver('msg_0')).toThrow(expect.objectContaining({ code: 'unknown_record' }))
})
