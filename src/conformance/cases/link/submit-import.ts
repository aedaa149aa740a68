import { isObject } from '../../../shared/narrow.ts'
import { assertSuccess } from '../../assertions.ts'
import type { ReadResponse } from '../../operations.ts'
import type { TestedService } from '../../service.ts'
import type { TeamSettings } from '../../setup.ts'
import { assertShape, fieldOf, type ObjectForm } from '../../shape.ts'

type Body = Record<string, unknown>

const importResult: ObjectForm = { user_ids_imported: ['uuid'], user_ids_failed: ['uuid'] }

export function recipe(user_id: string, changes: Body = {}): Body {
  return {
    user_id,
    access_token: 'access',
    refresh_token: 'refresh',
    provider_id: `at-the-provider-${user_id}`,
    expires_at: 2_147_483_647,
    oauth_scopes: ['email'],
    ...changes,
  }
}

/** The provider of most imports. The slug is an assumption, because the specification does not list the slugs. */
export const importProvider = 'oura'

export function importBody(users: readonly string[], changes: Body = {}): Body {
  const connections = users.map((user) => recipe(user))
  return { provider: importProvider, connections, ...changes }
}

export async function submitImport(
  service: TestedService,
  users: readonly string[],
  changes: Body = {},
): Promise<ReadResponse> {
  const response = await service.call('link.bulkImport', { body: importBody(users, changes) })
  // The specification does not define the body of a 202. If the body is an object, assert the form of a 200.
  if (response.status === 202 && isObject(response.json)) {
    assertShape(response.json, importResult, 'the response')
  }
  return response
}

export async function importAndWait(
  service: TestedService,
  users: readonly string[],
  changes: Body = {},
): Promise<{ imported: string[]; failed: string[] }> {
  const body = { wait_for_completion: true, ...changes }
  const { json } = assertSuccess(await submitImport(service, users, body), 200)
  assertShape(json, importResult, 'the response')
  return { imported: idsOf(json, 'user_ids_imported'), failed: idsOf(json, 'user_ids_failed') }
}

/** Returns the ids in lower case, because UUIDs are case-insensitive. */
export function idsOf(json: unknown, field: string): string[] {
  const ids = fieldOf(json, field)
  return Array.isArray(ids) ? ids.map((id) => String(id).toLowerCase()) : []
}

/** Creates a team that may import connections, or returns the tested team if the setup cannot create one. */
export async function importTeam(
  service: TestedService,
  settings: TeamSettings = {},
): Promise<TestedService> {
  if (!service.offers('team')) return service
  return service.team({ linkMigration: 'enabled', ...settings })
}

export async function teamWithUsers(
  service: TestedService,
  count: number,
  settings: TeamSettings = {},
): Promise<{ team: TestedService; users: string[] }> {
  const team = await importTeam(service, settings)
  return { team, users: await newUsers(team, count) }
}

export async function newUsers(service: TestedService, count: number): Promise<string[]> {
  const users: string[] = []
  for (let at = 0; at < count; at += 1) users.push(await service.user())
  return users
}

export async function countConnected(
  service: TestedService,
  users: readonly string[],
  slug = importProvider,
): Promise<number> {
  let count = 0
  for (const user of users) {
    const connections = await service.connections(user)
    if (connections.some(({ provider }) => provider === slug)) count += 1
  }
  return count
}
