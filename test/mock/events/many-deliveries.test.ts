import { expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { eventHandler, memoryStore } from '../../../src/events/index.ts'
import { runsOf } from '../../support/long-tests.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

const events = runsOf(10_000)

it('applies every effect of many events exactly once despite every delivery problem', async () => {
  const team = createMock({ seed: 9 }).team({ clock: 'manual' })
  const effects = new Map<unknown, number>()
  let runs = 0
  const handler = eventHandler({
    secrets: secret,
    on: {},
    fallback: async (event) => {
      runs += 1
      await undefined
      if (runs % 10 === 0) throw new Error('The database is busy.')
      effects.set(event['nth'], (effects.get(event['nth']) ?? 0) + 1)
    },
    dedupe: memoryStore(20_000),
  })
  const chaos = { duplicates: 0.2, reorder: 50, concurrency: 8, lostResponses: 0.02 }
  const hook = team.webhooks.add({ secret, handler, ...chaos })
  for (let nth = 1; nth <= events; nth += 1) team.trigger('test.event', { nth }, { unknown: true })
  await team.clock.advance('48h')
  expect(effects.size).toBe(events)
  expect([...effects.values()].every((times) => times === 1)).toBe(true)
  expect(hook.deadLetters()).toEqual([])
  expect(hook.pending).toBe(0)
  expect(runs).toBeGreaterThan(events * 1.1)
})
