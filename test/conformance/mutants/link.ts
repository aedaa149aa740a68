import { after, before, changeResponses, type Mutant, rejectCalls, teamsLike } from '../mutant.ts'
import { providers } from './targets.ts'

const imports = 'POST /v2/link/bulk_import'
const ops = 'GET /v2/link/bulk_op'
const deletion = /^DELETE /

export const linkMutants: Mutant[] = [
  // Bulk import
  {
    name: 'responds 200 to an import that it has only accepted',
    only: ['4.3'],
    between: after(imports, ({ status }) => (status === 202 ? { status: 200 } : {})),
  },
  {
    name: 'responds 202 to an import that completed in time',
    only: ['4.3'],
    between: after(imports, ({ status }) => (status === 200 ? { status: 202 } : {})),
  },
  {
    name: 'waits for completion by default',
    only: ['4.3'],
    between: before(imports, ({ body }) => {
      body.wait_for_completion ??= true
    }),
  },
  {
    name: 'waits 10 seconds for an import instead of 20',
    only: ['4.3'],
    setup: teamsLike(({ importTime, ...like }) =>
      importTime === undefined ? like : { ...like, importTime: importTime * 2 },
    ),
  },
  {
    name: 'waits 30 seconds for an import instead of 20',
    only: ['4.3'],
    setup: teamsLike(({ importTime, ...like }) =>
      importTime === undefined ? like : { ...like, importTime: importTime / 1.5 },
    ),
  },
  {
    name: 'reports imports that failed as imported',
    only: ['4.3'],
    between: changeResponses(imports, (body) => {
      body.user_ids_imported.push(...body.user_ids_failed.splice(0))
    }),
  },
  {
    name: 'returns a completed import without user_ids_failed',
    only: ['4.3'],
    between: changeResponses(imports, (body) => {
      delete body.user_ids_failed
    }),
  },
  {
    name: 'reports a user as imported and as failed',
    only: ['4.3'],
    between: changeResponses(imports, (body) => {
      body.user_ids_failed.push(...body.user_ids_imported)
    }),
  },
  {
    name: 'imports for teams without link migration',
    only: ['4.3'],
    setup: teamsLike(({ linkMigration: _, ...like }) => like),
  },
  {
    name: 'imports without a credential of the team',
    only: ['4.3'],
    setup: teamsLike(({ oauthCredentials: _, ...like }) => like),
  },
  {
    name: 'accepts at most 1,000 connections',
    only: ['4.3'],
    between: rejectCalls(imports, ({ body }) => body.connections.length > 1000, 413),
  },
  {
    name: 'accepts only one import of a team at a time',
    only: ['4.3'],
    between: (fetch, key) => {
      const busy = new Set<string | null>()
      const once = rejectCalls(
        imports,
        ({ headers }) => {
          const team = headers.get('x-service-api-key')
          const wasBusy = busy.has(team)
          busy.add(team)
          return wasBusy
        },
        409,
      )
      return once(fetch, key)
    },
  },
  {
    name: 'never ends an import',
    only: ['4.3'],
    between: changeResponses(ops, ({ data }) => {
      for (const op of data) op.status = 'in_progress'
    }),
  },
  {
    name: 'accepts an import without a provider',
    only: ['4.3'],
    between: before(imports, ({ body }) => {
      body.provider ??= 'oura'
    }),
  },
  {
    name: 'rejects connections with scopes',
    only: ['2.4'],
    between: rejectCalls(imports, ({ body }) => body.connections[0].oauth_scopes),
  },
  {
    name: 'accepts a string for the time at which a token expires',
    only: ['2.4'],
    between: before(imports, ({ body }) => {
      for (const recipe of body.connections) {
        if (typeof recipe.expires_at === 'string') recipe.expires_at = 0
      }
    }),
  },
  // Providers and connections
  {
    name: 'lists providers without a description',
    only: ['2.7'],
    between: changeResponses(providers, (body) => {
      delete body[0].description
    }),
  },
  {
    name: 'lists a provider twice',
    only: ['2.7'],
    between: changeResponses(providers, (body) => {
      body.push(body[0])
    }),
  },
  {
    name: 'ignores source_type',
    only: ['4.9'],
    between: before(providers, ({ url }) => url.searchParams.delete('source_type')),
  },
  {
    name: 'reports a connection as deleted but keeps it',
    only: ['4.10'],
    between: before(deletion, (call) => {
      call.url.pathname = call.url.pathname.replace('oura', 'apple_health_kit')
    }),
    setup: (setup) => ({
      ...setup,
      connect: (user, provider) =>
        setup.connect?.(user, provider === 'oura' ? 'apple_health_kit' : provider),
    }),
  },
  {
    name: 'deletes every connection of the user',
    only: ['4.10'],
    between: (fetch) => async (input, init) => {
      const url = String(input)
      if (init?.method === 'DELETE' && url.endsWith('/oura')) {
        await fetch(url.replace(/oura$/, 'fitbit'), init)
      }
      return fetch(input, init)
    },
  },
  {
    name: 'deletes connections to phones in Auto Connect mode',
    only: ['4.10'],
    options: { sdkMode: 'explicit' },
  },
  {
    name: 'keeps connections to phones in the explicit mode',
    only: ['4.10'],
    setup: teamsLike(({ sdkMode: _, ...like }) => like),
  },
  {
    name: 'deletes connections of users whose ids are not UUIDs',
    only: ['4.10'],
    between: rejectCalls(/^DELETE .*not-a-uuid/, () => true, 200),
  },
  {
    name: 'returns success as a string',
    only: ['4.10'],
    between: changeResponses(deletion, (body) => {
      body.success = String(body.success)
    }),
  },
]
