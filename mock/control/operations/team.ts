import * as z from 'zod/mini'
import { jsonObjectSchema } from '../../base/schemas.ts'
import type { Fixture } from '../../fixtures/fixture.ts'
import { fixtureSchema } from '../../fixtures/schema.ts'
import type { Snapshot } from '../../snapshot/snapshot.ts'
import type { TeamOptions } from '../../state/defaults.ts'
import { User } from '../../state/records/schemas.ts'
import { behaviorSchema } from '../../state/settings.ts'
import { type ControlOperation, noContent, operation } from '../endpoint.ts'
import {
  reproductionSchema,
  seededSchema,
  settingsStateSchema,
  snapshotHeadSchema,
  truthRowSchema,
} from '../responses.ts'

/** The team as a whole. */
export const team: readonly ControlOperation[] = [
  operation(
    {
      id: 'settings.get',
      method: 'GET',
      path: '/settings',
      summary: 'Returns the settings of the team',
      responses: { 200: settingsStateSchema },
    },
    (team) => team.settings,
  ),
  operation(
    {
      id: 'settings.update',
      method: 'PATCH',
      path: '/settings',
      summary: 'Changes settings of the team; the operations below /clock change its time',
      body: behaviorSchema,
      responses: { 200: settingsStateSchema },
    },
    (team, { body }) => {
      // The schema is that of the type; zod cannot express a string such as '15m'.
      team.configure(body as Omit<TeamOptions, 'apiKey' | 'now' | 'clock' | 'timeZone'>)
      return team.settings
    },
  ),
  operation(
    {
      id: 'signIn',
      method: 'POST',
      path: '/sign_in',
      summary: 'Signs a user in with a token, like a mobile SDK',
      body: z.object({ sign_in_token: z.string() }),
      responses: { 200: User },
    },
    (team, { body }) => team.signIn(body.sign_in_token),
  ),
  operation(
    {
      id: 'truth',
      method: 'GET',
      path: '/users/{user_id}/truth',
      summary: 'Lists the rows of a user that a consumer of all events must have stored',
      params: { user_id: z.string() },
      query: z.object({ resource: z.optional(z.string()) }),
      responses: { 200: z.array(truthRowSchema) },
    },
    (team, { params, query }) => team.truth(params.user_id, query.resource),
  ),
  operation(
    {
      id: 'snapshot',
      method: 'GET',
      path: '/snapshot',
      summary: 'Returns a snapshot of the team',
      responses: { 200: snapshotHeadSchema },
    },
    (team) => team.snapshot(),
  ),
  operation(
    {
      id: 'restore',
      isUnrecorded: true,
      method: 'PUT',
      path: '/snapshot',
      summary: 'Restores a snapshot',
      body: jsonObjectSchema,
      responses: noContent,
    },
    // `restore` checks the snapshot.
    (team, { body }) => team.restore(body as unknown as Snapshot),
  ),
  operation(
    {
      id: 'seed',
      method: 'POST',
      path: '/seed',
      summary:
        'Creates the records of a fixture: all of them, or none; omitted fields are generated',
      body: fixtureSchema,
      responses: { 200: seededSchema },
    },
    // `seed` checks the fixture.
    (team, { body }) => team.seed(body as Fixture),
  ),
  operation(
    {
      id: 'reset',
      isUnrecorded: true,
      method: 'POST',
      path: '/reset',
      summary: 'Resets the team to its initial state',
      responses: noContent,
    },
    (team) => team.reset(),
  ),
  operation(
    {
      id: 'reproduction',
      method: 'GET',
      path: '/reproduction',
      summary: "Returns the team's current state as one line of JavaScript",
      responses: { 200: reproductionSchema },
    },
    (team) => ({ line: team.reproduction() }),
  ),
]
