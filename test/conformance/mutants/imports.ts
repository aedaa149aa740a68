import {
  after,
  before,
  change,
  changeDespiteError,
  changeResponses,
  drop,
  type Json,
  type Mutant,
  rejectCalls,
  stick,
  teamsLike,
  withFirst,
} from '../mutant.ts'
import { bulkOps, imports } from './targets.ts'

/** Changes every connection of a request. */
function eachRecipe(replace: (recipe: Json, at: number) => void): NonNullable<Mutant['between']> {
  return before(imports, ({ body }) => body.connections.forEach(replace))
}

/** Multiplies the time that imports take, which is the same as another wait window. */
function importsTaking(factor: number): NonNullable<Mutant['setup']> {
  return teamsLike(({ importTime, ...like }) =>
    importTime === undefined ? like : { ...like, importTime: Math.round(importTime * factor) },
  )
}

const substitutes: Record<string, Json> = {
  access_token: 'a',
  refresh_token: 'r',
  provider_id: 'p',
  expires_at: 0,
  oauth_scopes: [],
}

const types = Object.entries(substitutes).map(
  ([field, value]): Mutant => ({
    rule: '2.4/fields',
    name: `accepts any type of ${field} in a connection`,
    between: eachRecipe((recipe) => {
      if (typeof recipe[field] !== typeof value) recipe[field] = value
    }),
  }),
)

const lists = ['user_ids_imported', 'user_ids_failed'].flatMap((field): Mutant[] => [
  {
    rule: '4.3/response',
    name: `returns a completed import without ${field}`,
    between: changeResponses(imports, drop(field)),
  },
  {
    rule: '4.3/response',
    name: `returns null for an empty ${field}`,
    between: changeResponses(
      imports,
      change(field, (list) => (list.length > 0 ? list : null)),
    ),
  },
  {
    rule: '4.3/response',
    name: `returns records in ${field}`,
    only: ['4.3', '7'],
    between: changeResponses(
      imports,
      change(field, (list) => list.map((user_id: string) => ({ user_id }))),
    ),
  },
])

export const importsMutants: Mutant[] = [
  ...types,
  ...lists,
  {
    rule: '4.3/queued',
    name: 'responds 200 to an import that it has only accepted',
    between: after(imports, ({ status }) => (status === 202 ? { status: 200 } : {})),
  },
  {
    rule: '4.3/queued',
    name: 'responds 201 to an accepted import',
    between: after(imports, ({ status }) => (status === 202 ? { status: 201 } : {})),
  },
  {
    rule: '4.3/wait',
    name: 'responds 202 to an import that completed in time',
    between: after(imports, ({ status }) => (status === 200 ? { status: 202 } : {})),
  },
  {
    rule: '4.3/body',
    name: 'waits for completion by default',
    between: before(imports, ({ body }) => {
      body.wait_for_completion ??= true
    }),
  },
  {
    rule: '4.3/wait',
    name: 'never waits for completion',
    between: before(imports, ({ body }) => {
      body.wait_for_completion = false
    }),
  },
  {
    rule: '4.3/wait',
    name: 'waits for completion when wait_for_completion is false',
    between: before(imports, ({ body }) => {
      if (body.wait_for_completion === false) body.wait_for_completion = true
    }),
  },
  {
    rule: '8/wait-window',
    name: 'waits 10 seconds for an import',
    only: ['4.3'],
    setup: importsTaking(2),
  },
  {
    rule: '8/wait-window',
    name: 'waits 19 seconds for an import',
    only: ['4.3'],
    setup: importsTaking(20 / 19),
  },
  {
    rule: '8/wait-window',
    name: 'waits 21 seconds for an import',
    only: ['4.3'],
    setup: importsTaking(20 / 21),
  },
  {
    rule: '8/wait-window',
    name: 'waits 30 seconds for an import',
    only: ['4.3'],
    setup: importsTaking(2 / 3),
  },
  {
    rule: '7/failed-imports',
    name: 'reports imports that failed as imported',
    between: changeResponses(imports, (body) => {
      body.user_ids_imported.push(...body.user_ids_failed.splice(0))
    }),
  },
  {
    rule: '7/failed-imports',
    name: 'reports every import as failed when one fails',
    between: changeResponses(imports, (body) => {
      if (body.user_ids_failed.length > 0)
        body.user_ids_failed.push(...body.user_ids_imported.splice(0))
    }),
  },
  {
    rule: '7/failed-imports',
    name: 'reports one failed import only',
    between: changeResponses(imports, (body) => {
      body.user_ids_failed.splice(1)
    }),
  },
  {
    rule: '4.3/response',
    name: 'reports a user as imported and as failed',
    between: changeResponses(imports, (body) => {
      body.user_ids_failed.push(...body.user_ids_imported)
    }),
  },
  {
    rule: '4.3/response',
    name: 'swaps the two lists of users',
    between: changeResponses(imports, (body) => {
      const { user_ids_imported: one, user_ids_failed: other } = body
      Object.assign(body, { user_ids_imported: other, user_ids_failed: one })
    }),
  },
  {
    rule: '4.3/response',
    name: 'returns at most 100 users of an import',
    between: changeResponses(imports, (body) => {
      body.user_ids_imported.splice(100)
    }),
  },
  {
    rule: '4.3/response',
    name: 'returns the users of the first import again',
    between: stick(imports, ({ body }) => body.wait_for_completion),
  },
  {
    rule: '4.3/response',
    name: 'adds the users of earlier imports',
    between: (fetch, key) => {
      const all: string[] = []
      const add = changeResponses(imports, (body) => {
        all.push(...body.user_ids_imported)
        body.user_ids_imported = [...all]
      })
      return add(fetch, key)
    },
  },
  {
    rule: '4.3/availability',
    name: 'imports for teams without link migration',
    setup: teamsLike(({ linkMigration: _, ...like }) => like),
  },
  {
    rule: '4.3/availability',
    name: 'imports for no team',
    options: { linkMigration: 'disabled' },
    setup: teamsLike((like) => ({ ...like, linkMigration: 'disabled' })),
  },
  {
    rule: '4.3/preconditions',
    name: 'imports without a credential of the team',
    setup: teamsLike(({ oauthCredentials: _, ...like }) => like),
  },
  {
    rule: '4.3/preconditions',
    name: 'requires the credential of another provider',
    setup: teamsLike(({ oauthCredentials, ...like }) =>
      oauthCredentials ? { ...like, oauthCredentials: ['garmin'] } : like,
    ),
  },
  {
    rule: '5/credential',
    name: 'imports for every provider when the team has a credential for one',
    only: ['4.3'],
    setup: teamsLike(({ oauthCredentials, ...like }) =>
      oauthCredentials ? { ...like, oauthCredentials: ['oura', 'fitbit', 'garmin'] } : like,
    ),
  },
  {
    rule: '8/import-volume',
    name: 'accepts at most 1,000 connections',
    only: ['4.3'],
    between: rejectCalls(imports, ({ body }) => body.connections.length > 1000, 413),
  },
  {
    rule: '8/import-volume',
    name: 'accepts at most 10,000 connections',
    only: ['4.3'],
    between: rejectCalls(imports, ({ body }) => body.connections.length > 10_000, 413),
  },
  {
    rule: '4.3/volume',
    name: 'imports at most 50 connections of a request',
    between: before(imports, ({ body }) => {
      body.connections.splice(50)
    }),
  },
  {
    rule: '4.3/volume',
    name: 'accepts only one import of a team at a time',
    between: limitImports(1),
  },
  {
    rule: '4.3/volume',
    name: 'accepts at most 20 imports of a team',
    between: limitImports(20),
  },
  {
    rule: '4.3/queued',
    name: 'imports only the first connection',
    between: before(imports, ({ body }) => {
      body.connections.splice(1)
    }),
  },
  {
    rule: '4.3/queued',
    name: 'accepts an import and forgets it',
    between: (fetch) => (input, init) =>
      String(input).endsWith('/bulk_import') && !String(init?.body).includes('wait')
        ? Promise.resolve(
            Response.json({ user_ids_imported: [], user_ids_failed: [] }, { status: 202 }),
          )
        : fetch(input, init),
  },
  {
    rule: '4.3/body',
    name: 'imports every connection to the first provider',
    between: withFirst((first) =>
      before(imports, ({ body }) => {
        body.provider = first(body.provider)
      }),
    ),
  },
  {
    rule: '4.3/body',
    name: 'accepts an import without a provider',
    between: before(imports, ({ body }) => {
      body.provider ??= 'oura'
    }),
  },
  {
    rule: '4.3/body',
    name: 'accepts an import without connections',
    between: before(imports, ({ body }) => {
      body.connections ??= []
    }),
  },
  {
    rule: '4.3/body',
    name: 'accepts a single connection instead of a list',
    between: before(imports, ({ body }) => {
      if (!Array.isArray(body.connections) && typeof body.connections === 'object')
        body.connections = []
    }),
  },
  {
    rule: '4.3/body',
    name: 'accepts a string for wait_for_completion',
    between: before(imports, ({ body }) => {
      if (typeof body.wait_for_completion === 'string') body.wait_for_completion = true
    }),
  },
  {
    rule: '4.3/body',
    name: 'skips invalid connections and imports the others',
    only: ['2.4'],
    between: before(imports, ({ body }) => {
      body.connections = body.connections.filter(
        (recipe: Json) => typeof recipe?.expires_at === 'number' && recipe.expires_at % 1 === 0,
      )
    }),
  },
  {
    rule: '4.3/body',
    name: 'imports the valid connections of a rejected request',
    only: ['2.4', '4.3'],
    between: changeDespiteError(imports, ({ body }) => {
      body.connections.splice(1)
    }),
  },
  {
    rule: '2.4/fields',
    name: 'accepts a user_id that is not a UUID',
    between: eachRecipe((recipe) => {
      if (recipe.user_id === 'not-a-uuid') recipe.user_id = crypto.randomUUID()
    }),
  },
  {
    rule: '2.4/fields',
    name: 'accepts a fraction of a second in expires_at',
    between: eachRecipe((recipe) => {
      if (recipe.expires_at === 1.5) recipe.expires_at = 1
    }),
  },
  {
    rule: '2.4/fields',
    name: 'accepts numbers in oauth_scopes',
    between: eachRecipe((recipe) => {
      if (Array.isArray(recipe.oauth_scopes)) recipe.oauth_scopes = recipe.oauth_scopes.map(String)
    }),
  },
  {
    rule: '2.4/fields',
    name: 'rejects connections with scopes',
    between: rejectCalls(imports, ({ body }) => body.connections[0].oauth_scopes.length > 0),
  },
  {
    rule: '2.4/fields',
    name: 'rejects tokens that never expire',
    between: rejectCalls(imports, ({ body }) => body.connections[0].expires_at === 2_147_483_647),
  },
  {
    rule: '2.4/fields',
    name: 'drops the scopes of a connection',
    between: eachRecipe((recipe) => {
      if (Array.isArray(recipe.oauth_scopes)) recipe.oauth_scopes = []
    }),
  },
  {
    rule: '2.4/fields',
    name: 'stores the provider_id of the first connection for all',
    between: before(imports, ({ body }) => {
      for (const recipe of body.connections) recipe.provider_id = body.connections[0].provider_id
    }),
  },
  {
    rule: '4.3/progress',
    name: 'never ends an import',
    assumes: true,
    between: changeResponses(bulkOps, ({ data }) => {
      for (const op of data) op.status = 'in_progress'
    }),
  },
  {
    rule: '4.3/progress',
    name: 'lists the oldest operation first',
    assumes: true,
    between: changeResponses(bulkOps, ({ data }) => data.reverse()),
  },
  {
    rule: '4.3/progress',
    name: 'counts a pending connection as processed',
    assumes: true,
    between: changeResponses(bulkOps, ({ data }) => {
      for (const op of data) op.processed += op.pending > 0 ? 1 : 0
    }),
  },
]

/** Rejects further imports of a team. */
function limitImports(limit: number): NonNullable<Mutant['between']> {
  return (fetch, key) => {
    const counts = new Map<string | null, number>()
    const limited = rejectCalls(
      imports,
      ({ headers }) => {
        const team = headers.get('x-service-api-key')
        const count = (counts.get(team) ?? 0) + 1
        counts.set(team, count)
        return count > limit
      },
      409,
    )
    return limited(fetch, key)
  }
}
