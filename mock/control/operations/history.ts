import * as z from 'zod/mini'
import { jsonObjectSchema } from '../../base/schemas.ts'
import { MockError } from '../../errors.ts'
import type { Mock } from '../../mock.ts'
import { History } from '../../snapshot/history.ts'
import { catalogueCollections, recordCollections } from '../../state/collection-names.ts'
import type { Team } from '../../team.ts'
import { type ControlOperation, noContent, operation } from '../endpoint.ts'
import {
  forkSchema,
  historySchema,
  pointDetailSchema,
  reproductionSchema,
  snapshotHeadSchema,
} from '../responses.ts'

const params = { number: z.string() }

/** The history of the team: the state after each request, due event and call of the control API. */
export const history: readonly ControlOperation[] = [
  operation(
    {
      id: 'history.start',
      isUnrecorded: true,
      method: 'POST',
      path: '/history',
      summary: 'Starts to record the history, unless it is recorded already',
      responses: { 200: historySchema },
    },
    (team) => {
      team.state.recorder ??= new History(team.state)
      return readHistory(team)
    },
  ),
  operation(
    {
      id: 'history.list',
      method: 'GET',
      path: '/history',
      summary: 'Lists the points of the history, the oldest first; at most 1,000 are kept',
      responses: { 200: historySchema },
    },
    readHistory,
  ),
  operation(
    {
      id: 'history.stop',
      isUnrecorded: true,
      method: 'DELETE',
      path: '/history',
      summary: 'Stops the recording, and deletes the points',
      responses: noContent,
    },
    ({ state }) => {
      state.recorder = undefined
    },
  ),
  operation(
    {
      id: 'history.get',
      method: 'GET',
      path: '/history/{number}',
      summary: 'Returns a point with the changes before it, and the numbers of its records',
      params,
      responses: { 200: pointDetailSchema },
    },
    (team, { params }) => historyOf(team).get(Number(params.number)),
  ),
  operation(
    {
      id: 'history.records',
      method: 'GET',
      path: '/history/{number}/records',
      summary: 'Lists the records of a collection at a point: all, or the last ones',
      params,
      query: z.object({
        collection: z.enum([...recordCollections, ...catalogueCollections]),
        last: z.optional(z.int()),
      }),
      responses: { 200: z.array(jsonObjectSchema) },
    },
    (team, { params, query: { collection, last = 0 } }) =>
      historyOf(team).recordsAt(Number(params.number), collection).slice(-last),
  ),
  operation(
    {
      id: 'history.snapshot',
      method: 'GET',
      path: '/history/{number}/snapshot',
      summary: 'Returns a snapshot of the team at a point, without webhooks',
      params,
      responses: { 200: snapshotHeadSchema },
    },
    (team, { params }) => historyOf(team).stateAt(Number(params.number)).snapshot,
  ),
  operation(
    {
      id: 'history.reproduction',
      method: 'GET',
      path: '/history/{number}/reproduction',
      summary: "Returns the team's state at a point as one line of JavaScript",
      params,
      responses: { 200: reproductionSchema },
    },
    (team, { params }) => ({
      line: team.reproductionOf(historyOf(team).stateAt(Number(params.number))),
    }),
  ),
  operation(
    {
      id: 'history.fork',
      isUnrecorded: true,
      method: 'POST',
      path: '/history/{number}/fork',
      summary:
        'Creates a team with the state at a point, without webhooks; by default, its API key is generated',
      params,
      body: z.object({ api_key: z.optional(z.string()) }),
      responses: { 200: forkSchema },
    },
    (team, { params, body }, mock) => {
      const apiKey = body.api_key ?? freeKey(mock, params.number)
      if (mock.teamOf(apiKey)) throw usedKeyError()
      mock.reproduce({ apiKey, ...historyOf(team).stateAt(Number(params.number)) })
      return { api_key: apiKey }
    },
  ),
]

function readHistory({ state: { recorder } }: Team) {
  return {
    isRecording: recorder !== undefined,
    points: recorder instanceof History ? recorder.points() : [],
  }
}

function historyOf({ state: { recorder } }: Team): History {
  // Only `history.start` sets the recorder.
  if (recorder instanceof History) return recorder
  throw new MockError(
    'invalid_state',
    'The history of the team is not recorded. Start it with POST /history, or open the inspector.',
  )
}

function usedKeyError(): MockError {
  return new MockError(
    'invalid_option',
    'Another team uses this api_key. Pass a different one, or omit it.',
  )
}

function freeKey(mock: Mock, number: string): string {
  const used = new Set(mock.teams().map(({ apiKey }) => apiKey))
  let copy = 1
  while (used.has(`fork-${number}-${copy}`)) copy += 1
  return `fork-${number}-${copy}`
}
