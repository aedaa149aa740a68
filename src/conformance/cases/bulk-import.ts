import { assertEqual, assertRejected, assertSuccess, assertThat } from '../assertions.ts'
import { defineCases } from '../case.ts'
import { bulkImport, listBulkOps } from '../operations.ts'
import { recipe, without } from '../request-bodies.ts'
import type { ReadResponse } from '../response.ts'
import type { TestedService } from '../service.ts'
import { assertShape, fieldOf, isObject, type ObjectForm } from '../shape.ts'

const importResult: ObjectForm = { user_ids_imported: ['uuid'], user_ids_failed: ['uuid'] }

const defaultProvider = 'oura'

function importBody(connections: unknown[], changes: Record<string, unknown> = {}) {
  return { provider: defaultProvider, connections, ...changes }
}

function submitImport(
  service: TestedService,
  userId: string,
  count: number,
  changes = {},
): Promise<ReadResponse> {
  const connections = Array.from({ length: count }, () => recipe(userId))
  return service.call(bulkImport, { body: importBody(connections, changes) })
}

/** Returns the first operation of the list, which is assumed to be the newest. */
async function getNewestOperation(service: TestedService): Promise<Record<string, unknown>> {
  const ops = fieldOf(assertSuccess(await service.call(listBulkOps)).json, 'data')
  const [newest] = Array.isArray(ops) ? ops : []
  assertThat(isObject(newest), 'Expected the list of bulk operations to have the submitted one.')
  return newest
}

const assumedBulkOps = 'GET /v2/link/bulk_op lists the operations, the newest first'

export const bulkImportCases = defineCases({
  '2.4/types': {
    title: 'Rejects wrong types in a connection to import',
    rules: ['2.4/fields'],
    needs: ['user'],
    async run(service) {
      const user_id = await service.user()
      const wrong = {
        user_id: 'not-a-uuid',
        access_token: 7,
        refresh_token: 7,
        provider_id: 7,
        expires_at: 'soon',
        oauth_scopes: 'email',
      }
      for (const [field, value] of Object.entries(wrong)) {
        const body = importBody([recipe(user_id, { [field]: value })])
        assertRejected(await service.call(bulkImport, { body }), `a wrong type for ${field}`)
      }
    },
  },
  '2.4/accepted': {
    title: 'Accepts a connection with all fields',
    rules: ['2.4/fields'],
    needs: ['user'],
    async run(service) {
      assertSuccess(await submitImport(service, await service.user(), 1))
    },
  },
  '4.3/accepted': {
    title: 'Accepts an import with 202 and continues in the background by default',
    rules: ['4.3/queued', '4.3/body', '7/bulk-import', '3.2/queued'],
    needs: ['user'],
    async run(service) {
      const user = await service.user()
      assertSuccess(await submitImport(service, user, 1), 202)
      assertSuccess(await submitImport(service, user, 1, { wait_for_completion: false }), 202)
    },
  },
  '4.3/completed': {
    title: 'Waits for completion and returns 200 with every user in one of the two lists',
    rules: ['4.3/wait', '4.3/response', '7/bulk-import'],
    needs: ['user'],
    async run(service) {
      const user = await service.user()
      const response = assertSuccess(
        await submitImport(service, user, 1, { wait_for_completion: true }),
        200,
      )
      assertShape(response.json, importResult, 'the response')
      const { user_ids_imported, user_ids_failed } = response.json as Record<string, string[]>
      const all = [...(user_ids_imported ?? []), ...(user_ids_failed ?? [])]
      assertEqual(all, [user], 'the users in both lists')
    },
  },
  '4.3/failed': {
    title: 'Lists the connection of an unknown user in user_ids_failed',
    rules: ['4.3/response', '7/failed-imports'],
    assumption: 'an import of an unknown user fails',
    async run(service) {
      const unknownUser = crypto.randomUUID()
      const response = assertSuccess(
        await submitImport(service, unknownUser, 1, { wait_for_completion: true }),
        200,
      )
      assertEqual(fieldOf(response.json, 'user_ids_failed'), [unknownUser], 'user_ids_failed')
      assertEqual(fieldOf(response.json, 'user_ids_imported'), [], 'user_ids_imported')
    },
  },
  '4.3/not-in-time': {
    title: 'Returns 202 after 20 seconds when the import takes longer',
    rules: ['4.3/wait', '7/bulk-import', '8/wait-window'],
    needs: ['team', 'user'],
    async run(service) {
      const team = await service.team({ importTime: 3000 })
      const response = await submitImport(team, await team.user(), 7, { wait_for_completion: true })
      assertSuccess(response, 202)
    },
  },
  '4.3/just-in-time': {
    title: 'Returns 200 when the import takes slightly less than 20 seconds',
    rules: ['4.3/wait', '7/bulk-import', '8/wait-window'],
    needs: ['team', 'user'],
    async run(service) {
      const team = await service.team({ importTime: 3000 })
      const response = await submitImport(team, await team.user(), 6, { wait_for_completion: true })
      assertSuccess(response, 200)
    },
  },
  '4.3/background': {
    title: 'Completes an accepted import in the background',
    rules: ['4.3/queued', '4.3/progress', '3.2/queued'],
    needs: ['team', 'user', 'advance'],
    assumption: assumedBulkOps,
    async run(service) {
      const team = await service.team({ importTime: 1000 })
      assertSuccess(await submitImport(team, await team.user(), 10), 202)
      const early = await getNewestOperation(team)
      assertEqual(early['status'], 'in_progress', 'status')
      await team.advance(11_000)
      const late = await getNewestOperation(team)
      assertEqual(late['status'], 'success', 'status')
      assertEqual([late['pending'], late['processed']].join(), '0,10', 'pending and processed')
    },
  },
  '4.3/many': {
    title: 'Accepts any number of connections in one request',
    rules: ['4.3/volume', '8/import-volume'],
    needs: ['user'],
    async run(service) {
      assertSuccess(await submitImport(service, await service.user(), 2000), 202)
    },
  },
  '4.3/short-period': {
    title: 'Accepts more imports while one is in progress and completes all of them',
    rules: ['4.3/volume'],
    needs: ['team', 'user', 'advance'],
    assumption: assumedBulkOps,
    async run(service) {
      const team = await service.team({ importTime: 1000 })
      const user = await team.user()
      for (let at = 0; at < 3; at += 1) assertSuccess(await submitImport(team, user, 5), 202)
      await team.advance(16_000)
      const ops = fieldOf(assertSuccess(await team.call(listBulkOps)).json, 'data')
      assertThat(Array.isArray(ops) && ops.length === 3, 'Expected three bulk operations.')
      for (const op of ops) assertEqual(fieldOf(op, 'status'), 'success', 'status')
    },
  },
  '4.3/required': {
    title: 'Rejects an import with missing fields or wrong types',
    rules: ['4.3/body'],
    needs: ['user'],
    async run(service) {
      const body = importBody([recipe(await service.user())])
      for (const field of ['provider', 'connections']) {
        assertRejected(
          await service.call(bulkImport, { body: without(body, field) }),
          `no ${field}`,
        )
      }
      const wrong = { provider: 7, connections: {}, wait_for_completion: 'long' }
      for (const [field, value] of Object.entries(wrong)) {
        const response = await service.call(bulkImport, { body: { ...body, [field]: value } })
        assertRejected(response, `a wrong type for ${field}`)
      }
    },
  },
  '4.3/disabled': {
    title: 'Rejects imports of a team without link migration',
    rules: ['4.3/availability'],
    needs: ['team', 'user'],
    async run(service) {
      const team = await service.team({ linkMigration: 'disabled' })
      assertRejected(await submitImport(team, await team.user(), 1), 'an import')
    },
  },
  '4.3/credential': {
    title: "Rejects an import without the team's own credential for the provider",
    rules: ['4.3/preconditions', '5/credential'],
    needs: ['team', 'user'],
    async run(service) {
      const other = 'fitbit'
      const team = await service.team({ oauthCredentials: [other] })
      const user = await team.user()
      assertRejected(await submitImport(team, user, 1), 'an import')
      assertSuccess(await submitImport(team, user, 1, { provider: other }))
    },
  },
})
