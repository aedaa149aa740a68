import {
  bulkImport,
  deleteConnection,
  listBulkOps,
  listProviders,
} from '../../src/contract/link.ts'
import { bulkImportWait, bulkOpPageSize } from '../../src/contract/values/bounds.ts'
import { cursorPage } from '../http/cursor.ts'
import { badRequest, forbidden, notFound, type ValidationDetail } from '../http/http-error.ts'
import { invalidValue } from '../http/request/validation.ts'
import { ServiceResponse } from '../http/response.ts'
import { route } from '../http/route.ts'
import { bulkOpOf, wireOp } from '../state/collections/bulk-ops.ts'
import { onDevicePlatforms } from '../state/defaults.ts'
import type { World } from '../state/world.ts'

export const linkRoutes = [
  route(listProviders, ({ query }, { providers }) =>
    providers
      .list(query.source_type ? { source_type: query.source_type } : {})
      .map(({ source_type: _, ...provider }) => provider),
  ),

  route(deleteConnection, ({ params }, world) => {
    const { user_id } = world.user(params.user_id)
    const { connections, settings } = world
    if (!connections.has(user_id, params.provider)) {
      if (settings.deleteMissingConnection === 'success_false') return { success: false }
      throw notFound('Connection')
    }
    const stays = settings.sdkMode === 'auto_connect' && onDevicePlatforms.includes(params.provider)
    if (!stays) connections.delete(user_id, params.provider)
    return { success: true }
  }),

  route(bulkImport, async ({ body, signal }, world) => {
    checkPreconditions(body.provider, world)
    const { clock, imports } = world
    const id = imports.submit(body.provider, body.connections)
    if (!body.wait_for_completion) return acceptedResponse()
    const until = clock.moment + bulkImportWait
    await clock.wait(() => imports.hasEnded(id), { until, signal, subject: id })
    const op = imports.get(id)
    if (op?.status !== 'success') return acceptedResponse()
    const { user_ids_imported, user_ids_failed } = op
    return new ServiceResponse(200, { user_ids_imported, user_ids_failed })
  }),

  route(
    listBulkOps,
    ({ query }, { imports, settings }) => {
      if (settings.linkMigration === 'disabled') throw migrationDisabled()
      const size = query.page_size ?? bulkOpPageSize.default
      const list = { items: imports.newestFirst(), keyOf: ({ id }: { id: string }) => id }
      const page = cursorPage(list, size, query.next_cursor)
      return { ...page, data: page.data.map((run) => wireOp(bulkOpOf(run))) }
    },
    ({ query }) => checkPageSize(query['page_size']),
  ),
]

/** Returns empty lists, because there is no final result. The specification does not define the body of a 202. */
function acceptedResponse(): ServiceResponse {
  return new ServiceResponse(202, { user_ids_imported: [], user_ids_failed: [] })
}

function checkPreconditions(provider: string, { settings }: World): void {
  if (settings.linkMigration === 'disabled') throw migrationDisabled()
  const { oauthCredentials } = settings
  if (oauthCredentials !== 'all' && !oauthCredentials.includes(provider)) {
    throw badRequest(`The team has no OAuth application credential for ${provider}`)
  }
}

function migrationDisabled() {
  return forbidden('The link migration endpoints are not enabled for this team')
}

function checkPageSize(input: unknown): ValidationDetail[] {
  if (typeof input !== 'number' || input <= bulkOpPageSize.maximum) return []
  const limit = bulkOpPageSize.maximum
  return [invalidValue({ kind: 'too_big', limit }, ['query', 'page_size'], input)]
}
