import { expect, it } from 'vitest'
import { control } from '../../../mock/control/control.ts'
import { controlEndpoints } from '../../../mock/control/operations.ts'
import { apiPath } from '../../../mock/control/paths.ts'
import { runsOf } from '../../support/long-tests.ts'
import { fc } from '../../support/properties.ts'
import { byWebhook, ids, play, programs, type Run, runs, timeLimit } from './programs.ts'

/** The paths of reads, with ids of users, webhooks, events and points; others are unknown there. */
const controlPaths = controlEndpoints
  .filter(({ method }) => method === 'GET')
  .flatMap(({ path }) => [...ids, 'one', '1'].map((id) => path.replaceAll(/\{\w+\}/g, id)))

/** Reads everything of a team that its methods and the control API return. */
async function read({ team, mock }: Run): Promise<void> {
  team.snapshot()
  team.reproduction()
  void team.events.count
  for (const { body } of team.events.list()) void body
  for (const { user_id } of team.users.list()) team.truth(user_id)
  team.clock.pending()
  for (const webhook of team.webhooks.list()) {
    void webhook.pending
    webhook.planned()
    webhook.deadLetters()
  }
  const headers = { 'x-service-api-key': team.apiKey }
  for (const path of new Set(controlPaths)) {
    const request = {
      method: 'GET',
      path: apiPath + path,
      search: new URLSearchParams(),
      headers,
      text: undefined,
    }
    await control(
      { ...request, isLocal: true },
      { mock, url: 'http://localhost', strictKeys: true },
    )
  }
}

/** Reads what brings a team up to date. */
function readQuickly({ team }: Run): void {
  void team.events.count
  team.clock.pending()
  team.bulkOps.list()
  team.snapshot()
}

it('does not change what is delivered, or when', { timeout: timeLimit }, async () => {
  await fc.assert(
    fc.asyncProperty(programs, fc.infiniteStream(fc.boolean()), async (program, reads) => {
      const expected = await play(program)
      const actual = await play(program, async (run) => {
        run.inHandler = () => void (reads.next().value && readQuickly(run))
        if (reads.next().value) await read(run)
      })
      expect(byWebhook(actual)).toEqual(byWebhook(expected))
      expect(actual.team.clock.now()).toEqual(expected.team.clock.now())
    }),
    { numRuns: runsOf(runs) },
  )
})
