import { test as base, type TestAPI } from 'vitest'
import { ServiceClient } from '../src/client/client.ts'
import type { ClientOptions } from '../src/client/options/client-options.ts'
import { Mock } from './mock.ts'
import type { MockOptions, TeamOptions } from './state/defaults.ts'
import type { Team } from './team.ts'

/** The fixtures of a test. */
export interface MockFixtures {
  /** The options of {@link MockFixtures.mock}. Default: none. Set them with `test.override`. */
  mockOptions: MockOptions
  /** The options of {@link MockFixtures.team}. Default: none. Set them with `test.override`. */
  teamOptions: TeamOptions
  /** The options of {@link MockFixtures.client} except the connection. Default: none. Set them with `test.override`. */
  clientOptions: Omit<ClientOptions, 'apiKey' | 'baseUrl' | 'fetch'>
  /** The mock, a new one for each test. */
  mock: Mock
  /**
   * A team of the mock. A test that passes otherwise fails if one of the team's faults affected no request; a failed test
   * prints the line of code that recreates the team.
   */
  team: Team
  /** A client of the team. */
  client: ServiceClient
}

/**
 * Extends Vitest's `test` with a separate mock, team and client for each test, so that tests can run in parallel.
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
