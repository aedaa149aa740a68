import { type Mutant, rejectCalls, teamsLike } from '../mutant.ts'
import { imports } from '../mutants/targets.ts'

const facts = { rule: '4.3/preconditions', only: ['4.3', '5'] }
const everyProvider = ['oura', 'fitbit', 'garmin', 'strava', 'withings']

/** Teams whose credentials for providers are not those that they configured. */
function credentials(
  name: string,
  change: (configured: readonly string[]) => readonly string[] | undefined,
): Mutant {
  return {
    ...facts,
    name,
    setup: teamsLike(({ oauthCredentials, ...like }) => {
      if (oauthCredentials === undefined) return like
      const changed = change(oauthCredentials)
      return changed ? { ...like, oauthCredentials: changed } : like
    }),
  }
}

/** The team's own OAuth credentials: none, some, or those of others. */
export const oauth: Mutant[] = [
  credentials('takes no credentials for all credentials', (list) =>
    list.length === 0 ? undefined : list,
  ),
  credentials('needs no credential when a team has only one', (list) =>
    list.length === 1 ? undefined : list,
  ),
  credentials('needs no credential when a team has two', (list) =>
    list.length === 2 ? undefined : list,
  ),
  credentials('gives a team without credentials those of another', (list) =>
    list.length === 0 ? everyProvider : list,
  ),
  credentials('keeps only the first credential of a team', (list) => list.slice(0, 1)),
  credentials('keeps only the last credential of a team', (list) => list.slice(-1)),
  credentials('keeps a default credential besides those of a team', (list) => [...list, 'oura']),
  credentials('keeps a default credential for teams without any', (list) =>
    list.length === 0 ? ['oura'] : list,
  ),
  credentials('has a credential of its own for every provider', () => undefined),
  credentials('reads the credentials in alphabetical order and loses the last', (list) =>
    list.toSorted().slice(0, -1),
  ),
  {
    ...facts,
    name: 'refuses imports of several connections without a credential only',
    setup: teamsLike(({ oauthCredentials: _, ...like }) => like),
    between: rejectCalls(imports, ({ body }) => body.connections.length > 5000),
  },
  {
    ...facts,
    rule: '4.3/availability',
    name: 'enables link migration for teams with a credential',
    setup: teamsLike((like) =>
      like.linkMigration === 'disabled' ? { ...like, linkMigration: 'enabled' } : like,
    ),
  },
]
