import * as z from 'zod/mini'
import { MockError } from '../errors.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import type { TeamOptions } from '../state/defaults.ts'
import { User } from '../state/records/schemas.ts'
import { type ControlOperation, operation } from './endpoint.ts'
import { anything } from './values.ts'

/** The team as a whole. */
export const team: readonly ControlOperation[] = [
  operation(
    {
      id: 'settings.get',
      method: 'GET',
      path: '/settings',
      summary: 'Tells how the team behaves',
      responses: { 200: anything },
    },
    (team) => team.settings,
  ),
  operation(
    {
      id: 'settings.update',
      method: 'PATCH',
      path: '/settings',
      summary: 'Changes how the team behaves, by the options of the mock',
      body: anything,
      responses: { 200: anything },
    },
    (team, { body }) => {
      const fixed = ['apiKey', 'now', 'clock'].find((name) => Object.hasOwn(body, name))
      if (fixed) {
        throw new MockError(
          'invalid_option',
          `A team keeps its ${fixed}; its time is moved below /clock.`,
        )
      }
      // What is no option, or no value of one, is refused there.
      team.configure(body as Omit<TeamOptions, 'apiKey' | 'now' | 'clock'>)
      return team.settings
    },
  ),
  operation(
    {
      id: 'signIn',
      method: 'POST',
      path: '/sign_in',
      summary: 'Signs a user in with a token, as a mobile SDK would',
      body: z.object({ sign_in_token: z.string() }),
      responses: { 200: User },
    },
    (team, { body }) => team.signIn(body.sign_in_token),
  ),
  operation(
    {
      id: 'snapshot',
      method: 'GET',
      path: '/snapshot',
      summary: "Gives the team's state",
      responses: { 200: anything },
    },
    (team) => team.snapshot(),
  ),
  operation(
    {
      id: 'restore',
      method: 'PUT',
      path: '/snapshot',
      summary: 'Brings the team back to a snapshot',
      body: anything,
      responses: { 204: z.undefined() },
    },
    // What is no snapshot is refused there.
    (team, { body }) => team.restore(body as unknown as Snapshot),
  ),
  operation(
    {
      id: 'reset',
      method: 'POST',
      path: '/reset',
      summary: 'Brings the team back to its beginning',
      responses: { 204: z.undefined() },
    },
    (team) => team.reset(),
  ),
  operation(
    {
      id: 'reproduction',
      method: 'GET',
      path: '/reproduction',
      summary: 'Gives the team as it is now, as one line of JavaScript',
      responses: { 200: z.object({ line: z.string() }) },
    },
    (team) => ({ line: team.reproduction() }),
  ),
]
