import { createMock, type Team } from '../../../mock/index.ts'
import type { ConnectionRecipe } from '../../../src/index.ts'

/** The users have no personal data. */
export function teamWithUsers(size: number, options: Parameters<typeof createMock>[0] = {}) {
  const team = createMock({ journalLimit: 10, ...options }).team()
  return { team, ids: userIds(team, size) }
}

export function userIds(team: Team, size: number): string[] {
  return Array.from({ length: size }, () => team.users.create({ info: null }).user_id)
}

export function orderIds(team: Team, size: number): string[] {
  const { user_id } = team.users.create({ info: null })
  return Array.from({ length: size }, () => team.orders.create({ user_id }).id)
}

export async function send(team: Team, method: string, path: string, body?: object) {
  const { apiKey, baseUrl, fetch } = team.connection()
  const headers = { 'x-service-api-key': apiKey, 'content-type': 'application/json' }
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
  const response = await fetch(baseUrl + path, init)
  if (!response.ok) throw new Error(`${method} failed with ${response.status}.`)
  return response.arrayBuffer()
}

export function bookAll(team: Team, orders: readonly string[], body: object): Promise<unknown> {
  return Promise.all(
    orders.map((id) => send(team, 'POST', `/v3/order/${id}/phlebotomy/appointment/book`, body)),
  )
}

export function recipes(ids: readonly string[]): ConnectionRecipe[] {
  return ids.map((user_id, at) => ({
    user_id,
    access_token: `access-${at}`,
    refresh_token: `refresh-${at}`,
    provider_id: `provider-${at}`,
    expires_at: 2_147_483_647,
  }))
}
