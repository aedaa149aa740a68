import { expect, it } from 'vitest'
import { createMock, type WebhookInput } from '../../../mock/index.ts'

/** A team with a receiver whose status the test can change. */
function start(input: Partial<WebhookInput> = {}) {
  const team = createMock({ seed: 9 }).team({ clock: 'manual' })
  const status = { current: 500 }
  const received: unknown[] = []
  const handler = async (request: Request) => {
    if (status.current === 200) received.push((await request.json()).nth)
    return new Response(null, { status: status.current })
  }
  const hook = team.webhooks.add({ handler, ...input })
  const send = (nth: number) => team.trigger('test.event', { nth }, { unknown: true })
  return { team, status, received, hook, send }
}

it('keeps the dead letters of a disabled webhook until it is enabled', async () => {
  const { team, status, received, hook, send } = start()
  send(1)
  await team.clock.advance('7d')
  expect(hook.isDisabled).toBe(true)
  const letters = hook.deadLetters()
  expect(letters).toHaveLength(1)
  for (const id of [undefined, letters[0]?.id]) {
    expect(() => hook.redeliver(id)).toThrow(
      expect.objectContaining({
        code: 'invalid_state',
        message: "Cannot redeliver: the webhook 'webhook_1' is disabled. Enable it first.",
      }),
    )
  }
  expect(hook.deadLetters()).toEqual(letters)
  status.current = 200
  hook.enable()
  hook.redeliver()
  await team.webhooks.idle()
  expect([received, hook.deadLetters()]).toEqual([[1], []])
})

it('keeps the messages whose redelivery fails when the webhook is disabled', async () => {
  const { team, status, received, hook, send } = start()
  send(1)
  await team.clock.advance('5d')
  hook.redeliver()
  await team.clock.advance('1h')
  expect([hook.isDisabled, hook.deadLetters()]).toEqual([false, []])
  await team.clock.advance('2d')
  expect([hook.isDisabled, hook.pending]).toEqual([true, 0])
  expect(hook.deadLetters()).toMatchObject([{ number: 1 }])
  status.current = 200
  hook.enable()
  hook.redeliver()
  await team.webhooks.idle()
  expect(received).toEqual([1])
})

it('can deliver a dead letter although the responses to its first attempts were lost', async () => {
  const { team, status, hook, send } = start({ lostResponses: 0.8 })
  status.current = 200
  for (let nth = 1; nth <= 20; nth += 1) send(nth)
  await team.clock.advance('2d')
  const dead = hook.deadLetters().length
  expect(dead).toBeGreaterThan(0)
  hook.redeliver()
  await team.clock.advance('2d')
  expect(hook.deadLetters().length).toBeLessThan(dead)
})

it('chooses flaws for each redelivery, also after a restore', async () => {
  const { team, hook, send } = start({ wrongSignatures: 0.5 })
  const { id } = send(1)
  const redeliver = (to: typeof team) => to.webhooks.get(hook.id)?.redeliver(id)
  await team.webhooks.idle()
  expect(team.snapshot().webhooks[0]).not.toHaveProperty('redeliveries')
  for (let count = 0; count < 5; count += 1) redeliver(team)
  const other = createMock().team({ clock: 'manual' })
  other.restore(JSON.parse(JSON.stringify(team.snapshot())))
  other.webhooks.add({ id: hook.id, handler: () => new Response() })
  for (const each of [team, other]) {
    for (let count = 0; count < 5; count += 1) redeliver(each)
    await each.webhooks.idle()
  }
  const flawsOf = (of: typeof team) =>
    of.webhooks
      .get(hook.id)
      ?.deliveries()
      .slice(-10)
      .map(({ hasInvalidSignature }) => hasInvalidSignature)
  expect(new Set(flawsOf(team)).size).toBe(2)
  expect(flawsOf(other)).toEqual(flawsOf(team))
  expect(Object.keys(hook.deliveries().at(-1) ?? {})).not.toContain('redelivery')
})

it('redelivers nothing to a removed webhook', async () => {
  const { team, status, received, hook, send } = start()
  const { id } = send(1)
  await team.clock.advance('7d')
  team.webhooks.remove(hook.id)
  status.current = 200
  hook.enable()
  send(2)
  hook.enable()
  for (const message of [undefined, id]) {
    expect(() => hook.redeliver(message)).toThrow(
      expect.objectContaining({ code: 'invalid_state', message: expect.stringMatching(/removed/) }),
    )
  }
  await team.webhooks.idle()
  expect([received, team.clock.pending()]).toEqual([[], []])
})
