import { expect } from 'vitest'
import {
  type BulkImportAllOptions,
  type BulkImportReport,
  type ConnectionRecipe,
  ServiceClient,
} from '../../../src/index.ts'
import { recipe } from '../../support/samples.ts'
import { json, type StubRequest, stubFetch } from '../../support/stub-fetch.ts'

export type Responder = (request: StubRequest, nth: number) => Response | Promise<Response>

export const none = { user_ids_imported: [], user_ids_failed: [] }

export function clientOf(respond: Responder) {
  const { fetch, requests } = stubFetch(respond)
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    fetch,
    maxRetries: 0,
  })
  return { client, requests }
}

export function idOf(position: number): string {
  return `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`
}

export function recipeAt(position: number): ConnectionRecipe {
  return { ...recipe, user_id: idOf(position) }
}

export function recipesUpTo(count: number): ConnectionRecipe[] {
  return Array.from({ length: count }, (_, position) => recipeAt(position))
}

export function usersOf({ body }: StubRequest): string[] {
  return (body as { connections: ConnectionRecipe[] }).connections.map(({ user_id }) => user_id)
}

/** Imports everybody at once. */
export const importEverybody: Responder = (request) =>
  json({ ...none, user_ids_imported: usersOf(request) })

export function importAll(
  client: ServiceClient,
  recipes: Iterable<ConnectionRecipe> | AsyncIterable<ConnectionRecipe>,
  options: BulkImportAllOptions = {},
) {
  return client.link.bulkImportAll('oura', recipes, { batchSize: 2, ...options })
}

/** The outcome of every position, read back from a report; fails where a position has two. */
export function outcomes({ ranges }: BulkImportReport, count: number): (string | undefined)[] {
  const found: (string | undefined)[] = Array.from({ length: count })
  for (const [outcome, list] of Object.entries(ranges)) {
    for (const [first, last] of list) {
      for (let at = first; at <= (last ?? count - 1); at += 1) {
        expect(found[at], `position ${at}`).toBeUndefined()
        found[at] = outcome
      }
    }
  }
  return found
}
