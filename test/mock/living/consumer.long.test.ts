import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createMock, explainDifference } from '../../../mock/index.ts'
import { RowStore } from '../../support/row-store.ts'

/** The settings of the example of the docs. */
const faults = { duplicates: 0.1, reorder: 20, lostResponses: 0.8 } as const
const connections = ['eight_sleep', 'oura'] as const

/** Delivers the same messages to a correct consumer and to one of each usual mistake, as in the example of the docs. */
async function deliver(seed?: number) {
  const team = createMock({ living: true, ...(seed !== undefined && { seed }) }).team()
  const stores = {
    correct: new RowStore(),
    stale: new RowStore('latest event'),
    doubled: new RowStore('append'),
    lost: new RowStore(),
  }
  const ids = new Set<string>()
  team.webhooks.add({
    ...faults,
    handler: async (request) => {
      const event = await request.json()
      const { correct, stale, doubled, lost } = stores
      for (const store of [correct, stale, doubled]) store.receive(event)
      const id = String(request.headers.get('webhook-id'))
      if (!ids.has(id) && ids.size % 50 !== 7) lost.receive(event)
      ids.add(id)
      return new Response()
    },
  })
  const { user_id } = team.users.create({ connections })
  await team.clock.advance('5d')
  team.users.delete(user_id)
  await team.clock.advance('2d')
  return { team, stores }
}

it('finds every mistake of a consumer, and none in a correct one', async () => {
  const { team, stores } = await deliver()
  const found = Object.entries(stores).map(([name, store]) => [
    name,
    explainDifference(team, store.rows())?.kind,
  ])
  expect(found).toEqual([
    ['correct', undefined],
    ['stale', 'stale'],
    ['doubled', 'doubled'],
    ['lost', 'lost'],
  ])
})

// Whether a version is late depends on the seed.
it.each([1, 2, 3, 5])('finds a consumer that stores the last event with seed %i', async (seed) => {
  const { team, stores } = await deliver(seed)
  expect(explainDifference(team, stores.stale.rows())?.kind).toBe('stale')
})

it('has the settings of the docs', () => {
  const page = readFileSync('docs/testing/living-users.md', 'utf8')
  const { duplicates, reorder, lostResponses } = faults
  const options = `{ duplicates: ${duplicates}, reorder: ${reorder}, lostResponses: ${lostResponses} }`
  expect(page).toContain(options)
  expect(page).toContain(`connections: ['${connections.join("', '")}']`)
})
