import { test as base, type TestAPI } from 'vitest'
import { ServiceClient } from '../src/client/client.ts'
import type { ClientOptions } from '../src/client/options/client-options.ts'
import { Mock } from './mock.ts'
import type { MockOptions, TeamOptions } from './state/defaults.ts'
import type { Team } from './team.ts'

/** What a test gets. */
export interface MockFixtures {
  /** Options of {@link MockFixtures.mock}. Default: none; change them with `test.override`. */
  mockOptions: MockOptions
  /** Options of {@link MockFixtures.team}, as above. */
  teamOptions: TeamOptions
  /** Options of {@link MockFixtures.client} beside the team's connection, as above. */
  clientOptions: Omit<ClientOptions, 'apiKey' | 'baseUrl' | 'fetch'>
  /** The service in memory, one for each test. */
  mock: Mock
  /**
   * A team of the mock. A test that passes fails nevertheless when one of the team's faults was never met; a test that
   * fails prints the line that makes the team anew.
   */
  team: Team
  /** A client of the team. */
  client: ServiceClient
}

/**
 * Vitest's `test` with a mock, a team and a client of its own for each test, so that tests run in parallel.
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
  mock: async ({ mockOptions }, use) => use(new Mock(mockOptions)),
  team: async ({ mock, teamOptions, task }, use) => {
    const team = mock.team(teamOptions)
    await use(team)
    if (task.result?.state === 'fail')
      console.error(`The team of this test: ${team.reproduction()}`)
    else team.faults.assertAllUsed()
  },
  client: async ({ team, clientOptions }, use) =>
    use(new ServiceClient({ ...clientOptions, ...team.connection() })),
})
