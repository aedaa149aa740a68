import { test as base, expect, type TestAPI } from 'vitest'
import { ServiceClient } from '../src/client/client.ts'
import type { ClientOptions } from '../src/client/options/client-options.ts'
import { explainTeam } from './diagnostics/explain-team.ts'
import { type JournalMatchers, journalMatchers } from './diagnostics/journal-matchers.ts'
import { Mock } from './mock.ts'
import type { MockOptions, TeamOptions } from './state/defaults.ts'
import type { Team } from './team.ts'

declare global {
  namespace Chai {
    // `Matchers` has different type parameters in Vitest 4 and Vitest 5, but both versions include `Chai.Assertion`.
    interface Assertion extends JournalMatchers {}
  }
}

expect.extend(journalMatchers)

/** The fixtures for each test. */
export interface MockFixtures {
  /** The options for {@link MockFixtures.mock}. Default: none. Set them with `test.override`. */
  mockOptions: MockOptions
  /** The options for {@link MockFixtures.team}. Default: none. Set them with `test.override`. */
  teamOptions: TeamOptions
  /** The options for {@link MockFixtures.client} except the connection. Default: none. Set them with `test.override`. */
  clientOptions: Omit<ClientOptions, 'apiKey' | 'baseUrl' | 'fetch' | 'clock'>
  /** A new mock for each test. A failed test prints the output of `explainTeam` for each team that it used. */
  mock: Mock
  /** A team in the mock. An otherwise passing test fails if one of the team's faults affected no request. */
  team: Team
  /** A client connected to the team. */
  client: ServiceClient
}

/**
 * Extends Vitest's `test` with a separate mock, team and client for each test, so tests can run in parallel.
 *
 * @example
 * import { test } from 'health-lab-sdk/mock/vitest'
 *
 * test('shows the user', async ({ client, team }) => {
 *   const user = team.users.create()
 *   …
 * })
 */
export const test: TestAPI<MockFixtures> = base.extend<MockFixtures>({
  mockOptions: {},
  teamOptions: {},
  clientOptions: {},
  mock: async ({ mockOptions, task }, use) => {
    const mock = new Mock(mockOptions)
    await use(mock)
    if (task.result?.state === 'fail') explainTeams(mock)
  },
  team: async ({ mock, teamOptions, task }, use) => {
    const team = mock.team(teamOptions)
    await use(team)
    const state = task.result?.state
    if (state === 'fail' || state === 'skip') return
    if (team.faults.unused().length > 0) console.error(explainTeam(team))
    team.faults.assertAllUsed()
  },
  client: async ({ team, clientOptions }, use) =>
    use(new ServiceClient({ ...clientOptions, ...team.connection() })),
})

function explainTeams(mock: Mock): void {
  const used = mock.teams().filter(({ changes, journal, faults }) => {
    return changes > 0 || journal.count > 0 || faults.list().length > 0
  })
  for (const team of used) console.error(explainTeam(team))
}
