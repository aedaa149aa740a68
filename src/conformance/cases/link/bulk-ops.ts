import { assertEqual, assertRejected, assertSuccess, assertThat } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { assertShape, fieldOf, type ObjectForm } from '../../shape.ts'
import {
  countConnected,
  importAndWait,
  importTeam,
  newUsers,
  submitImport,
  teamWithUsers,
} from './submit-import.ts'

const assumedBulkOps = 'GET /v2/link/bulk_op lists the bulk operations, newest first'

const operation: ObjectForm = {
  status: 'text',
  provider: 'text',
  pending: 'count',
  processed: 'count',
  started_at: 'date-time',
  'ended_at?': 'date-time',
}

async function list(service: TestedService, query: Record<string, string | number> = {}) {
  const json = await service.read('link.listBulkOps', { query })
  assertShape(json, { data: [operation], 'next_cursor?': 'string' }, 'the operations')
  const data = fieldOf(json, 'data')
  return { ops: Array.isArray(data) ? data : [], next: fieldOf(json, 'next_cursor') ?? null }
}

function progressOf(op: unknown) {
  return {
    status: fieldOf(op, 'status'),
    pending: fieldOf(op, 'pending'),
    processed: fieldOf(op, 'processed'),
  }
}

export const bulkOpCases = defineCases(['team', 'user', 'advance'], {
  '4.3/progress': {
    title: 'Lists the status and the progress of an import',
    rules: ['4.3/progress', '3.2/queued', '4.3/queued'],
    assumption: assumedBulkOps,
    async run(service) {
      const team = await importTeam(service, { importTime: 1000 })
      assertSuccess(await submitImport(team, await newUsers(team, 10)), 202)
      const at = async () => progressOf((await list(team)).ops[0])
      assertEqual(await at(), { status: 'in_progress', pending: 10, processed: 0 }, 'the operation')
      await team.setup.advance(3500)
      assertEqual(await at(), { status: 'in_progress', pending: 7, processed: 3 }, 'the operation')
      await team.setup.advance(7000)
      assertEqual(await at(), { status: 'success', pending: 0, processed: 10 }, 'the operation')
      assertThat(
        typeof fieldOf((await list(team)).ops[0], 'ended_at') === 'string',
        'Expected a completed operation to have ended_at, but found none.',
      )
    },
  },
  '4.3/one-operation': {
    title: "Queues one operation per import, and lists only the team's own operations",
    rules: ['4.3/queued', '4.3/progress', '3.2/queued'],
    assumption: assumedBulkOps,
    async run(service) {
      const [team, other] = [await importTeam(service), await importTeam(service)]
      for (const [count, provider] of [
        [1, 'oura'],
        [4, 'fitbit'],
        [2, 'garmin'],
      ] as const) {
        assertSuccess(await submitImport(team, await newUsers(team, count), { provider }), 202)
      }
      await team.setup.advance(60_000)
      const found = (await list(team)).ops.map((op) => ({
        provider: fieldOf(op, 'provider'),
        processed: fieldOf(op, 'processed'),
      }))
      const expected = [
        { provider: 'garmin', processed: 2 },
        { provider: 'fitbit', processed: 4 },
        { provider: 'oura', processed: 1 },
      ]
      assertEqual(found, expected, 'the operations')
      assertEqual((await list(other)).ops, [], "another team's operations")
    },
  },
  '4.3/operation-pages': {
    title: 'Paginates bulk operations with page_size and next_cursor',
    rules: ['4.3/progress'],
    assumption: `${assumedBulkOps}, in pages of 1 to 50 (10 by default) that are linked by next_cursor`,
    async run(service) {
      const team = await importTeam(service)
      for (let at = 0; at < 12; at += 1) {
        assertSuccess(await submitImport(team, await newUsers(team, 1)), 202)
      }
      assertEqual((await list(team)).ops.length, 10, 'the number of operations on a page')
      assertEqual((await list(team, { page_size: 50 })).next, null, 'next_cursor')
      for (const page_size of [0, 51, 'many']) {
        await team.reject(
          'link.listBulkOps',
          { query: { page_size } },
          `the page_size ${page_size}`,
        )
      }
      const seen: unknown[] = []
      let next: unknown
      do {
        const page = await list(team, {
          page_size: 5,
          ...(next ? { next_cursor: String(next) } : {}),
        })
        seen.push(...page.ops)
        next = page.next
      } while (next !== null && seen.length < 20)
      assertEqual(seen, (await list(team, { page_size: 50 })).ops, 'the operations on all pages')
    },
  },
  '4.3/disabled-list': {
    title: 'Rejects requests to list bulk operations if the team has no link migration',
    rules: ['4.3/availability'],
    needs: ['team'],
    assumption: assumedBulkOps,
    async run(service) {
      const team = await service.team({ linkMigration: 'disabled' })
      await team.reject('link.listBulkOps', {}, 'a request from a team without link migration')
    },
  },
  '4.3/no-credentials': {
    title: 'Rejects every import from a team without credentials, and imports nothing',
    rules: ['4.3/preconditions', '5/credential'],
    needs: ['team', 'user'],
    async run(service) {
      const { team, users } = await teamWithUsers(service, 2, { oauthCredentials: [] })
      for (const provider of ['oura', 'fitbit', 'garmin']) {
        for (const wait_for_completion of [false, true]) {
          const response = await submitImport(team, users, { provider, wait_for_completion })
          assertRejected(response, 'an import without a credential')
        }
        if (!team.offers('connections')) continue
        const count = await countConnected(team, users, provider)
        assertEqual(count, 0, 'the number of connected users')
      }
    },
  },
  '4.3/own-credentials': {
    title: 'Imports connections only from the providers for which the team has credentials',
    rules: ['4.3/preconditions', '5/credential'],
    needs: ['team', 'user'],
    async run(service) {
      const providers = ['garmin', 'fitbit', 'oura']
      for (const oauthCredentials of [
        ['garmin'],
        ['oura'],
        ['garmin', 'fitbit'],
        ['oura', 'fitbit'],
      ]) {
        const { team, users } = await teamWithUsers(service, 1, { oauthCredentials })
        for (const provider of providers) {
          if (oauthCredentials.includes(provider)) await importAndWait(team, users, { provider })
          else
            assertRejected(
              await submitImport(team, users, { provider }),
              'an import without a credential',
            )
        }
      }
    },
  },
  '4.3/imported-again': {
    title: "Replaces a user's connection with the one from the latest import",
    rules: ['2.4/fields', '4.3/body'],
    needs: ['user', 'connections'],
    assumption: "a later import replaces the same user's connection",
    async run(service) {
      const team = await importTeam(service)
      const [user_id = ''] = await newUsers(team, 1)
      for (const round of ['One', 'two', 'Öäß 犬']) {
        const connection = {
          user_id,
          access_token: `access-${round}`,
          refresh_token: `refresh-${round}`,
          provider_id: ` At-${round}`,
          expires_at: 2_147_483_647,
          oauth_scopes: [`Read:${round}`, 'email'],
        }
        await importAndWait(team, [user_id], { connections: [connection] })
        const [stored] = await team.connections(user_id)
        const { provider_id, oauth_scopes } = connection
        assertEqual(stored?.provider_id ?? provider_id, provider_id, 'provider_id')
        assertEqual(stored?.oauth_scopes ?? oauth_scopes, oauth_scopes, 'oauth_scopes')
      }
    },
  },
})
