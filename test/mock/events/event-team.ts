import { createMock, type Team, type TeamOptions } from '../../../mock/index.ts'
import { userId } from '../../support/bodies.ts'

export function teamOf(options: TeamOptions = {}): Team {
  const team = createMock({ seed: 5 }).team(options)
  team.users.create({ user_id: userId })
  return team
}

export const typesOf = (team: Team, type?: string) =>
  team.events.list(type).map((event) => event.event_type)
