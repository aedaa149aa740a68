import { expect, it } from 'vitest'
import { type ConnectionRecipe, ServiceClient } from '../../../src/index.ts'
import { recipe } from '../../support/samples.ts'
import { json, stubFetch } from '../../support/stub-fetch.ts'

function idOf(position: number): string {
  return `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`
}

/** Imports recipes with a service that accepts them and responds with the given lists. */
async function importRanges(users: string[], lists: Record<string, string[]>, status = 202) {
  const { fetch } = stubFetch(() => json(lists, status))
  const client = new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test', fetch })
  const recipes: ConnectionRecipe[] = users.map((user_id) => ({ ...recipe, user_id }))
  const { ranges } = await client.link.bulkImportAll('oura', recipes)
  return Object.fromEntries(Object.entries(ranges).filter(([, list]) => list.length > 0))
}

it.each([201, 202, 207])(
  'reports the users that a %i lists as imported or failed',
  async (status) => {
    const users = [idOf(0), idOf(1), idOf(2)]
    const lists = { user_ids_imported: [idOf(0)], user_ids_failed: [idOf(1)] }
    expect(await importRanges(users, lists, status)).toEqual({
      imported: [[0, 0]],
      failed: [[1, 1]],
      accepted: [[2, 2]],
    })
  },
)

it.each([
  ['both lists', [idOf(0), idOf(1)], { user_ids_imported: [idOf(0)], user_ids_failed: [idOf(0)] }],
  ['one list, but with two recipes', [idOf(0), idOf(1), idOf(0)], { user_ids_failed: [idOf(0)] }],
])('reports a user as unknown whom a 202 has in %s', async (_, users, lists) => {
  const unknown = users.flatMap((user, at) => (user === idOf(0) ? [[at, at]] : []))
  expect(await importRanges(users, lists)).toEqual({ unknown, accepted: [[1, 1]] })
})
