import * as z from 'zod/mini'
import type { Mock } from '../../mock.ts'
import type { ControlEndpoint } from '../endpoint.ts'

/** The schema of the list of teams. */
export const teamListSchema = z.array(z.object({ api_key: z.string(), requests: z.int() }))

/** Needs no API key, because it lists the API keys. */
export const teamsEndpoint: ControlEndpoint = {
  id: 'teams.list',
  method: 'GET',
  path: '/teams',
  summary: 'Lists the teams, the default one first; needs no API key',
  responses: { 200: teamListSchema },
}

/** A team in the list of teams. */
export interface ListedTeam {
  /** The team's API key. */
  api_key: string
  /** The number of requests that the team sent. */
  requests: number
}

/** Returns the teams of a mock, the default one first. */
export function listTeams(mock: Mock): ListedTeam[] {
  return mock.teams().map(({ apiKey, journal }) => ({ api_key: apiKey, requests: journal.count }))
}
