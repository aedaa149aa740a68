import type { OtherTeam, Setup, TeamLike } from '../src/conformance/setup.ts'
import type { TeamOptions } from './defaults.ts'
import type { Mock } from './mock.ts'
import type { Team } from './team.ts'

/**
 * What a team of the mock offers to the conformance cases: users, orders, booking keys that end as asked, time, and
 * further teams with settings of their own.
 *
 * @example
 * const report = await runConformance({ ...team.connection(), setup: conformanceSetup(mock, team) })
 */
export function conformanceSetup(mock: Mock, team: Team = mock.defaultTeam): Setup {
  return {
    user: () => team.users.create().user_id,
    order: () => team.orders.create().id,
    bookingKey: ({ outcome, after }) => `bk_${outcome}${after ? `_after_${after}ms` : ''}`,
    advance: (milliseconds) => team.clock.advance(milliseconds),
    connect: (user_id, provider) => team.connections.create({ user_id, provider }),
    labAccount: (labs) =>
      team.catalogue.labAccounts.create(labs === 'all' ? {} : { lab_ids: [] }).id,
    completedOrder: () => team.orders.complete(team.orders.create().id),
    team: (like) => anotherTeam(mock, like),
  }
}

function anotherTeam(mock: Mock, { importTime, ...like }: TeamLike): OtherTeam {
  const options: TeamOptions = {
    ...like,
    ...(importTime === undefined ? {} : { importTimePerConnection: importTime }),
  }
  const team = mock.team(options)
  return { apiKey: team.apiKey, setup: conformanceSetup(mock, team) }
}
