import { expect, it } from 'vitest'
import { History } from '../../../mock/snapshot/history.ts'
import { runsOf } from '../../support/long-tests.ts'
import { fc } from '../../support/properties.ts'
import { byWebhook, play, programs, runs, timeLimit } from './programs.ts'

it('changes nothing while it is recorded, and each of its points can be restored', {
  timeout: timeLimit,
}, async () => {
  await fc.assert(
    fc.asyncProperty(programs, async (program) => {
      const expected = await play(program)
      const actual = await play(program, ({ team }) => {
        team.state.recorder ??= new History(team.state)
      })
      expect(byWebhook(actual)).toEqual(byWebhook(expected))
      const { mock, team } = actual
      const history = team.state.recorder as History
      for (const { number } of history.points()) {
        const state = history.stateAt(number)
        const copy = mock.reproduce({ apiKey: `point ${number}`, ...state })
        // Points have no webhooks, for which arrivals are scheduled, and each team has its own number.
        const { due: _, ordinal: __, ...point } = JSON.parse(JSON.stringify(state.snapshot))
        expect(copy.snapshot()).toMatchObject(point)
        mock.deleteTeam(copy.apiKey)
      }
    }),
    { numRuns: runsOf(runs) },
  )
})
