import { expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { runsOf } from '../../support/long-tests.ts'
import { fc } from '../../support/properties.ts'
import { byWebhook, play, programs, type Run, runs, timeLimit } from './programs.ts'

/** Returns the state of a team and its events. What makes their bodies may be kept for more events after a read. */
function stateOf({ team }: Run) {
  const { outbox, ...state } = team.snapshot()
  const { past: _, ...events } = outbox
  return { ...state, ...events, bodies: team.events.list().map(({ body }) => body) }
}

const title = 'can be restored in every reachable state, and restoring them changes nothing'

it(title, { timeout: timeLimit }, async () => {
  await fc.assert(
    fc.asyncProperty(programs, async (program) => {
      const expected = await play(program)
      const actual = await play(program, async ({ team }) => {
        const inProgress = team.snapshot()
        // With other format settings, the team would also keep the format of the data that has arrived.
        const { deprecatedFields, historicalEvents } = team.state.settings
        const format = { deprecatedFields, historicalEvents }
        const other = createMock().team({ clock: 'manual', ...format })
        other.restore(inProgress)
        expect(other.snapshot()).toEqual(inProgress)
        await team.webhooks.idle()
        const snapshot = team.snapshot()
        team.restore(snapshot)
        expect(team.snapshot()).toEqual(snapshot)
      })
      expect(byWebhook(actual)).toEqual(byWebhook(expected))
      expect(stateOf(actual)).toEqual(stateOf(expected))
    }),
    { numRuns: runsOf(runs) },
  )
})
