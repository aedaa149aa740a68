import { MockError } from '../../errors.ts'
import type { Mock } from '../../mock.ts'
import { History } from '../../snapshot/history.ts'
import type { Team } from '../../team.ts'
import type { Handlers } from '../handler.ts'
import type { history } from '../operations/history.ts'

export const historyHandlers: Handlers<typeof history> = {
  'history.start': (team) => {
    team.state.recorder ??= new History(team.state)
    return readHistory(team)
  },
  'history.list': readHistory,
  'history.stop': ({ state }) => {
    state.recorder = undefined
  },
  'history.get': (team, { params }) => historyOf(team).get(Number(params.number)),
  'history.records': (team, { params, query: { collection, last = 0 } }) =>
    historyOf(team).recordsAt(Number(params.number), collection).slice(-last),
  'history.snapshot': (team, { params }) => historyOf(team).stateAt(Number(params.number)).snapshot,
  'history.reproduction': (team, { params }) => ({
    line: team.reproductionOf(historyOf(team).stateAt(Number(params.number))),
  }),
  'history.fork': (team, { params, body }, mock) => {
    const apiKey = body.api_key ?? freeKey(mock, params.number)
    if (mock.teamOf(apiKey)) throw usedKeyError()
    mock.reproduce({ apiKey, ...historyOf(team).stateAt(Number(params.number)) })
    return { api_key: apiKey }
  },
}

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
    "The team's history is not being recorded. Start recording with POST /history, or open the inspector.",
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
