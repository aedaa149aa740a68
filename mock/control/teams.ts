import * as z from 'zod/mini'
import type { Mock } from '../mock.ts'
import type { ControlEndpoint } from './endpoint.ts'

/** The one operation that needs no key, for it tells which keys there are. */
export const teamsEndpoint: ControlEndpoint = {
  id: 'teams.list',
  method: 'GET',
  path: '/teams',
  summary: 'Lists the teams, the default one first; needs no key',
  responses: { 200: z.array(z.object({ api_key: z.string(), requests: z.int() })) },
}

/** A team, as the list tells it. */
export interface ListedTeam {
  api_key: string
  /** How many requests it made. */
  requests: number
}

export function listedTeams(mock: Mock): ListedTeam[] {
  return mock.teams().map(({ apiKey, journal }) => ({ api_key: apiKey, requests: journal.count }))
}
